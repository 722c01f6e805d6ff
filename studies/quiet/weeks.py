"""Host-weeks, resampled from minutes that were recorded, and what they say of false findings.

A circular block bootstrap (Politis and Romano 1992): a week is made of blocks of adjacent minutes of one recording, each
minute as likely as any other, until it has 168 hours in which all was well. So what comes in a bunch stays together.

Weeks show how much one week differs from another if the rate is as recorded. How well that rate is known is another
question: samples as large as the recordings, made of blocks in the same way, say that. Of a count that is 0 neither says
anything, so each count has its exact Poisson interval, too, which in turn takes findings to come by themselves.
"""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

import folders  # noqa: F401 first: it knows where the other studies are
import judging
from intervals import poisson

S = 1_000_000_000
MINUTE_S = 60.0
WEEK_S = 7 * 86_400.0
WEEK_H = WEEK_S / 3600
BLOCKS = (5, 10, 20)  # minutes
TAILS = (5, 95)  # per cent
SAMPLES = 1000


@dataclasses.dataclass(frozen=True)
class Minutes:
    """Of recordings, minute by minute: seconds in which all was well, false findings that began, those by chance."""
    well_s: np.ndarray
    false: np.ndarray
    chance: np.ndarray  # NaN: the recording does not say
    lengths: tuple[int, ...]  # of each recording, in minutes; they follow one another


def minutes_of(one: judging.Judged) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    count = max(1, math.ceil(one.seconds / MINUTE_S))
    well, false = np.zeros(count), np.zeros(count)
    for i in range(count):
        begin, end = i * MINUTE_S, min((i + 1) * MINUTE_S, one.seconds)
        begin_ns, end_ns = one.begin_ns + round(begin * S), one.begin_ns + round(end * S)
        well[i] = max(0.0, end - begin - judging.overlap(one.away, begin_ns, end_ns))
    for shown in one.shown:
        if shown.false:
            minute = int((shown.finding["begin_ns"] - one.begin_ns) / S // MINUTE_S)
            false[min(max(minute, 0), count - 1)] += 1
    # What chance makes is told for the whole recording, whatever of it was disturbed.
    share = math.nan if one.by_chance is None or one.seconds <= 0 else one.by_chance / one.seconds
    return well, false, well * share


def minutes(judged: Sequence[judging.Judged]) -> Minutes:
    parts = [minutes_of(one) for one in judged]
    well, false, chance = (np.concatenate([part[i] for part in parts]) for i in range(3))
    return Minutes(well, false, chance, tuple(len(part[0]) for part in parts))


def resample(of: Minutes, well_s: float, times: int, block: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """So many times as many blocks as hold so many seconds in which all was well: the false findings of each, and those
    that chance is expected to make, as the recordings say. NaN if less than a minute in all was well."""
    lengths = np.array(of.lengths)
    used = np.minimum(lengths, block)
    # Long recordings give long blocks: so weighted, each minute is in as many blocks as any other.
    weights = lengths / used / np.sum(lengths / used)
    first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    mean_s = float(np.sum(weights * used * np.array([of.well_s[a:a + n].mean() for a, n in zip(first, lengths, strict=True)])))
    false, chance = np.full(times, np.nan), np.full(times, np.nan)
    if of.well_s.sum() < MINUTE_S:
        return false, chance
    draw = np.random.default_rng(seed)
    for time in range(times):
        indexes = np.zeros(0, dtype=int)
        while of.well_s[indexes].sum() < well_s:
            which = draw.choice(len(lengths), size=int(well_s / mean_s) + 10, p=weights)
            starts = draw.integers(0, lengths[which])
            offsets = np.arange(block)
            places = first[which][:, None] + (starts[:, None] + offsets) % lengths[which][:, None]
            indexes = np.concatenate([indexes, places[offsets < used[which][:, None]]])
        until = int(np.searchsorted(np.cumsum(of.well_s[indexes]), well_s)) + 1
        false[time], chance[time] = of.false[indexes[:until]].sum(), of.chance[indexes[:until]].sum()
    return false, chance


@dataclasses.dataclass(frozen=True)
class Told:
    """Of some recordings, per host-week unless said otherwise."""
    hours: float  # recorded
    well_h: float  # in which all was well
    false: int  # findings, in these hours
    rate: float
    poisson: tuple[float, float]  # 95 %, exact
    resampled: tuple[float, float]  # of the rate: what 5 % and 95 % of samples as large as the recordings are below
    weeks: tuple[float, float, float]  # of weeks with this rate: the mean, and what 5 % and 95 % of them are below
    chance: float  # NaN: no recording says
    chance_resampled: tuple[float, float]
    chance_unknown: int  # recordings that do not say
    recordings: int

    @property
    def covers(self) -> str:
        """How what chance is said to make compares with what was found."""
        if math.isnan(self.chance):
            return "not said"
        low, high = self.poisson
        return "covered" if low <= self.chance <= high else "too low" if self.chance < low else "too high"


def weekly(count: float, hours: float) -> float:
    return count * WEEK_H / hours if hours > 0 else math.nan


def tell(judged: Sequence[judging.Judged], weeks: int, block: int, seed: int) -> Told:
    """Of recordings, at least one. Findings by chance are those of the recordings that say."""
    says = [one for one in judged if one.by_chance is not None]
    all_minutes = minutes(judged)
    well_s, count = float(all_minutes.well_s.sum()), int(all_minutes.false.sum())
    well_h = well_s / 3600
    false, _ = resample(all_minutes, WEEK_S, weeks, block, seed)
    as_large, _ = resample(all_minutes, well_s, SAMPLES, block, seed)
    low, high = poisson(count)
    chance, spread = math.nan, (math.nan, math.nan)
    if says:
        known = minutes(says)
        chance = weekly(known.chance.sum(), known.well_s.sum() / 3600)
        spread = tuple(np.percentile(resample(known, WEEK_S, weeks, block, seed)[1], TAILS))
    return Told(sum(one.seconds for one in judged) / 3600, well_h, count, weekly(count, well_h),
                (weekly(low, well_h), weekly(high, well_h)),
                tuple(weekly(one, well_h) for one in np.percentile(as_large, TAILS)),
                (float(np.mean(false)), *map(float, np.percentile(false, TAILS))),
                chance, spread, len(judged) - len(says), len(judged))
