"""What a disturbance cost the job, from the job's own log of steps."""

import bisect
import dataclasses
import json
import math
import pathlib
import statistics
from collections.abc import Sequence

S = 1_000_000_000
REFERENCE_S = 25.0  # before and after, where nothing else disturbs
SETTLING_S = 3.0
MEAN_TO_SIGMA = 1.2533  # of absolute deviations, of the normal distribution
Span = tuple[float, float]


@dataclasses.dataclass(frozen=True)
class Harm:
    share: float  # of the usual work that was not done, in the time that the job worked; NaN: not known
    error: float  # standard deviation of the share, from how the rate varies by itself

    def at_least(self, share: float) -> bool:
        """Whether so much is sure: not within the error of nothing."""
        return self.share >= share and self.share > 2 * self.error


class Steps:
    """Steps as stretches of time, in order. What lies between two steps is no work."""

    def __init__(self, stretches: Sequence[Span]) -> None:
        self.stretches = stretches
        self.ends = [end for _, end in stretches]

    @staticmethod
    def read(log: pathlib.Path) -> "Steps":
        lines = [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()]
        return Steps([(line["end_ns"] - line["ms"] * 1e6, line["end_ns"]) for line in lines])

    def rate(self, begin_ns: float, end_ns: float) -> float:
        """Steps a second of work; NaN where there is none. A step counts by the part of it that lies there."""
        done = busy = 0.0
        for since, until in self.stretches[bisect.bisect_right(self.ends, begin_ns):]:
            if since >= end_ns:
                break
            inside = min(until, end_ns) - max(since, begin_ns)
            done += inside / max(until - since, 1.0)
            busy += inside
        return done / busy * S if busy > 0 else math.nan


def _untouched(spans: list[Span], begin: float, end: float) -> bool:
    return all(end <= since or begin >= until + SETTLING_S * S for since, until in spans)


def harm(steps: Steps, spans: list[Span], which: int) -> Harm:
    """Of disturbance `which`, against the undisturbed seconds around it."""
    begin, end = spans[which]
    length = max(end - begin, S)
    around: list[float] = []
    calm: list[float] = []
    first = begin - REFERENCE_S * S
    for number in range(int((end + 2 * REFERENCE_S * S - begin) // S)):
        since = first + number * S
        if _untouched(spans, since, since + S) and not math.isnan(rate := steps.rate(since, since + S)):
            calm.append(rate)
        if _untouched(spans, since, since + length) and not math.isnan(rate := steps.rate(since, since + length)):
            around.append(rate)
    during = steps.rate(begin, end)
    if len(calm) < 5 or math.isnan(during):
        return Harm(math.nan, math.nan)
    usual = statistics.median(calm)
    # Stretches of the disturbance's own length say best how far their mean strays; where there are few, seconds do.
    others = around if len(around) >= 5 else calm
    spread = MEAN_TO_SIGMA * statistics.mean(abs(one - usual) for one in others)
    return Harm(1 - during / usual, spread / usual)
