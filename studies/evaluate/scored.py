"""Windows, and what a method says of them."""

import dataclasses

import numpy as np

WINDOW = 30  # samples
STRIDE = 10


@dataclasses.dataclass
class Scores:
    """What a method says of the windows of a series; arrays have a row a window."""

    windows: np.ndarray  # begin and end, half-open, in samples
    score: np.ndarray
    flag: np.ndarray  # bool
    shares: np.ndarray | None  # columns are metrics
    detectors: np.ndarray | None = None  # columns are detectors: their scores,
    mean_quantile: np.ndarray | None = None  # and their rank among all windows', 0 to 1, on average
