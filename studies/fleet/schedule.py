"""Which hosts do what, and which disturbance comes when: drawn from the seed before anything begins."""

import dataclasses
import random

FIRST_S = 130.0  # the analyser judges nobody in its first two minutes
SHORTEST_S, LONGEST_S = 8.0, 15.0
STOP_S = 4.0
REST_S = (18.0, 28.0)  # a host has recovered after ten seconds, and within ten seconds two hosts are one incident
LONG_REST_S, LONG_ONE_IN = 25.0, 5  # some stretches stay silent for so much longer
AFTER_S = 14.0  # what the last one leaves, to be told and to end


@dataclasses.dataclass(frozen=True)
class Job:
    """Hosts that work together: a group of the fleet."""
    name: str
    hosts: tuple[int, ...]
    kinds: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Kind:
    subsystems: tuple[str, ...]  # where an operator would look; none: no subsystem is to blame
    seconds: tuple[float, float] = (SHORTEST_S, LONGEST_S)


KINDS = {
    "loss": Kind(("network",)),
    "slow_link": Kind(("network",)),
    "quota": Kind(("cpu",)),
    "neighbor": Kind(("cpu",)),
    "memory": Kind(("memory", "storage")),
    "disk": Kind(("storage",)),
    "stop": Kind((), (STOP_S, STOP_S)),
    "gpu_neighbor": Kind(("gpu",)),
}
EVERYWHERE = ("loss", "slow_link", "quota", "neighbor", "disk", "stop")
STORE = 0  # of the hosts that load, the one that the others load from


def jobs(train: int, load: int, serve: int, gpu: bool) -> list[Job]:
    """Jobs that have hosts, which are numbered in this order. The GPU's host is the last one, and has no peers."""
    out, first = [], 0
    for name, count, kinds in (("train", train, EVERYWHERE), ("load", load, (*EVERYWHERE, "memory")),
                               ("serve", serve, EVERYWHERE), ("gpu", int(gpu), ("gpu_neighbor", "quota", "neighbor"))):
        if count:
            out.append(Job(name, tuple(range(first, first + count)), kinds))
        first += count
    return out


class Cycle:
    """Draws each of some things once before any of them again, and none twice in a row."""

    def __init__(self, things: tuple, draw: random.Random) -> None:
        self._things, self._draw, self._left, self._last = things, draw, [], None

    def next(self):
        if not self._left:
            self._left = self._draw.sample(self._things, len(self._things))
            if self._left[0] == self._last:
                self._left.append(self._left.pop(0))
        self._last = self._left.pop(0)
        return self._last


def _fits(job: Job, host: int, kind: str) -> bool:
    """The store keeps nothing in the page cache that a limit could take from it."""
    return kind != "memory" or host != job.hosts[STORE]


def plan(job: Job, seed: int, seconds: float, allowed: frozenset[str] = frozenset(KINDS),
         first_s: float = FIRST_S) -> list[dict]:
    """The job's disturbances in order, one at a time: kind, host, from when to when in seconds. A longer plan begins
    with the shorter one."""
    draw = random.Random(f"{job.name} {seed}")
    kinds = Cycle(tuple(kind for kind in job.kinds if kind in allowed), draw)
    hosts = Cycle(job.hosts, draw)
    out, begin = [], first_s + draw.uniform(0, REST_S[1] - REST_S[0])
    while True:
        host, kind = hosts.next(), kinds.next()
        while not _fits(job, host, kind):
            kind = kinds.next()
        end = begin + draw.uniform(*KINDS[kind].seconds)
        if end > seconds - AFTER_S:
            return out
        out.append({"job": job.name, "host": host, "kind": kind, "subsystems": list(KINDS[kind].subsystems),
                    "at_s": round(begin, 3), "until_s": round(end, 3)})
        begin = end + draw.uniform(*REST_S) + (LONG_REST_S if draw.randrange(LONG_ONE_IN) == 0 else 0.0)
