"""Writes feature matrices with what numpy and scikit-learn make of them, one JSON line each.

Values are representable as float32, for scikit-learn's trees compare float32 with the threshold.
"""

import json
import sys

import numpy as np
from scipy.stats import spearmanr
from sklearn.decomposition import PCA, IncrementalPCA
from sklearn.ensemble import IsolationForest
from sklearn.preprocessing import StandardScaler

SEEDS = range(5)
COMMON_CAUSES = 4


def overlapping(rng, windows, columns):
    """Each row shares two thirds with the next, as 3 s windows every 1 s do."""
    noise = rng.standard_normal((windows + 2, columns))
    return (noise[:-2] + noise[1:-1] + noise[2:]) / np.sqrt(3)


def run(rng, windows, columns, decimals=None):
    """Overlapping windows that follow a few common causes, with units of all sizes and a burst."""
    causes = overlapping(rng, windows, COMMON_CAUSES)
    x = causes @ rng.standard_normal((COMMON_CAUSES, columns)) + overlapping(rng, windows, columns)
    skewed = rng.random(columns) < 0.3
    x[:, skewed] = np.exp(x[:, skewed])
    x[windows // 2 : windows // 2 + 5, : columns // 4] += 4
    x = x * 10.0 ** rng.integers(-3, 7, columns) + 10.0 ** rng.integers(-3, 7, columns)
    if decimals is not None:
        x = np.round(x, decimals)
    return x.astype(np.float32).astype(np.float64)


def mahalanobis(z):
    pca = PCA(n_components=0.95, svd_solver="full").fit(z)
    t = pca.transform(z)
    return np.sqrt((t**2 / pca.explained_variance_).sum(axis=1)), int(pca.n_components_)


def residual(z):
    pca = PCA(n_components=0.95, svd_solver="full").fit(z)
    left = z - pca.inverse_transform(pca.transform(z))
    return np.abs(left).mean(axis=1).tolist()


def updated_axes(z):
    """Fitted on the first half, then told the second, with the components that the first needs."""
    half = len(z) // 2
    kept = PCA(n_components=0.95, svd_solver="full").fit(z[:half]).n_components_
    pca = IncrementalPCA(n_components=int(kept)).partial_fit(z[:half]).partial_fit(z[half:])
    return {
        "mean": pca.mean_.tolist(),
        "variances": pca.explained_variance_.tolist(),
        "axes": pca.components_.tolist(),
    }


def forest(x, seed):
    return IsolationForest(n_estimators=100, max_samples=min(256, len(x)), random_state=seed).fit(x)


def tree_arrays(estimator):
    tree = estimator.tree_
    leaf = tree.children_left < 0
    return {
        "feature": np.where(leaf, -1, tree.feature).tolist(),
        "threshold": np.where(leaf, 0.0, tree.threshold).tolist(),
        "left": tree.children_left.tolist(),
        "right": tree.children_right.tolist(),
        "node_samples": tree.n_node_samples.tolist(),
    }


def levels(x):
    """Of the standardized columns, all of them levels, for the run of the test has no features."""
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    far = np.abs(z - np.median(z, axis=0))
    mad = np.median(far, axis=0)
    width = np.percentile(z, 90, axis=0) - np.percentile(z, 10, axis=0)
    spread = np.where(mad > 0, np.maximum(1.4826 * mad, width / 2.5631), np.inf)
    return (far > 5 * spread).mean(axis=1).tolist()


def golden(name, x):
    z = StandardScaler().fit_transform(x)
    distance, components = mahalanobis(z)
    forests = [forest(x, seed) for seed in SEEDS]
    for estimator_columns in forests[0].estimators_features_:
        assert (estimator_columns == np.arange(x.shape[1])).all()
    scores = [-f.score_samples(x) for f in forests]
    between = [spearmanr(a, b)[0] for i, a in enumerate(scores) for b in scores[:i]]
    return {
        "run": name,
        "x": x.tolist(),
        "zscore": np.abs((x - x.mean(axis=0)) / x.std(axis=0)).mean(axis=1).tolist(),
        "robust_outlier_share": levels(x),
        "outlier_share": (np.abs((x - x.mean(axis=0)) / x.std(axis=0)) > 3).mean(axis=1).tolist(),
        "pca_mahalanobis": distance.tolist(),
        "components": components,
        "pca_residual": residual(z),
        "updated_axes": updated_axes(z),
        "subsample": forests[0].max_samples_,
        "trees": [tree_arrays(e) for e in forests[0].estimators_],
        "forest_scores": [s.tolist() for s in scores],
        "rank_agreement_between_seeds": float(np.mean(between)),
    }


def main(path):
    rng = np.random.default_rng(20240501)
    runs = {
        "wide: fewer windows than columns": run(rng, 60, 200),
        "tall: more windows than a subsample": run(rng, 400, 30),
        "rounded: many equal values": run(rng, 120, 60, decimals=0),
    }
    with open(path, "w", encoding="utf-8") as out:
        for name, x in runs.items():
            varying = x[:, x.std(axis=0) > 1e-6 * np.abs(x.mean(axis=0))]
            out.write(json.dumps(golden(name, varying)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
