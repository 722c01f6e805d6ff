"""How well scores find labeled events: the measures that docs/how_to/evaluate.md explains.

Everywhere: `truth` is a boolean a sample, true inside events; `score` a number a sample, higher
where the sample is more anomalous, never NaN; `events` are half-open ranges of samples, in order
and apart. A measure that is undefined, for want of events say, is NaN.
"""

import math

import numpy as np

NAN = float("nan")
# Alarms with at most this many quiet samples between them are one alarm: nobody is called twice.
MERGED_GAP = 10
# Thresholds of a range curve (Paparrizos et al., VLDB 2022; the TSB-AD benchmark takes as many).
RANGE_THRESHOLDS = 250


def truth_of(events: list[tuple[int, int]], samples: int) -> np.ndarray:
    truth = np.zeros(samples, bool)
    for begin, end in events:
        truth[begin:end] = True
    return truth


# From windows to samples.

def point_scores(windows: np.ndarray, values: np.ndarray, samples: int,
                 causal: bool = False) -> np.ndarray:
    """A score a sample, of `values` a window; `windows` are rows of begin and end, half-open, with
    ends that rise.

    A sample has the mean of the windows that cover it, so it knows of what comes up to a window
    later. `causal`: that of the window that ended last, the sample itself included; before the
    first has ended, the lowest score. A sample that no window covers has the score of the one
    before it, at the beginning that of the one behind it.
    """
    if causal:
        last = np.searchsorted(windows[:, 1] - 1, np.arange(samples), side="right") - 1
        return np.where(last >= 0, values[last], values.min())
    # Sums of steps: linear however much windows overlap. Centered, for the sums cancel.
    center = values.mean()
    steps, covers = np.zeros(samples + 1), np.zeros(samples + 1, int)
    for edge, sign in ((0, 1), (1, -1)):
        np.add.at(steps, windows[:, edge], sign * (values - center))
        np.add.at(covers, windows[:, edge], sign)
    covers, sums = np.cumsum(covers)[:-1], np.cumsum(steps)[:-1]
    covered = np.flatnonzero(covers)
    nearest = np.maximum(np.searchsorted(covered, np.arange(samples), side="right") - 1, 0)
    return (sums[covered] / covers[covered])[nearest] + center


def point_flags(windows: np.ndarray, flags: np.ndarray, samples: int,
                causal: bool = False) -> np.ndarray:
    """Which samples lie in a flagged window; `causal`: of which the last window is flagged."""
    if causal:
        last = np.searchsorted(windows[:, 1] - 1, np.arange(samples), side="right") - 1
        return (last >= 0) & flags[last]
    return truth_of([tuple(window) for window in windows[flags]], samples)


# Ranking of samples.

def _curve(truth: np.ndarray, score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """True and false positives at each distinct score as the limit, from the highest on."""
    order = np.argsort(-score, kind="stable")
    last_of_tie = np.append(np.flatnonzero(np.diff(score[order])), len(score) - 1)
    true = np.cumsum(truth[order])[last_of_tie]
    return true, last_of_tie + 1 - true


def auc_pr(truth: np.ndarray, score: np.ndarray) -> float:
    """Average precision: the sum over thresholds of precision times the recall gained."""
    if not truth.any():
        return NAN
    true, false = _curve(truth, score)
    return float(np.sum(np.diff(true, prepend=0) * true / (true + false)) / truth.sum())


def auc_roc(truth: np.ndarray, score: np.ndarray) -> float:
    """The chance that a sample of an event scores above one outside; ties count one half."""
    if truth.all() or not truth.any():
        return NAN
    true, false = (np.append(0, count) for count in _curve(truth, score))
    return float(np.sum(np.diff(false) * (true[1:] + true[:-1]) / 2) / (true[-1] * false[-1]))


def best_f1(truth: np.ndarray, score: np.ndarray) -> float:
    """The best F1 of samples over all thresholds, without point adjustment."""
    if not truth.any():
        return NAN
    true, false = _curve(truth, score)
    return float(np.max(2 * true / (true + false + truth.sum())))


# Events and alarms.

def alarms(flags: np.ndarray) -> list[tuple[int, int]]:
    """Half-open ranges of flagged samples, those MERGED_GAP or less apart taken together."""
    flagged = np.flatnonzero(flags)
    if not len(flagged):
        return []
    breaks = np.flatnonzero(np.diff(flagged) > MERGED_GAP + 1)
    begins = flagged[np.append(0, breaks + 1)]
    ends = flagged[np.append(breaks, len(flagged) - 1)] + 1
    return list(zip(begins.tolist(), ends.tolist()))


def event_recall(events: list[tuple[int, int]], flags: np.ndarray) -> float:
    """The share of events with a flagged sample."""
    return float(np.mean([flags[b:e].any() for b, e in events])) if events else NAN


def false_alarms(truth: np.ndarray, flags: np.ndarray) -> int:
    """Alarms that meet no event. One that begins before an event or outlasts it is not false."""
    return sum(not truth[begin:end].any() for begin, end in alarms(flags))


def event_recall_at(events: list[tuple[int, int]], score: np.ndarray, allowed: float) -> float:
    """The best event recall over thresholds with at most `allowed` false alarms, from the highest
    score down to the first threshold that has more: below, alarms grow together, and a single one
    over the whole run would meet every event."""
    if not events:
        return NAN
    truth = truth_of(events, len(score))
    limit = np.inf
    for threshold in np.unique(score)[::-1]:
        if false_alarms(truth, score >= threshold) > allowed:
            break
        limit = threshold
    return float(np.mean([score[begin:end].max() >= limit for begin, end in events]))


# Volume under the surface.

def buffer_length(samples: np.ndarray) -> int:
    """The longest buffer for `vus_pr`: the period of the run's first metric, by the highest of the
    autocorrelation's peaks at lags up to 400, and 125 where that says nothing. As the TSB-AD
    benchmark has it, down to its bounds, for figures to be comparable."""
    x = samples[:20_000].astype(float)
    x = x - x.mean()
    if not x.any():
        return 125
    spectrum = np.fft.rfft(x, 2 * len(x))
    r = np.fft.irfft(spectrum * spectrum.conj())[:min(401, len(x))]
    r = r[3:]
    peaks = np.flatnonzero((r[1:-1] > r[:-2]) & (r[1:-1] > r[2:])) + 1
    if not len(peaks):
        return 125
    # Of equal peaks the last.
    peak = int(peaks[np.argsort(r[peaks], kind="stable")[-1]])
    return peak + 3 if 3 <= peak <= 300 else 125


def _softened(events: list[tuple[int, int]], samples: int, buffer: int) -> np.ndarray:
    """Labels that fall off on both sides of each event, over half a buffer."""
    label = np.zeros(samples)
    reach = np.arange(1, buffer // 2 + 1)
    slope = np.sqrt(1 - reach / buffer) if buffer else reach
    for begin, end in events:
        label[begin:end] = 1
        for places in (begin - reach, end - 1 + reach):
            inside = (places >= 0) & (places < samples)
            label[places[inside]] += slope[inside]
    return np.minimum(label, 1)


def _reaches(events: list[tuple[int, int]], buffer: int) -> list[tuple[int, int]]:
    """The events with their buffers, those that meet taken together."""
    joined: list[tuple[int, int]] = []
    for begin, end in events:
        begin, end = max(begin - buffer // 2, 0), end + buffer // 2
        if joined and begin < joined[-1][1]:
            begin, _ = joined.pop()
        joined.append((begin, end))
    return joined


def range_auc_pr(events: list[tuple[int, int]], score: np.ndarray, buffer: int) -> float:
    """The area under the precision-recall curve with labels softened over `buffer`, and recall
    times the share of events that are seen at all (Paparrizos et al., VLDB 2022, section 3)."""
    if not events:
        return NAN
    label = _softened(events, len(score), buffer)
    order = np.argsort(-score, kind="stable")
    descending = score[order]
    thresholds = descending[np.linspace(0, len(score) - 1, RANGE_THRESHOLDS).astype(int)]
    flagged = len(score) - np.searchsorted(descending[::-1], thresholds, side="left")

    true = np.cumsum(label[order])[flagged - 1]
    inside = truth_of(events, len(score))
    in_buffers = true - np.cumsum(inside[order])[flagged - 1]
    # Half of what of the buffers is flagged counts as to be found.
    recall = np.minimum(true / (inside.sum() + in_buffers / 2), 1)
    peaks = np.array([score[b:e].max() for b, e in _reaches(events, buffer)])
    seen = np.mean(peaks[:, None] >= thresholds, axis=0)
    return float(np.sum(np.diff(recall * seen, prepend=0.0) * true / flagged))


def vus_pr(events: list[tuple[int, int]], score: np.ndarray, longest_buffer: int) -> float:
    """The mean of `range_auc_pr` over all buffers from 0 to the longest: by how much an alarm may
    miss the labeled moments is not left to one guess."""
    return float(np.mean([range_auc_pr(events, score, buffer)
                          for buffer in range(longest_buffer + 1)]))


# Which metrics are named.

def event_shares(windows: np.ndarray, shares: np.ndarray, event: tuple[int, int]) -> np.ndarray:
    """A share a metric over an event: the mean over the windows that meet it, by how many of its
    samples they cover."""
    overlap = np.minimum(windows[:, 1], event[1]) - np.maximum(windows[:, 0], event[0])
    weights = np.maximum(overlap, 0)
    return weights @ shares / max(weights.sum(), 1)


def ranking(shares: np.ndarray) -> list[int]:
    """The metrics with a share, the largest first; of equals the earlier."""
    return [int(i) for i in np.argsort(-shares, kind="stable") if shares[i] > 0]


def hit_rate(ranked: list[int], causes: set[int], percent: int) -> float:
    """HitRate@P% (Su et al., OmniAnomaly, KDD 2019): the share of the causes that are among the
    floor(P% of their number) metrics ranked first."""
    if not causes:
        return NAN
    return len(causes.intersection(ranked[:percent * len(causes) // 100])) / len(causes)


def mean(values: list[float]) -> float:
    """The mean of those that are defined."""
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else NAN
