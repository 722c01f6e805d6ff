"""Whether two programs that read the same kernel at their own moments have read the same values."""

import dataclasses
from collections.abc import Sequence

from readings import Channel, Readings

S = 1_000_000_000
BUSY_NS = 200_000_000  # a program may have to wait for a processor between looking at the clock and reading
EXACT = 1e-9  # of a value: that of sums of doubles
# Of a gauge's values. One may move faster than it is read; one that is another metric, or in another unit, never fits.
LEAST_SHARE = 0.25

# What the other program adds while it reads: its own sockets and files, and those of the kernel's counters that are
# exact to some dozens a processor only.
ITS_OWN = {"network_used_sockets": 10.0, "memory_open_files": 256.0}


@dataclasses.dataclass(frozen=True)
class Value:
    """Of the other program, read between the two moments."""

    begin_ns: int
    end_ns: int
    value: float


@dataclasses.dataclass(frozen=True)
class Misfit:
    value: Value
    least: float
    most: float


@dataclasses.dataclass(frozen=True)
class Compared:
    channel: Channel
    kind: str
    values: int  # that could be compared
    fits: int
    is_zero: bool  # in both, all the time: then little is proven
    moved: bool
    misfit: Misfit | None  # the first

    @property
    def verdict(self) -> str:
        if self.values == 0:
            return "not compared"
        least = self.values if self.kind != "gauge" else LEAST_SHARE * self.values
        return "equal" if self.fits >= least else "different"


def bounds(kind: str, readings: Readings, value: Value, spare: float) -> tuple[float, float] | None:
    """Where the other program's value must lie. A counter only grows, so it lies between the readings just before and
    after. A gauge may go up and come back between two readings, so it is given a second more on both sides, and says
    nothing if it was not read in that time. None if there is nothing to compare with."""
    more = S if kind == "gauge" else BUSY_NS
    if kind == "gauge" and not readings.within(value.begin_ns - more, value.end_ns + more):
        return None
    near = readings.around(value.begin_ns - more, value.end_ns + more) or readings.around(value.begin_ns, value.end_ns)
    if not near:
        return None
    spare += EXACT * max(abs(one) for one in near)
    return min(near) - spare, max(near) + spare


def compare(channel: Channel, kind: str, quantum: float, readings: Readings, values: Sequence[Value]) -> Compared:
    # The kernel's idle time may step back by a tick.
    spare = ITS_OWN.get(channel[0], quantum if kind in ("counter", "event") else 0.0)
    compared = fits = 0
    misfit = None
    for value in values:
        limits = _static_bounds(readings) if kind == "static" else bounds(kind, readings, value, spare)
        if limits is None:
            continue
        compared += 1
        if limits[0] <= value.value <= limits[1]:
            fits += 1
        elif misfit is None:
            misfit = Misfit(value, *limits)
    seen = [one.value for one in values] + readings.values
    return Compared(channel, kind, compared, fits, not any(seen), len({one.value for one in values}) > 1, misfit)


def _static_bounds(readings: Readings) -> tuple[float, float] | None:
    """It is read at the begin, and holds from then on."""
    if not readings.values:
        return None
    spare = EXACT * abs(readings.values[0])
    return readings.values[0] - spare, readings.values[0] + spare
