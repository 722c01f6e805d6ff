"""Which disturbances share a recording, and when each comes.

A piece is one recording: one job works, its disturbances come one after another, and a small job beside it
starts, stops and starts again. All is drawn from the seed, so a piece that is recorded again is the same.
"""

import dataclasses
import math
import random
from collections.abc import Sequence

from disturbances import DISTURBANCES, ONE, PACK, RANKS, Disturbance

FIRST_S, AFTER_S = 30.0, 14.0  # before the first disturbance, and after the last
GAP_S, JITTER_S = 13.0, 4.0
DISTURBED_S = 52.0  # in one piece, not counting what rounding adds
CALM_S = 110.0
CALM_JOBS = (RANKS, PACK, ONE)


@dataclasses.dataclass(frozen=True)
class Event:
    what: Disturbance
    at_s: float  # from the recording's start

    @property
    def until_s(self) -> float:
        return self.at_s + self.what.seconds


@dataclasses.dataclass(frozen=True)
class Piece:
    name: str
    job: str
    seconds: float
    events: tuple[Event, ...]
    beside: tuple[tuple[float, float], ...]  # from and to when the small job runs


def _beside(seconds: float, draw: random.Random) -> tuple[tuple[float, float], ...]:
    """It comes, goes, comes back, and goes just before the end."""
    first, gone, back = (seconds * share + draw.uniform(-4, 4) for share in (0.25, 0.5, 0.65))
    return (first, gone), (back, seconds - 5)


def piece(name: str, job: str, what: Sequence[Disturbance], draw: random.Random) -> Piece:
    events, at = [], FIRST_S + draw.uniform(0, JITTER_S)
    for one in what:
        events.append(Event(one, round(at, 3)))
        at += one.seconds + max(GAP_S, one.lingers_s + 4) + draw.uniform(0, JITTER_S)
    seconds = math.ceil(events[-1].until_s + max(AFTER_S, what[-1].lingers_s + 4)) if events else CALM_S
    return Piece(name, job, float(seconds), tuple(events), _beside(seconds, draw))


def _shares(what: list[Disturbance]) -> list[list[Disturbance]]:
    """As many pieces as needed, of about as many seconds each."""
    count = max(1, math.ceil(sum(one.seconds for one in what) / DISTURBED_S))
    shares: list[list[Disturbance]] = [[] for _ in range(count)]
    for one in sorted(what, key=lambda each: -each.seconds):
        min(shares, key=lambda share: sum(each.seconds for each in share)).append(one)
    return shares


def plan(seed: int, names: Sequence[str] = (), of: Sequence[Disturbance] = DISTURBANCES) -> list[Piece]:
    """All pieces, or those that have a disturbance of these names or have such a name themselves."""
    out = []
    for job in dict.fromkeys(one.job for one in of):
        draw = random.Random(f"{job} {seed}")
        mine = [one for one in of if one.job == job]
        draw.shuffle(mine)
        for number, share in enumerate(_shares(mine)):
            draw.shuffle(share)
            out.append(piece(f"{job}{number}", job, share, draw))
    out += [piece(f"calm_{job}", job, (), random.Random(f"calm {job} {seed}")) for job in CALM_JOBS]
    return [one for one in out if not names or one.name in names or {event.what.name for event in one.events} & set(names)]
