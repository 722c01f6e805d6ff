"""A peer in numpy: how far a window lies from the windows that are most like it.

Features as the paper's (reference.py) of all metrics, standardized, none beyond LIMIT, in the
principal components that hold VARIANCE_KEPT; the score is the distance to the NEAREST-th window
that shares no sample with it. Of what was tried elsewhere on these sets it ranks best on ASD and
JumpStarter. It says nothing of what is to blame. Nothing here is Reveal's.
"""

import numpy as np

import measures
import reference
from scored import STRIDE, WINDOW, Scores
from series import Series

LIMIT = 10.0
VARIANCE_KEPT = 0.9
NEAREST = 20  # of the run's own windows,
NEAREST_TRAINED = 5  # where those of the training part are among them
AT_A_TIME = 500  # rows of the table of distances


def scores(series: Series, causal: bool, trained: bool = False) -> Scores:
    """A score a sample; with `trained`, windows of the training part count among the nearest. The
    flag is the highest percent."""
    begins, own = window_features(series.test)
    known = window_features(series.train)[1] if trained and series.train is not None else own[:0]
    z, _ = reference.standardized(np.concatenate([own, known]), "mean")
    u, size = reference.components(np.clip(z, -LIMIT, LIMIT), VARIANCE_KEPT)
    points = u * size
    far = distances(points[:len(own)], points, NEAREST_TRAINED if trained else NEAREST)
    samples = len(series.test)
    windows = np.stack([begins, begins + WINDOW], 1)
    score = measures.point_scores(windows, far, samples, causal)
    each = np.arange(samples)
    return Scores(np.stack([each, each + 1], 1), score, reference.above(score) > 0, None)


def window_features(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each window begins, and its features."""
    begins = np.arange(0, len(samples) - WINDOW + 1, STRIDE)
    return begins, reference.features(samples.astype(float), begins, limits=True)


def distances(own: np.ndarray, all_points: np.ndarray, nearest: int) -> np.ndarray:
    """Of each of `own`, which come first in `all_points`, to the nearest-th that shares no sample
    with it."""
    squares = (all_points**2).sum(1)
    place = np.arange(len(all_points))
    out = np.empty(len(own))
    for begin in range(0, len(own), AT_A_TIME):
        rows = np.arange(begin, min(begin + AT_A_TIME, len(own)))
        table = squares[rows][:, None] + squares[None] - 2 * own[rows] @ all_points.T
        near = np.abs(rows[:, None] - place[None]) * STRIDE < WINDOW
        table[near & (place < len(own))[None]] = np.inf
        out[rows] = np.partition(table, nearest - 1, axis=1)[:, nearest - 1]
    return np.sqrt(np.maximum(out, 0))
