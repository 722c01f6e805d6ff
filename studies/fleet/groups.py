"""Limits of a host's control groups, from outside of the host: version 1 or 2, whichever the machine has."""

import contextlib
import pathlib
import re
import time

import host
from shell import LabError, read, write

TOP = "rvf"
WORK, JOB, NEIGHBOR = "/work", "/work/job", "/work/neighbor"
CONTROLLERS = ("cpu", "memory", "io")  # of version 2
PERIOD_US = 100_000
REMOVAL_PATIENCE_S = 5


def name(number: int) -> str:
    """Of the host's control group, below each hierarchy."""
    return f"{TOP}/host{number}"


class Groups:
    """The groups of one host."""

    def __init__(self, number: int, root: pathlib.Path = host.CGROUPS) -> None:
        self.number, self._root, self.unified = number, root, host.is_unified(root)

    def make(self) -> None:
        for hierarchy in host.hierarchies(self._root):
            for inner in ("", host.AGENT, WORK, JOB, NEIGHBOR):
                (hierarchy / (name(self.number) + inner)).mkdir(parents=True, exist_ok=True)

    def enable(self) -> host.Notes:
        """Lets its inner groups have limits; no process may be in the outer ones by then."""
        return enable(self._root, ("", WORK), name(self.number))

    def _file(self, inner: str, one: tuple[str, str], two: str) -> pathlib.Path:
        """`one` is the controller and the file of version 1."""
        below = name(self.number) + inner
        return self._root / below / two if self.unified else self._root / one[0] / below / one[1]

    def processes(self, inner: str) -> list[int]:
        return [int(word) for word in read(self._file(inner, ("cpu", "cgroup.procs"), "cgroup.procs")).split()]

    def cpu_seconds(self, inner: str) -> float:
        text = read(self._file(inner, ("cpuacct", "cpuacct.usage"), "cpu.stat"))
        return int(text.split()[1]) / 1e6 if self.unified else int(text) / 1e9

    def limit_cpu(self, inner: str, cores: float | None) -> None:
        quota = "max" if cores is None else max(1000, round(cores * PERIOD_US))
        if self.unified:
            write(self._file(inner, ("", ""), "cpu.max"), f"{quota} {PERIOD_US}")
        else:
            write(self._file(inner, ("cpu", "cpu.cfs_quota_us"), ""), -1 if cores is None else quota)

    def memory(self, inner: str) -> tuple[int, int]:
        """Bytes that it uses, and how many of them are the page cache's."""
        used = int(read(self._file(inner, ("memory", "memory.usage_in_bytes"), "memory.current")))
        stat = read(self._file(inner, ("memory", "memory.stat"), "memory.stat"))
        word = "file" if self.unified else "total_cache"
        found = re.search(rf"^{word} (\d+)$", stat, re.MULTILINE)
        return used, int(found[1]) if found else 0

    def limit_memory(self, inner: str, limit: int | None) -> None:
        file = self._file(inner, ("memory", "memory.limit_in_bytes"), "memory.high")
        write(file, limit if limit is not None else "max" if self.unified else -1)

    def limit_reads(self, inner: str, device: str, bytes_per_s: int | None) -> None:
        file = self._file(inner, ("blkio", "blkio.throttle.read_bps_device"), "io.max")
        if self.unified:
            write(file, f"{device} rbps={'max' if bytes_per_s is None else bytes_per_s}")
        else:
            write(file, f"{device} {bytes_per_s or 0}")


def enable(root: pathlib.Path = host.CGROUPS, inner: tuple[str, ...] = ("",), group: str = "") -> host.Notes:
    """Lets groups below these have limits. Version 1 needs no permission."""
    notes = host.Notes()
    for part in inner if host.is_unified(root) else ():
        for controller in CONTROLLERS:
            place = root / (group + part) / "cgroup.subtree_control"
            notes.attempt(f"controller {controller} below {part or {'': '/', TOP: TOP}.get(group, 'its own')}",
                          lambda place=place, word=f"+{controller}": place.write_text(word, encoding="ascii") and None)
    return notes


def make_top(root: pathlib.Path = host.CGROUPS) -> host.Notes:
    for hierarchy in host.hierarchies(root):
        (hierarchy / TOP).mkdir(exist_ok=True)
    return enable(root) + enable(root, group=TOP)


def remove(root: pathlib.Path = host.CGROUPS) -> None:
    """Removes the study's groups, once their processes have ended."""
    until = time.monotonic() + REMOVAL_PATIENCE_S
    for hierarchy in host.hierarchies(root):
        top = hierarchy / TOP
        while top.exists():
            for folder in sorted(top.rglob("*/"), key=lambda one: -len(one.parts)):
                with contextlib.suppress(OSError):
                    folder.rmdir()
            try:
                top.rmdir()
            except OSError as refused:
                if time.monotonic() > until:
                    raise LabError(f"cannot remove {top}: {refused.strerror}; what runs in it must end first") from refused
                time.sleep(0.1)
