"""reveal features: every feature is what its definition says, of windows of all lengths and sorts."""

import csv
import io
import json
import math
import os
import pathlib
import unittest

import numpy as np

from feature_definitions import FEATURES
from reveal_process import REPOSITORY, RevealTest

USAGE = 2
TOO_LITTLE = 3
TOLERANCE = 1e-9
# What tsfresh itself computed, where the checkout has it (CONTRIBUTING.md).
GOLDEN = pathlib.Path(os.environ.get(
    "REVEAL_TSFRESH_GOLDEN", REPOSITORY / "../shared/data/tsfresh_golden.jsonl"))


def windows():
    """Windows of whole numbers, as counters' rates are, and of real ones, of 2 to 600 samples."""
    draw = np.random.default_rng(20251026)
    for n in (2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 15, 16, 29, 30, 31, 50, 97, 100, 257, 600):
        yield f"noise{n}", draw.normal(3, 2, n)
        yield f"whole{n}", np.floor(draw.exponential(4, n))
        yield f"walk{n}", np.cumsum(draw.normal(0, 1, n))
        yield f"step{n}", np.where(np.arange(n) * 3 < n, 2.0, 5.0) + draw.normal(0, 0.1, n)
        yield f"constant{n}", np.full(n, 2.5)
    yield "noise10000", draw.normal(0, 1, 10_000)


class Features(RevealTest):
    maxDiff = None

    def write(self, name, columns):
        """Writes series of one length as a CSV file with a sample every 100 ms."""
        path = self.folder / f"{name}.csv"
        with open(path, "w", encoding="utf-8") as file:
            print("time_ns", *columns, sep=",", file=file)
            for t, row in enumerate(zip(*columns.values())):
                print(1_700_000_000_000_000_000 + t * 100_000_000, *map(repr, map(float, row)),
                      sep=",", file=file)
        return path

    def features(self, path, *options):
        out = self.reveal("features", path, "--format", "jsonl", *options)
        self.assert_status(out, 0)
        return [json.loads(line) for line in out.stdout.splitlines()]

    def of_series(self, series):
        """Features of all samples of each series, all of one length; NaN where undefined."""
        rows = self.features(self.write("series", series), "--window", "all", "--features", "full")
        return {row.pop("channel"): {name: math.nan if value is None else value
                                     for name, value in row.items()} for row in rows}

    def test_every_one_is_what_its_definition_says(self):
        wrong = []
        seen = set()
        for name, x in windows():
            found = self.of_series({name: x})[name]
            for feature, definition in FEATURES.items():
                if len(x) == 10_000 and feature.startswith(("augmented", "number_peaks")):
                    continue  # these take minutes in Python
                want, got = float(definition(x)), found[feature]
                seen.add(feature)
                same = (math.isnan(want) and math.isnan(got)
                        or abs(got - want) <= TOLERANCE * max(1.0, abs(want)))
                if not same and not self.is_arbitrary(feature, x, found):
                    wrong.append(f"{name} {feature}: {got!r}, by definition {want!r}")
        self.assertEqual(wrong, [])
        listed = {line for line in self.reveal("features", "--list").stdout.splitlines()
                  if line and not line.startswith((" ", "Profiles"))}
        self.assertEqual(listed - seen, set(), "have no definition here")

    def is_arbitrary(self, feature, x, found):
        """Is the answer rounding and nothing else? The phase of what is not there or lies at 180
        degrees, a share beyond where all samples lie, the shape of a spectrum of two lines, a test
        with as many parameters as samples."""
        if feature.startswith('fft_coefficient__attr_"angle"'):
            return (found[feature.replace('"angle"', '"abs"')] <= 1e-12 * np.abs(x).sum()
                    or abs(found[feature]) > 180 - 1e-9)
        if feature.startswith(("fft_aggregated", "fourier_entropy")):
            return len(x) < 5
        if feature.startswith("augmented"):
            return len(x) < 8
        return len(x) == 2 and feature.startswith(("linear_trend__attr_\"pvalue\"",
                                                   "ratio_beyond_r_sigma"))

    def test_golden_windows_of_tsfresh(self):
        if not GOLDEN.is_file():
            self.skipTest(f"{GOLDEN} is not there")
        wrong = []
        features = set()
        for line in GOLDEN.read_text().splitlines():
            window = json.loads(line)
            x = np.array(window["values"])
            found = self.of_series({"x": x})["x"]
            for feature, value in window["features"].items():
                features.add(feature)
                want, got = float(value), found[feature]
                same = (math.isnan(want) and math.isnan(got)
                        or abs(got - want) <= TOLERANCE * abs(want) + rounding(feature, x, want))
                if not (same or tsfresh_is_rounding(window["series"], feature)
                        or self.is_arbitrary(feature, x, found)):
                    wrong.append(f"{window['series']} {len(x)} {feature}: {got!r} tsfresh {want!r}")
        self.assertGreaterEqual(len(features), 166)
        self.assertEqual(wrong, [])


def rounding(feature, x, want):
    """How far numpy's sums may be off. A sum of n samples is off by some n eps of the largest, and
    what is made of deviations by as much of the largest in standard deviations: 1e-6 at 1e9 +- 1.
    """
    largest, spread = np.abs(x).max(), np.std(x)
    if spread == 0:
        return 1e-12
    steps = 10 * len(x) * np.finfo(float).eps
    power = 3 if feature.startswith(("c3", "time_rev")) else 2 if "welch" in feature else 1
    return steps * (largest ** power + largest / spread * max(1.0, abs(want)))


def tsfresh_is_rounding(series, feature):
    """Is what tsfresh says of this window only its own rounding?"""
    if series == "constant_0.1":
        # The mean of n times 0.1 is not 0.1 in numpy, so the constant varies.
        return True
    if feature.startswith("augmented"):
        # Residuals are zero, the level is lost beside the constant, or two lags are equally good.
        return series in ("linear", "alternating", "sine", "exp", "tiny", "offset_1e9",
                          "real:/proc/zoneinfo|nr_active_file|0@2210")
    if feature.startswith("agg_linear_trend"):
        return series == "sine" and "rvalue" in feature  # maxima that differ in their last bits
    return series == "linear" and feature.endswith('"stderr"')  # the root of 1 - r^2, where r is 1


if __name__ == "__main__":
    unittest.main()
