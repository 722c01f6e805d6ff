"""Writes windows and their feature values as numpy and scipy compute them, one JSON object a line.

usage: features_golden.py OUTPUT

Each line holds `window`, `values` and `features` by tsfresh's name, NaN as the string "nan". The
values come from library functions; only where tsfresh or pandas put a rule of their own on top (their
absolute cut-offs for negligible spread) is that rule written out here.
"""

import json
import sys
from fractions import Fraction

import numpy as np
from scipy import stats

SIZES = [3, 4, 5, 10, 15, 30, 50, 100, 300, 600]
PANDAS_NEGLIGIBLE = 1e-14


def windows(rng):
    """Yields (name, samples) of what telemetry looks like, and of what breaks arithmetic."""
    for n in SIZES:
        ticks = np.arange(n, dtype=float)
        gauss = rng.standard_normal(n)
        yield f"gauss_{n}", gauss
        yield f"uniform_{n}", rng.uniform(-5, 17, n)
        yield f"lognormal_{n}", rng.lognormal(3, 1.5, n)
        yield f"walk_{n}", np.cumsum(gauss)
        yield f"counts_{n}", rng.poisson(2.5, n).astype(float)
        yield f"bursts_{n}", np.where(rng.uniform(size=n) < 0.1, rng.uniform(1e4, 1e6, n), 0.0)
        yield f"spike_{n}", np.where(ticks == n // 2, 41943.0, 120.0)
        yield f"step_{n}", np.where(ticks < n / 2, 10.0, 20.0)
        yield f"alternating_{n}", np.where(ticks % 2 == 0, 1.0, -1.0)
        yield f"sine_{n}", np.sin(ticks * 0.7 + 0.3)
        yield f"ramp_{n}", 3.5 * ticks - 7.0
        yield f"ratio_{n}", np.clip(0.9 + 0.05 * gauss, 0.0, 1.0)
        yield f"bytes_{n}", np.round(6e10 + 4096.0 * np.cumsum(rng.integers(-99, 100, n)))
        yield f"offset_1e9_{n}", 1e9 + gauss
        yield f"offset_minus_1e9_{n}", -1e9 + 1e3 * gauss
        yield f"tiny_{n}", 1e-12 * gauss
        yield f"constant_0.1_{n}", np.full(n, 0.1)
        yield f"constant_1e9_{n}", np.full(n, 1e9 + 0.1)


def centred_near_zero(x):
    """Returns x - x[0] where that is exact and x lies far from zero, else x.

    scipy subtracts a rounded mean, which costs the reference seven digits at an offset of 1e9. All
    features that use this ignore offsets, so the exact differences have the same value.
    """
    moved = x - x[0]
    exact = all(Fraction(a) - Fraction(x[0]) == Fraction(d) for a, d in zip(x, moved))
    far = abs(x[0]) > 100 * np.max(np.abs(moved))
    return moved if exact and far else x


def skewness(x):
    deviations = x - np.mean(x)
    if np.sum(deviations**2) < PANDAS_NEGLIGIBLE or abs(np.sum(deviations**3)) < PANDAS_NEGLIGIBLE:
        return 0.0
    return stats.skew(x, bias=False)


def kurtosis(x):
    n = len(x)
    if n < 4:
        return np.nan
    if (n - 2) * (n - 3) * np.sum((x - np.mean(x)) ** 2) ** 2 < PANDAS_NEGLIGIBLE:
        return 0.0
    return stats.kurtosis(x, bias=False)


def autocorrelation(x, lag):
    if np.isclose(np.var(x), 0):
        return np.nan
    deviations = x - np.mean(x)
    return np.mean(deviations[:-lag] * deviations[lag:]) / np.var(x)


def features(x):
    near = centred_near_zero(x)
    trend = stats.linregress(np.arange(len(x)), near)
    return {
        "mean": np.mean(x),
        "variance": np.var(near),
        "standard_deviation": np.std(near),
        "minimum": np.min(x),
        "maximum": np.max(x),
        "median": np.median(x),
        "skewness": skewness(near),
        "kurtosis": kurtosis(near),
        'linear_trend__attr_"slope"': trend.slope,
        'linear_trend__attr_"rvalue"': trend.rvalue,
        "autocorrelation__lag_1": autocorrelation(near, 1),
        "absolute_sum_of_changes": np.sum(np.abs(np.diff(x))),
        "mean_change": np.mean(np.diff(near)),
        "sum_values": np.sum(x),
    }


def plain(value):
    return "nan" if np.isnan(value) else float(value)


def main():
    with open(sys.argv[1], "w", encoding="ascii") as output:
        for name, x in windows(np.random.default_rng(20240607)):
            row = {"window": name, "values": [float(v) for v in x],
                   "features": {key: plain(value) for key, value in features(x).items()}}
            output.write(json.dumps(row, allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
