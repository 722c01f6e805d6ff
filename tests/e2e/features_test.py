"""reveal features: every feature is what its definition says, of windows of all lengths and sorts."""

import csv
import io
import json
import math
import os
import pathlib
import unittest
from fractions import Fraction

import numpy as np

from feature_definitions import FEATURES, FEATURES_OF_TWO
from reveal_process import REPOSITORY, RevealTest

USAGE = 2
TOO_LITTLE = 3
TOLERANCE = 1e-9
# What tsfresh itself computed, where the checkout has it (CONTRIBUTING.md).
GOLDEN = pathlib.Path(os.environ.get(
    "REVEAL_TSFRESH_GOLDEN", REPOSITORY / "../shared/data/tsfresh_golden.jsonl"))


# Features that move when all samples do.
LEVELS = ("abs_energy", "absolute_maximum", "ar_coefficient__coeff_0_", "benford", "burstiness", "c3",
          "count_above__", "count_below__", "cwt_", "energy_ratio", "fft_agg", "friedrich",
          "index_mass", "max_langevin", "maximum", "mean_n_", "median", "minimum",
          "number_crossing_m__", "number_cwt", "quantile", "range_count", "root_mean", "sum_",
          "time_reversal", "value_count", "variation", *(
              f'fft_coefficient__attr_"{part}"__coeff_0' for part in ("real", "abs", "angle")),
          *(f'{line}linear_trend__attr_"intercept"' for line in ("", "agg_")))


SLOW = ("approximate", "augmented", "matrix", "number_cwt", "number_peaks", "sample_entropy")


def centered(x):
    """x - x[0] where that is exact and x lies far from zero, else x: numpy subtracts a rounded mean,
    which costs the reference seven digits at 1e9, and what ignores offsets has the same value."""
    moved = x - x[0]
    exact = all(Fraction(a) - Fraction(x[0]) == Fraction(d) for a, d in zip(x, moved))
    return moved if exact and abs(x[0]) > 100 * np.abs(moved).max() else x


def windows():
    """(name, samples) of what telemetry looks like, and of what breaks arithmetic."""
    draw = np.random.default_rng(20251026)
    for n in (2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 15, 16, 29, 30, 31, 50, 97, 100, 257, 600):
        ticks = np.arange(n, dtype=float)
        gauss = draw.normal(0, 1, n)
        yield f"noise {n}", 3 + 2 * gauss
        yield f"uniform {n}", draw.uniform(-5, 17, n)
        yield f"lognormal {n}", draw.lognormal(1, 1.5, n)
        yield f"walk {n}", np.cumsum(gauss)
        yield f"counts {n}", draw.poisson(2.5, n).astype(float)
        yield f"whole {n}", np.floor(draw.exponential(4, n))
        yield f"step {n}", np.where(ticks * 3 < n, 2.0, 5.0) + draw.normal(0, 0.1, n)
        yield f"ratio {n}", np.clip(0.9 + 0.05 * gauss, 0.0, 1.0)
        yield f"bursts {n}", np.where(draw.uniform(size=n) < 0.1, draw.uniform(1e4, 1e6, n), 0.0)
        yield f"bytes {n}", np.round(6e10 + 4096.0 * np.cumsum(draw.integers(-99, 100, n)))
        yield f"offset {n}", 1e9 + gauss
        yield f"minus offset {n}", -1e9 + 1e3 * gauss
        yield f"constant {n}", np.full(n, 2.5)
        yield f"large constant {n}", np.full(n, 1e9)
    yield "noise 10000", draw.normal(0, 1, 10_000)


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
            found = self.of_series({"x": x})["x"]
            for feature, definition in FEATURES.items():
                if len(x) == 10_000 and feature.startswith(SLOW):
                    continue  # these take minutes in Python, or all memory
                seen.add(feature)
                near = x if feature == "mean" or feature.startswith(LEVELS) else centered(x)
                want, got = float(definition(near)), found[feature]
                same = (math.isnan(want) and math.isnan(got)
                        or abs(got - want) <= TOLERANCE * abs(want) + rounding(feature, near, want))
                if not same and not self.is_arbitrary(feature, x, found):
                    wrong.append(f"{name} {feature}: {got!r}, by definition {want!r}")
        self.assertEqual(wrong, [])
        listed = {line for line in self.reveal("features", "--list").stdout.splitlines()
                  if line and not line.startswith((" ", "Profiles"))}
        self.assertEqual(listed - seen, set(), "have no definition here")

    def test_what_looks_back_takes_the_last_window_that_shares_no_tick(self):
        draw = np.random.default_rng(3)
        level = np.repeat([0.0, 0.4, 0.0, 3.0], 30)
        series = {"walk": np.cumsum(draw.normal(0, 1, 120)), "steps": level + draw.normal(0, 1, 120),
                  "counts": draw.poisson(1.5, 120).astype(float), "constant": np.full(120, 2.5)}
        length = 30
        for stride in (10, 30):
            rows = self.features(self.write("two", series), "--window", str(length), "--stride",
                                 str(stride), "--features", ",".join(FEATURES_OF_TWO))
            self.assertEqual(len(rows), len(series) * ((120 - length) // stride + 1))
            for row in rows:
                x = series[row["channel"]]
                begin = (row["begin_ns"] - rows[0]["begin_ns"]) // 100_000_000
                now, before = x[begin:begin + length], x[max(0, begin - length):begin]
                for feature, definition in FEATURES_OF_TWO.items():
                    if len(before) < length:
                        self.assertIsNone(row[feature], row)
                    else:
                        self.assertAlmostEqual(row[feature], definition(before, now), delta=1e-12)

    def test_the_configuration_file_chooses_unless_the_command_line_does(self):
        samples = self.write("one", {"x": np.arange(40.0)})
        config = self.folder / "reveal.toml"
        columns = {"window", "begin_ns", "end_ns", "channel"}
        for text, options, want in (
                ('["mean", "range"]', (), {"mean", "range"}),
                ('"minimal"', ("--features", "median"), {"median"})):
            config.write_text(f"[analysis]\nfeatures = {text}\n", encoding="utf-8")
            (row, *_) = self.features(samples, "--config", config, *options)
            self.assertEqual(set(row) - columns - {"sum_values"}, want)
        config.write_text("[analysis]\nfeatures = \"avarage\"\n", encoding="utf-8")
        out = self.reveal("features", samples, "--config", config)
        self.assert_status(out, USAGE)
        for part in ("reveal.toml, line 2", "avarage", "reveal features --list"):
            self.assertIn(part, out.stderr)

    def is_arbitrary(self, feature, x, found):
        """Is the answer rounding and nothing else? The phase of what is not there or lies at 180
        degrees, the shape of a spectrum of two lines, a test with as many parameters as samples, a
        comparison of equals."""
        if feature.startswith('fft_coefficient__attr_"angle"'):
            return (found[feature.replace('"angle"', '"abs"')] <= 1e-12 * np.abs(x).sum()
                    or abs(found[feature]) > 180 - 1e-9)
        if feature.startswith(("fft_aggregated", "fourier_entropy")):
            return len(x) < 5
        if feature.startswith("augmented"):
            alone = np.sum(x != np.median(x)) <= 1  # its lags are one another's
            return len(x) < 8 or alone
        if feature.startswith("linear_trend__attr_\"pvalue\""):
            return len(x) == 2
        return at_the_limit(feature, x)

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


def at_the_limit(feature, x):
    """Does the feature ask whether something exceeds a limit, and is it equal to it?"""
    name, _, limit = feature.partition("__r_")
    compared = {"ratio_beyond_r_sigma": (np.abs(x - np.mean(x)), np.std(x)),
                "symmetry_looking": (abs(np.mean(x) - np.median(x)), np.ptp(x)),
                "large_standard_deviation": (np.std(x), np.ptp(x))}.get(name)
    if compared is None:
        return False
    value, unit = compared
    return bool(np.any(np.abs(value - float(limit) * unit) <= 1e-12 * unit))


def rounding(feature, x, want):
    """How far numpy's sums may be off. A sum of n samples is off by some n eps of the largest, and
    what is made of deviations by as much of the largest in standard deviations: 1e-6 at 1e9 +- 1.
    """
    largest, spread = np.abs(x).max(), np.std(x)
    if spread == 0:
        return 1e-10
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
