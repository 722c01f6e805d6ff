#!/usr/bin/python3
"""What control groups that come and go cost the agent: its memory and its disk, minute by minute.

    sudo studies/soak/churn.py --reveal build/test/reveal --groups 10 --life 3 --seconds 600 --directory FOLDER

Makes GROUPS control groups at once, each with a sleeping process, removes them after LIFE seconds, and goes on with
others. Needs root and version 1 or 2 of control groups. Prints a row each --every seconds: how many groups have come,
the resident memory of the recorder and the judge in MB, the most that any judge had so far (as the kernel keeps it),
the number of judges so far, as one that has met many channels makes way for another one, and the size of the recording
in MB.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

CONFIGURATION = """
[web]
listen = ["unix:{folder}/agent.sock"]
"""
CONTROLLERS = ("cpu", "cpuacct", "memory", "pids", "blkio")
ROOT = pathlib.Path("/sys/fs/cgroup")


def parents(root: pathlib.Path = ROOT) -> list[pathlib.Path]:
    """The folders in which groups are made: the one of version 2, or one for each controller of version 1."""
    if (root / "cgroup.controllers").exists():
        return [root]
    return [root / name for name in CONTROLLERS if (root / name).is_dir()]


class Group:
    """A control group in each hierarchy, with a process that sleeps."""

    def __init__(self, name: str) -> None:
        self._folders = [parent / name for parent in parents()]
        for folder in self._folders:
            folder.mkdir(exist_ok=True)
        self._process = subprocess.Popen(["sleep", "1000"])
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(f"{self._process.pid}\n")

    def remove(self) -> None:
        self._process.kill()
        self._process.wait()
        for folder in self._folders:
            try:
                folder.rmdir()
            except OSError as error:
                print(f"churn.py: {folder}: {error.strerror}", file=sys.stderr)


def children(of: int) -> dict[str, int]:
    """The parts of the agent: role to process."""
    out = {}
    for task in pathlib.Path(f"/proc/{of}/task").iterdir():
        for child in (task / "children").read_text().split():
            words = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            out[words[1].decode().removeprefix("agent-") if len(words) > 1 else "?"] = int(child)
    return out


def resident_mb(process: int | None, which: str = "VmRSS") -> float:
    """1 MB = 10^6 bytes. `which`: VmHWM for the most so far."""
    try:
        for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith(which + ":"):
                return int(line.split()[1]) * 1024 / 1e6
    except OSError:
        pass
    return float("nan")


def disk_mb(folder: pathlib.Path) -> float:
    """The segments and journals in a folder."""
    return sum(file.stat().st_size for file in folder.glob("0*.rv?")) / 1e6


def row(parts: dict[str, int], folder: pathlib.Path, come: int, judges: dict[int, float], since_s: float) -> str:
    """A line of the table, as its head has the columns; nan for a part that does not run."""
    recorder, judge = (resident_mb(parts.get(name)) for name in ("recorder", "judge"))
    disk = disk_mb(folder / "recording")
    most = max(judges.values(), default=float("nan"))
    return f"{since_s:6.0f} {come:7d} {recorder:9.1f} {judge:7.1f} {most:7.1f} {len(judges):7d} {disk:7.1f}"


def churn(options: argparse.Namespace, agent: int) -> None:
    begun = time.monotonic()
    shown = begun
    come = 0
    judges: dict[int, float] = {}  # by process: the most that it had
    print("     s  groups  recorder   judge    most  judges    disk", flush=True)
    while time.monotonic() < begun + options.seconds:
        # Others may do the same at the same time.
        groups = [Group(f"churn{os.getpid()}x{come + i}") for i in range(options.groups)]
        come += len(groups)
        time.sleep(options.life)
        for group in groups:
            group.remove()
        parts = children(agent)
        if (judge := parts.get("judge")) is not None and (most := resident_mb(judge, "VmHWM")) > 0:
            judges[judge] = most
        if time.monotonic() >= shown + options.every:
            shown = time.monotonic()
            print(row(parts, options.directory, come, judges, shown - begun), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reveal", required=True)
    parser.add_argument("--directory", type=pathlib.Path, required=True)
    parser.add_argument("--groups", type=int, default=10)
    parser.add_argument("--life", type=float, default=3.0)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--every", type=float, default=30.0)
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    configuration = options.directory / "reveal.toml"
    configuration.write_text(CONFIGURATION.format(folder=options.directory))
    agent = subprocess.Popen([options.reveal, "agent", "--config", str(configuration),
                              "--directory", str(options.directory)])
    try:
        churn(options, agent.pid)
    finally:
        agent.terminate()
        agent.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
