"""reveal explain: every figure that it prints is what numpy and the other commands say."""

import csv
import json
import re
import statistics
import unittest

import numpy as np

from made_telemetry import TelemetryTest, noise

USAGE = 2
BURST = slice(200, 215)
BURST_CHANNELS = (1, 2, 4, 5, 6)
NUMBER = r"(-?[\d.]+(?:e[+-]?\d+)?)"
FIGURE = NUMBER + r"(?: \([^)]*\))?"  # and the same with its unit, as a report has it
SHOWN = 1e-5  # six digits are
CALCULATED = {"mean": np.mean, "median": np.median, "maximum": np.max, "minimum": np.min,
              "sum_values": np.sum, "standard_deviation": np.std, "variance": np.var}


class ExplainTest(TelemetryTest):
    def setUp(self):
        super().setUp()
        samples = noise(1)
        samples[BURST, BURST_CHANNELS] += 40
        self.samples = samples
        self.recording = self.record("burst", samples)
        self.text = self.printed("explain", self.recording)

    def one(self, pattern):
        found = re.search(pattern, self.text)
        self.assertIsNotNone(found, f"{pattern} is not in\n{self.text}")
        return found.groups()

    def test_samples_are_those_that_were_recorded(self):
        (channel,) = self.one(r"1  The samples of load_(\d)")
        (window,) = self.one(r"in window (\d+),")
        printed = self.text.split("1  The samples")[1].split("2  The feature")[0].splitlines()[2:]
        shown = [float(word) for line in printed for word in line.split()]
        first = int(window) * 2  # 10 ticks every 2
        np.testing.assert_allclose(shown, self.samples[first:first + 10, int(channel)], rtol=SHOWN)

    def test_feature_is_numpys_of_those_samples(self):
        (channel,) = self.one(r"1  The samples of load_(\d)")
        (window,) = self.one(r"in window (\d+),")
        (feature,) = self.one(r"2  The feature (\S+)")
        of_window, of_samples = self.one(rf"of this window: {FIGURE}\n   of the samples above: {FIGURE}")
        first = int(window) * 2
        want = CALCULATED[feature](self.samples[first:first + 10, int(channel)])
        np.testing.assert_allclose([float(of_window), float(of_samples)], want, rtol=SHOWN)

    def test_usual_is_the_median_of_the_windows_outside(self):
        (channel,) = self.one(r"1  The samples of (load_\d)")
        (feature,) = self.one(r"2  The feature (\S+)")
        first, last = map(int, self.one(r"windows (\d+) to (\d+)\n"))
        rows = csv.DictReader(self.printed("features", self.recording, "--channels", channel, "--window", "10", "--stride", "2").splitlines())
        values = [float(row[feature]) for row in rows if not first <= int(row["window"]) <= last]
        count, median, mad = self.one(rf"over the (\d+) windows that are in no finding and no change\n   median {FIGURE}, "
                                      rf"median absolute deviation {FIGURE}")
        self.assertEqual(int(count), len(values))
        want = statistics.median(values)
        np.testing.assert_allclose(float(median), want, rtol=SHOWN)
        np.testing.assert_allclose(float(mad), statistics.median(abs(v - want) for v in values), rtol=SHOWN)

    def test_scores_are_those_of_reveal_scores(self):
        (window,) = self.one(r"in window (\d+),")
        table = self.scores(self.recording)
        row = int(window)
        for label, name in (("Subsystem burst", "subsystem_burst"), ("Robust outliers", "robust_outlier_share"), ("Outlier share", "outlier_share"),
                            ("PCA Mahalanobis", "pca_mahalanobis"), ("PCA residual", "pca_residual")):
            score, mean, limit, usual = map(float, self.one(
                rf"{label} +{NUMBER} +{NUMBER} +{NUMBER} +{NUMBER}  "))
            want = table[name]
            # 10 ticks every 2: five windows on either side share samples with it or touch it.
            around = want[row - 5:row + 6].mean()
            np.testing.assert_allclose(
                [score, mean, limit, usual],
                [want[row], around, table[f"{name}_limit"][row], np.median(want)], rtol=1e-3)
        flagging, of = map(int, self.one(r"(\d) of (\d) votes; 2 make"))
        self.assertEqual((flagging, of), (int(table["agreement"][row]), 6))

    def test_it_is_the_finding_of_the_report(self):
        (finding,) = json.loads(self.printed("analyze", self.recording, "--no-html", "--json"))["findings"]
        (claim,) = self.one(r"Finding 1 of 1: .*\n  (.*)\.\n")
        self.assertEqual(claim, finding["claim"])
        self.assertIn(f"The samples of {finding['claim_channel']}\n", self.text)

    def test_wrong_numbers_are_told(self):
        outcome = self.reveal("explain", self.recording, "2")
        self.assert_complains(outcome, USAGE, "there is no finding 2", "from 1 to 1")
        quiet = self.record("quiet", noise(2))
        outcome = self.reveal("explain", quiet)
        self.assert_complains(outcome, USAGE, "this run has no finding to explain")


if __name__ == "__main__":
    unittest.main()
