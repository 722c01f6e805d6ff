"""Control groups (version 1) of jobs and culprits: made, joined, emptied, removed."""

import contextlib
import os
import pathlib
import signal
import time

from shell import LabError, write

ROOT = pathlib.Path("/sys/fs/cgroup")
CONTROLLERS = ("cpu", "cpuacct", "memory", "blkio")
# A group of its own below `cpu` would give a culprit of many processes no more time than the job of two.
COUNTERS = ("cpuacct", "memory", "blkio")
AUTOGROUP = pathlib.Path("/proc/self/autogroup")
PATIENCE_S = 10


def path(controller: str, name: str) -> pathlib.Path:
    return ROOT / controller / name


def usable() -> None:
    for controller in CONTROLLERS:
        if not (ROOT / controller / "cgroup.procs").exists():
            raise LabError(f"{ROOT / controller} is no control group of version 1; boot with "
                           "systemd.unified_cgroup_hierarchy=0, as the trial needs it")


def make(name: str, controllers: tuple[str, ...] = CONTROLLERS) -> None:
    for controller in controllers:
        path(controller, name).mkdir(parents=True, exist_ok=True)


def join(name: str, controllers: tuple[str, ...] = CONTROLLERS) -> None:
    """Puts the calling process there."""
    for controller in controllers:
        write(path(controller, name) / "cgroup.procs", os.getpid())


def weigh(nice: int) -> None:
    """Gives the calling process's session that much of the processors beside other sessions (autogroups)."""
    if nice and AUTOGROUP.exists():
        write(AUTOGROUP, nice)


def enter(name: str, controllers: tuple[str, ...], nice: int) -> None:
    """What a process of the trial does before it becomes its program."""
    if name:
        join(name, controllers)
    weigh(nice)


def members(name: str) -> set[int]:
    out: set[int] = set()
    for controller in CONTROLLERS:
        procs = path(controller, name) / "cgroup.procs"
        if procs.exists():
            out |= {int(word) for word in procs.read_text(encoding="ascii").split()}
    return out


def remove(name: str) -> None:
    """Kills who is there, and removes the group and those above it that it leaves empty."""
    until = time.monotonic() + PATIENCE_S
    while (left := members(name)) and time.monotonic() < until:
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    for controller in CONTROLLERS:
        place = path(controller, name)
        while place != ROOT / controller:
            with contextlib.suppress(OSError):
                place.rmdir()
            place = place.parent
