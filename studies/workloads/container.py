"""A control group for a workload, as a container has one: of version 1 or 2, or none if the host allows none."""

import contextlib
import os
import pathlib
import sys
from collections.abc import Callable, Iterator

STUDIES = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(STUDIES / folder) for folder in ("lab", "trial", "gpu")]

import groups  # noqa: E402 of the trial, of version 1
import record  # noqa: E402 of the recordings of a GPU, of version 2
from shell import LabError, write  # noqa: E402 of the lab


def _nothing() -> None:
    pass


def _first(name: str, weight: float) -> Callable[[], None]:
    groups.usable()
    groups.make(name)
    write(groups.path("cpu", name) / "cpu.shares", round(1024 * weight))
    return lambda: groups.join(name)


def _second(name: str, weight: float) -> Callable[[], None]:
    procs = record.GROUPS / name / "cgroup.procs"
    record.make_group(name)
    write(record.GROUPS / name / "cpu.weight", round(100 * weight))
    return lambda: procs.write_text(str(os.getpid()), encoding="ascii") and None


@contextlib.contextmanager
def container(name: str, weight: float = 1) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yields what it is, for people, and what puts the calling process there. If others want the processors, it gets
    `weight` times the usual share. At its end all that is left there is killed, and the group is gone."""
    ways = (("control group v1", groups.ROOT / "cpu" / "cgroup.procs", _first, groups.remove),
            ("control group v2", record.GROUPS / "cgroup.controllers", _second, record.remove_group))
    for kind, sign, make, remove in ways:
        if not sign.exists():
            continue
        try:
            try:
                join = make(name, weight)
            except (OSError, LabError):
                break
            yield kind, join
            return
        finally:
            remove(name)
    yield "none", _nothing
