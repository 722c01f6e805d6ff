"""Netdata's way of marking unusual samples, as a peer that the lab and the trial score beside Reveal.

Each channel by itself, a sample a second: the last six of what remains after differences of one second and means
of three are a point, k-means with two centers is fitted on what is usual, and a sample is unusual if its mean
distance to the centers is 99 % or more of the way from the least to the greatest distance met in fitting. A
second is flagged if a share SHARE of the channels is unusual. Netdata fits on hours that came before; here a
fourth of the run is judged by what the other three taught, as Reveal's default does with its folds. The steps
and the numbers are those of Netdata's documentation of anomaly detection, but for SHARE, which has its best
result on the lab's own recordings (Netdata shows the share and leaves the limit to its user).
"""

import pathlib

import numpy as np
from sklearn.cluster import KMeans

import robust_z

LAG, SMOOTH, CENTERS, FAR, SHARE = 5, 3, 2, 0.99, 0.08
FOLDS = 4


def points_of(values: np.ndarray) -> np.ndarray:
    """Of samples x channels: samples x channels x (LAG + 1). The first samples' points repeat the first value."""
    changes = np.diff(values, axis=0, prepend=values[:1])
    smooth = np.stack([changes[max(0, row - SMOOTH + 1):row + 1].mean(axis=0) for row in range(len(changes))])
    padded = np.concatenate([np.repeat(smooth[:1], LAG, axis=0), smooth])
    return np.stack([padded[lag:lag + len(smooth)] for lag in range(LAG + 1)], axis=2)


def unusual(usual: np.ndarray, judged: np.ndarray) -> np.ndarray:
    """Whether each judged point of one channel is unusual by centers fitted on the usual points."""
    if len(np.unique(usual, axis=0)) < CENTERS:
        return np.zeros(len(judged), dtype=bool)  # constant: Netdata does not fit it
    model = KMeans(CENTERS, n_init=1, random_state=0).fit(usual)
    known = model.transform(usual).mean(axis=1)
    least, most = known.min(), known.max()
    return model.transform(judged).mean(axis=1) - least >= FAR * (most - least) if most > least else np.zeros(len(judged), bool)


def far_out(values: np.ndarray) -> np.ndarray:
    """Of samples x channels: which are unusual, each fourth of the run judged by the rest."""
    points = points_of(np.nan_to_num(values))
    out = np.zeros(values.shape, dtype=bool)
    for fold in np.array_split(np.arange(len(values)), FOLDS):
        rest = np.setdiff1d(np.arange(len(values)), fold)
        for channel in range(values.shape[1]):
            out[fold, channel] = unusual(points[rest, channel], points[fold, channel])
    return out


def analyze(reveal: pathlib.Path, recording: pathlib.Path, out: pathlib.Path) -> None:
    """Writes report.json of the recording to the folder `out`."""
    of = robust_z.means(reveal, recording, "--window", "1s")
    findings = robust_z.findings_in(of.begin_ns, of.end_ns, far_out(of.values), of.subsystem_of, SHARE)
    robust_z.write_report(out, of.begin_ns, findings)
