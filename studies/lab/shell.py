"""How the lab runs programs and writes kernel files: what fails says so, with the words of the program."""

import pathlib
import subprocess


class LabError(Exception):
    """What the lab could not do, where, and what to do about it."""


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
