"""The paper's pipeline in numpy and scikit-learn, to compare Reveal's with.

20 features of each metric in windows of 30 samples every 10, of the metrics that are left when of
those with |r| > 0.5 in the training samples one is kept; mean |z|, Mahalanobis distance and
Isolation Forest, fitted on the very windows that they score; and what two of them, or three, agree
on. Nothing here is Reveal's.
"""

import dataclasses

import numpy as np

import measures
from scored import STRIDE, WINDOW, Scores
from series import Series

CORRELATED = 0.5
VARIANCE_KEPT = 0.95
TREES = 100
TREE_WINDOWS = 256
PERCENTILE = 99
SEED = 0
FEATURES = 20
LEAST_VARIANCE = 1e-8
LEAST_SUM = 1e-14


class Missing(Exception):
    """What has to be installed."""


@dataclasses.dataclass(frozen=True)
class Conventions:
    """What the paper leaves open."""

    # Of metrics that move together which is kept: the first in the data, or that with the highest
    # coefficient of variation.
    keep: str  # "first" or "variation"
    # What an undefined feature counts as: 0, or its mean over the windows.
    undefined: str  # "zero" or "mean"
    # Whether windows that hardly move count as constant: for autocorrelation below tsfresh's
    # limit on the variance, for skewness and kurtosis below pandas' on sums of powers.
    limits: bool
    # Where a detector votes: for samples whose score is in its highest percent, or for windows.
    votes: str  # "samples" or "windows"


# What was measured before, as closely as its description goes.
MEASURED = Conventions(keep="first", undefined="zero", limits=False, votes="samples")
# What `reveal scores --method paper` documents.
REVEAL = Conventions(keep="variation", undefined="mean", limits=True, votes="windows")


def scores(series: Series, conventions: Conventions, causal: bool) -> Scores:
    """A score a sample: votes, and among equals the mean rank of the three detectors. The flag is
    two votes; shares are the metrics' largest |z|."""
    samples = len(series.test)
    kept = selected(series.test if series.train is None else series.train, conventions.keep)
    begins = np.arange(0, samples - WINDOW + 1, STRIDE)
    windows = np.stack([begins, begins + WINDOW], 1)
    values = features(series.test[:, kept], begins, conventions.limits)
    z, columns = standardized(values, conventions.undefined)
    detectors = [np.abs(z).mean(1), mahalanobis(z), isolation_forest(z)]

    def of_samples(values: np.ndarray) -> np.ndarray:
        return measures.point_scores(windows, values, samples, causal)

    mean_rank = np.mean([quantiles(score) for score in detectors], axis=0)
    if conventions.votes == "windows":
        votes = sum(above(score) for score in detectors)
        score = of_samples(votes + mean_rank)
        flag = measures.point_flags(windows, votes >= 2, samples, causal)
    else:
        votes = sum(above(of_samples(score)) for score in detectors)
        score, flag = votes + of_samples(mean_rank), votes >= 2
    shares = np.zeros((len(begins), series.test.shape[1]))
    for place, metric in enumerate(kept):
        mine = columns // FEATURES == place
        if mine.any():
            shares[:, metric] = np.abs(z[:, mine]).max(1)
    each = np.arange(samples)
    by_sample = np.stack([of_samples(share) for share in shares.T], 1)
    return Scores(np.stack([each, each + 1], 1), score, flag, by_sample)


def selected(samples: np.ndarray, keep: str) -> list[int]:
    """The columns that are kept, in the order in which they were visited."""
    deviation = samples.std(0)
    moving = np.flatnonzero(deviation > 1e-12 * np.abs(samples).max(0))
    if keep == "variation":
        with np.errstate(divide="ignore", invalid="ignore"):
            moving = moving[np.argsort(-(deviation / np.abs(samples.mean(0)))[moving],
                                       kind="stable")]
    r = np.abs(np.atleast_2d(np.corrcoef(samples[:, moving].T)))
    kept: list[int] = []
    for column in range(len(moving)):
        if all(r[column, other] <= CORRELATED for other in kept):
            kept.append(column)
    return [int(moving[column]) for column in kept]


def features(samples: np.ndarray, begins: np.ndarray, limits: bool) -> np.ndarray:
    """The features of each window and metric, windows x metrics x FEATURES; NaN where undefined."""
    n = WINDOW
    x = np.lib.stride_tricks.sliding_window_view(samples, n, axis=0)[begins]
    mean = x.mean(-1)
    d = x - mean[..., None]
    variance = (d * d).mean(-1)
    constant = np.ptp(x, axis=-1) == 0
    step = np.diff(x, axis=-1)
    t = np.arange(n) - (n - 1) / 2
    along = d @ t
    with np.errstate(divide="ignore", invalid="ignore"):
        # Adjusted for the size of the sample, as pandas has them.
        cubes = (d**3).mean(-1)
        skewness = cubes / variance**1.5 * np.sqrt(n * (n - 1)) / (n - 2)
        excess = (d**4).mean(-1) / variance**2 - 3
        kurtosis = ((n + 1) * excess + 6) * (n - 1) / ((n - 2) * (n - 3))
        r = along / np.sqrt(t @ t * n * variance)
        forgets = constant | (limits & (variance <= LEAST_VARIANCE))
        memory = [np.where(forgets, np.nan, (d[..., lag:] * d[..., :-lag]).mean(-1) / variance)
                  for lag in (1, 2, 3)]
    flat = np.minimum(n * variance, n * np.abs(cubes)) < LEAST_SUM
    level = (n - 2) * (n - 3) * (n * variance) ** 2 < LEAST_SUM
    q25, median, q75 = np.quantile(x, [0.25, 0.5, 0.75], axis=-1)
    return np.stack([
        mean, variance, np.sqrt(variance), x.min(-1), x.max(-1), median,
        np.where(constant | (limits & flat), 0, skewness),
        np.where(constant | (limits & level), 0, kurtosis), along / (t @ t),
        np.where(constant, 0, r), *memory, (x * x).sum(-1), np.abs(step).sum(-1), step.mean(-1),
        np.sqrt((x * x).mean(-1)), q25, q75, np.ptp(x, axis=-1)], -1)


def standardized(values: np.ndarray, undefined: str) -> tuple[np.ndarray, np.ndarray]:
    """z of each window and column that varies, and which columns these are."""
    flat = values.reshape(len(values), -1)
    if undefined == "zero":
        flat = np.nan_to_num(flat, nan=0.0)
    defined = ~np.isnan(flat)
    counts = np.maximum(defined.sum(0), 1)
    mean = np.where(defined, flat, 0).sum(0) / counts
    deviation = np.sqrt((np.where(defined, flat - mean, 0) ** 2).sum(0) / counts)
    usable = (deviation > 1e-10 * np.abs(mean)) & (defined.mean(0) >= 0.5)
    z = np.where(defined, flat - mean, 0)[:, usable] / deviation[usable]
    return z, np.flatnonzero(usable)


def mahalanobis(z: np.ndarray) -> np.ndarray:
    """The distance in the principal components that hold VARIANCE_KEPT."""
    u, _ = components(z, VARIANCE_KEPT)
    return np.sqrt((u**2).sum(1) * (len(z) - 1))


def components(z: np.ndarray, variance_kept: float) -> tuple[np.ndarray, np.ndarray]:
    """The coordinates of unit length, and the sizes, of the fewest principal components that hold
    more than that share of the variance."""
    u, size, _ = np.linalg.svd(z - z.mean(0), full_matrices=False)
    share = np.cumsum(size**2) / np.sum(size**2)
    kept = int(np.searchsorted(share, variance_kept, side="right")) + 1
    return u[:, :kept], size[:kept]


def isolation_forest(z: np.ndarray) -> np.ndarray:
    try:
        from sklearn.ensemble import IsolationForest
    except ImportError as error:
        raise Missing("the reference needs scikit-learn: apt-get install python3-sklearn, "
                      "and Debian's /usr/bin/python3") from error
    forest = IsolationForest(n_estimators=TREES, max_samples=min(TREE_WINDOWS, len(z)),
                             random_state=SEED)
    return -forest.fit(z).score_samples(z)


def quantiles(score: np.ndarray) -> np.ndarray:
    """The share of scores that are no higher."""
    return np.searchsorted(np.sort(score), score, side="right") / len(score)


def above(score: np.ndarray) -> np.ndarray:
    return (score > np.percentile(score, PERCENTILE)).astype(int)
