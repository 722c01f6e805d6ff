"""How the studies run programs and write files: what fails says so, with the words of the program."""

import pathlib
import signal
import subprocess
import sys
from collections.abc import Callable


class LabError(Exception):
    """What a study could not do, where, and what to do about it."""


def run_as(name: str, act: Callable[[], None]) -> None:
    """Runs a study's command: what it could not do, and an end from outside, are one line."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(f"{name}: ended"))
    try:
        act()
    except LabError as error:
        sys.exit(f"{name}: {error}")
    except KeyboardInterrupt:
        sys.exit(f"{name}: ended")


def make_folder(path: pathlib.Path) -> None:
    """Makes the folder that a study writes into, if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as refused:
        raise LabError(f"cannot make the folder {path}: {refused.strerror}; name another place") from refused


def run(*words: object) -> str:
    """Runs a program to its end and returns what it printed."""
    texts = [str(word) for word in words]
    try:
        done = subprocess.run(texts, capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        raise LabError(f"{texts[0]} is not installed; `make deps-lab` installs what the lab needs") from missing
    if done.returncode != 0:
        raise LabError(f"{' '.join(texts)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def write(path: str | pathlib.Path, value: object) -> None:
    """Writes one value to a kernel file."""
    try:
        pathlib.Path(path).write_text(f"{value}\n", encoding="ascii")
    except OSError as refused:
        raise LabError(f"cannot write {value} to {path}: {refused.strerror}") from refused


def read(path: str | pathlib.Path) -> str:
    return pathlib.Path(path).read_text(encoding="ascii").strip()
