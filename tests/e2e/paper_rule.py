"""The paper's rule of pruning, with numpy, and samples to prune."""

import numpy as np


def correlated(seed, ticks=240):
    """Twelve channels made of four: some move together closely, some loosely, one not at all."""
    source = np.random.default_rng(seed)
    base = source.normal(0, 1, (ticks, 4))
    weights = np.random.default_rng(99).normal(0, 1, (4, 12))
    weights[:, 11] = 0
    return 50 + base @ weights + source.normal(0, 0.6, (ticks, 12))


def clusters_by_rule(r, names, threshold):
    """Kept channel -> those that it stands for, by their places; by priority. Imported channels have one rank."""
    others = ~np.eye(len(names), dtype=bool)
    variance = [np.var(r[i][others[i]]) for i in range(len(names))]
    out = {}
    for i in sorted(range(len(names)), key=lambda i: (-variance[i], names[i])):
        if all(abs(r[i, j]) <= threshold for j in out):
            out[i] = []
        else:
            out[max(out, key=lambda j: abs(r[i, j]))].append(i)
    return out


def kept_by_rule(r, names, threshold):
    """The places of the channels that are kept."""
    return list(clusters_by_rule(r, names, threshold))
