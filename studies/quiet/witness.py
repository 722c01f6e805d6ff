"""Who else used the machine, second by second: the processor time of all that is not of the study, and stolen time.

Processor time is the kernel's count for control groups of version 1 (cpuacct.usage, in ns; a group's has that of the
groups below it, and the root's all tasks'), so what others used is the root's less the study's. Busy and stolen time
are of /proc/stat (proc_pid_stat(5)). Time in which interrupts are served for nobody is nobody's.
"""

import csv
import dataclasses
import os
import pathlib
import time
from collections.abc import Callable, Sequence

import folders  # noqa: F401 first: it knows where the other studies are
import groups
from shell import read

S = 1_000_000_000
EVERY_S = 1.0
DISTURBED = 0.1  # of a processor, in the mean
BURST, BURST_ROWS = 0.2, 3  # or as much for so many seconds
HEADER = "at_ns,busy_cores,own_cores,others_cores,steal_cores"
STAT = pathlib.Path("/proc/stat")


@dataclasses.dataclass(frozen=True)
class Second:
    """What was used from the row before until `at_ns`, in processors."""
    at_ns: int
    busy: float
    own: float
    others: float
    steal: float


@dataclasses.dataclass(frozen=True)
class Counts:
    at_ns: int
    busy_ticks: int
    steal_ticks: int
    all_ns: int
    own_ns: int


def ticks(stat: str) -> tuple[int, int]:
    """Busy and stolen ticks of all processors, of the text of /proc/stat. Interrupts count as busy, stolen time does not."""
    user, nice, system, _, _, irq, softirq, steal = map(int, stat.split("\n", 1)[0].split()[1:9])
    return user + nice + system + irq + softirq, steal


def usage_ns(group: str) -> int:
    return int(read(groups.path("cpuacct", group) / "cpuacct.usage"))


def counts(group: str) -> Counts:
    busy, steal = ticks(STAT.read_text(encoding="ascii"))
    own = usage_ns(group)  # first, so that others do not come out below 0
    return Counts(time.time_ns(), busy, steal, usage_ns("."), own)


def second(before: Counts, after: Counts, ticks_a_second: int) -> Second:
    elapsed_ns = max(after.at_ns - before.at_ns, 1)
    to_cores = S / elapsed_ns / ticks_a_second
    own = after.own_ns - before.own_ns
    return Second(after.at_ns, (after.busy_ticks - before.busy_ticks) * to_cores, own / elapsed_ns,
                  max(0, after.all_ns - before.all_ns - own) / elapsed_ns,
                  (after.steal_ticks - before.steal_ticks) * to_cores)


def write(group: str, path: pathlib.Path) -> Callable[[], None]:
    """Work for a watcher: appends what was used since the last time, in the study's group and outside of it."""
    last = counts(group)
    path.write_text(HEADER + "\n", encoding="ascii")

    def act() -> None:
        nonlocal last
        now = counts(group)
        if now.at_ns - last.at_ns < S // 10:
            return
        one = second(last, now, os.sysconf("SC_CLK_TCK"))
        last = now
        with open(path, "a", encoding="ascii") as out:
            out.write(f"{one.at_ns},{one.busy:.4f},{one.own:.4f},{one.others:.4f},{one.steal:.4f}\n")
    return act


def seconds_of(path: pathlib.Path) -> list[Second]:
    """Of witness.csv; none if there is no such file. A last line that was cut off is none."""
    if not path.exists():
        return []
    text = path.read_text(encoding="ascii")
    rows = csv.DictReader(text[:text.rfind("\n") + 1].splitlines())
    return [Second(int(row["at_ns"]), *(float(row[f"{name}_cores"]) for name in ("busy", "own", "others", "steal")))
            for row in rows]


def spans(seconds: Sequence[Second]) -> list[tuple[int, int]]:
    """From when to when each row tells. The first one's length is taken to be the usual."""
    first = seconds[0].at_ns - round(EVERY_S * S)
    return list(zip([first, *(one.at_ns for one in seconds)], (one.at_ns for one in seconds), strict=False))


@dataclasses.dataclass(frozen=True)
class Others:
    """Means over a stretch, in processors; 0 if nobody looked."""
    cores: float
    steal: float
    burst: float = 0.0  # the larger of the two in the three seconds in which it was most

    @property
    def disturbed(self) -> bool:
        return max(self.cores, self.steal) >= DISTURBED or self.burst >= BURST


def _burst(rows: Sequence[Second]) -> float:
    """Of fewer than three rows nothing: their mean says it."""
    return max((max(sum(one.others for one in some), sum(one.steal for one in some)) / BURST_ROWS
                for some in zip(*(rows[i:] for i in range(BURST_ROWS)), strict=False)), default=0.0)


def during(seconds: Sequence[Second], begin_ns: int, end_ns: int) -> Others:
    """Of the rows that overlap the stretch, each by its part in it."""
    weight = cores = steal = 0.0
    rows = []
    for one, (since, until) in zip(seconds, spans(seconds) if seconds else (), strict=True):
        inside = min(until, end_ns) - max(since, begin_ns)
        if inside > 0:
            weight, cores, steal = weight + inside, cores + inside * one.others, steal + inside * one.steal
            rows.append(one)
    return Others(cores / weight, steal / weight, _burst(rows)) if weight else Others(0.0, 0.0)


def disturbed_spans(seconds: Sequence[Second]) -> list[tuple[int, int]]:
    """The rows in which others used a tenth of a processor or more, or as much was stolen."""
    if not seconds:
        return []
    return [span for one, span in zip(seconds, spans(seconds), strict=True) if Others(one.others, one.steal).disturbed]
