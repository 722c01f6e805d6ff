"""reveal scores: the table says what its detectors found, and what numpy and scikit-learn find."""

import csv
import json
import math
import unittest

import numpy as np
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest

from made_telemetry import START_S, TelemetryTest, noise


USAGE = 2
TOO_LITTLE = 3
# Of a run by itself; the first one, with two votes, as there are no pressure metrics.
DETECTORS = ("subsystem_burst", "robust_outlier_share", "outlier_share", "pca_mahalanobis", "pca_residual")
VOTES = {"subsystem_burst": 2}
OF_THE_PAPER = ("zscore", "pca_mahalanobis", "isolation_forest")
PAPER = ("--method", "paper", "--select", "all", "--contamination", "0.05")

# Windows of 10 ticks every 2, which is what recordings at 1 s are cut into unless asked otherwise.
LENGTH, STRIDE = 10, 2
BURST = range(200, 215)
BURST_CHANNELS = (2, 5)


def with_burst():
    samples = noise(1)
    samples[np.ix_(BURST, BURST_CHANNELS)] += 40
    return samples


def begins(ticks, length=LENGTH, stride=STRIDE):
    return range(0, ticks - length + 1, stride)


class Table(TelemetryTest):
    def setUp(self):
        super().setUp()
        self.recording = self.record("burst", with_burst())

    def test_rows_are_the_windows(self):
        table = self.scores(self.recording)
        first = np.array(begins(300))
        np.testing.assert_array_equal(table["window"], np.arange(first.size))
        np.testing.assert_array_equal(table["begin_ns"], (START_S + first) * 1e9)
        np.testing.assert_array_equal(table["end_ns"], (START_S + first + LENGTH) * 1e9)
        np.testing.assert_array_equal(table["missing_ticks"], np.zeros(first.size))

    def test_missing_ticks_are_counted(self):
        lost = (100, 101, 102)
        table = self.scores(self.record("gap", noise(1), without=lost))
        want = [sum(begin <= tick < begin + LENGTH for tick in lost) for begin in begins(300)]
        np.testing.assert_array_equal(table["missing_ticks"], want)

    def test_flagged_are_the_planted_windows(self):
        flags = self.scores(self.recording)["flag"]
        planted = [begin < BURST.stop and begin + LENGTH > BURST.start for begin in begins(300)]
        np.testing.assert_array_equal(flags, planted)

    def test_nothing_is_flagged_where_nothing_was_planted(self):
        self.assertEqual(self.scores(self.record("quiet", noise(2)))["flag"].sum(), 0)

    def test_shares_sum_to_1_and_planted_channels_lead(self):
        table = self.scores(self.recording, "--contributions")
        names = [name for name in table if name.startswith("share:")]
        self.assertEqual(names, [f"share:load_{i}" for i in range(8)])
        shares = np.array([table[name] for name in names])
        self.assertGreaterEqual(shares.min(), 0)
        np.testing.assert_allclose(shares.sum(axis=0), 1, atol=1e-12)
        leading = np.argsort(-shares[:, table["flag"] == 1], axis=0)[:2]
        for two in leading.T:
            self.assertEqual(set(two), set(BURST_CHANNELS))

    def test_score_is_agreement_and_mean_quantile(self):
        table = self.scores(self.recording)
        agreement = sum(VOTES.get(name, 1) * table[f"{name}_flag"] for name in DETECTORS)
        np.testing.assert_array_equal(table["agreement"], agreement)
        np.testing.assert_array_equal(table["flag"], agreement >= 2)
        for name in DETECTORS:
            own = table[name]
            np.testing.assert_allclose(table[f"{name}_quantile"],
                                       [np.mean(own <= score) for score in own], atol=1e-12)
        quantile = np.mean([table[f"{name}_quantile"] for name in DETECTORS], axis=0)
        np.testing.assert_allclose(table["score"], agreement + quantile, atol=1e-12)

    def test_limits_and_flags_are_those_of_the_document(self):
        table = self.scores(self.recording)
        multiplier = 1.4 * math.log(len(table["window"]) / 4, 3)
        columns = json.loads(self.printed("analyze", self.recording, "--json"))["analyzed"]["columns"]
        near = LENGTH // STRIDE
        for name in DETECTORS:
            own = table[name]
            means = np.array([own[max(i - near, 0):i + near + 1].mean() for i in range(len(own))])
            # One of the counted columns: of 8 channels the mean and the median, or all that vary.
            least = {"subsystem_burst": 0.25, "robust_outlier_share": 1 / 16, "outlier_share": 1 / columns}.get(name, 0)
            spread = max(self.usual(means, least)[1], 0.8 * self.usual(own)[1])
            limit = self.usual(means)[0] + multiplier * spread
            np.testing.assert_allclose(table[f"{name}_limit"], limit, rtol=1e-12)
            reach = own > np.dot(self.usual(own, least), [1, multiplier / 2])
            flags = self.spread(np.minimum(means, own) > limit, reach)
            flags[:5] = False  # warm-up
            np.testing.assert_array_equal(table[f"{name}_flag"], flags, name)

    @staticmethod
    def usual(scores, least=0):
        median, low = np.percentile(scores, [50, 15.8655])
        spread = median - low
        if spread <= 1e-9 * abs(median):
            spread = 1.253314 * np.abs(scores - median).mean()
        return median, max(spread, 1e-9 * abs(median), least)

    @staticmethod
    def spread(alarms, reach):
        flags = alarms.copy()
        for row in range(1, len(flags)):
            flags[row] |= flags[row - 1] & reach[row]
        for row in range(len(flags) - 2, -1, -1):
            flags[row] |= flags[row + 1] & reach[row]
        return flags

    def test_more_detectors_must_agree_where_asked_for(self):
        table = self.scores(self.recording, "--agreement", "3")
        np.testing.assert_array_equal(table["flag"], table["agreement"] >= 3)

    def test_those_detectors_vote_that_are_named(self):
        both = self.scores(self.recording, "--detectors", "pca_mahalanobis,robust_outlier_share")
        alone = self.scores(self.recording, "--detectors", "robust_outlier_share", "--agreement", "1")
        usual = self.scores(self.recording)
        for table in (both, alone):
            np.testing.assert_array_equal(table["robust_outlier_share"], usual["robust_outlier_share"])
            self.assertNotIn("isolation_forest", table)
        self.assertNotIn("pca_mahalanobis", alone)
        np.testing.assert_array_equal(both["pca_mahalanobis"], usual["pca_mahalanobis"])
        np.testing.assert_array_equal(alone["flag"], usual["robust_outlier_share_flag"])
        np.testing.assert_array_equal(both["flag"],
                                      usual["robust_outlier_share_flag"] + usual["pca_mahalanobis_flag"] == 2)

    def test_json_lines_say_the_same(self):
        table = self.printed("scores", self.recording, "--contributions")
        lines = self.printed("scores", self.recording, "--contributions", "--format", "jsonl")
        rows = [json.loads(line) for line in lines.splitlines()]
        texts = list(csv.DictReader(table.splitlines()))
        self.assertEqual([list(row) for row in rows], [list(row) for row in texts])
        for row, text in zip(rows, texts):
            self.assertEqual(row, {name: type(row[name])(cell) for name, cell in text.items()})

    def test_the_same_every_time_and_another_forest_with_another_seed(self):
        once = self.printed("scores", self.recording)
        self.assertEqual(self.printed("scores", self.recording), once)
        self.assertEqual(self.printed("scores", self.recording, "--seed", "1"), once)
        with_forest = ("--detectors", "zscore,pca_mahalanobis,isolation_forest")
        one = self.scores(self.recording, *with_forest)
        other = self.scores(self.recording, *with_forest, "--seed", "2")
        for name in ("zscore", "pca_mahalanobis"):
            np.testing.assert_array_equal(one[name], other[name])
        self.assertGreater(np.abs(one["isolation_forest"] - other["isolation_forest"]).max(), 0)

    def test_windows_in_ticks_are_windows_in_time(self):
        in_ticks = self.printed("scores", self.recording, "--window", "30", "--stride", "10")
        in_time = self.printed("scores", self.recording, "--window", "30s", "--stride", "10s")
        self.assertEqual(in_ticks, in_time)
        self.assertEqual(len(in_ticks.splitlines()), 1 + len(begins(300, 30, 10)))

    def test_a_part_of_the_time_and_of_the_channels(self):
        table = self.scores(self.recording, "--contributions", "--from", "+100s", "--channels",
                            "load_2", "--channels", "load_[67]")
        self.assertEqual(table["begin_ns"][0], (START_S + 100) * 1e9)
        self.assertEqual(len(table["window"]), len(begins(200)))
        self.assertEqual([name for name in table if name.startswith("share:")],
                         ["share:load_2", "share:load_6", "share:load_7"])


class PaperMethod(TelemetryTest):
    def setUp(self):
        super().setUp()
        self.recording = self.record("burst", with_burst())
        self.table = self.scores(self.recording, *PAPER)

    def matrix(self):
        """Standardized columns of the same windows, as `reveal features` has them."""
        text = self.printed("features", self.recording, "--features", "paper",
                            "--window", LENGTH, "--stride", STRIDE)
        windows = {}
        for row in csv.DictReader(text.splitlines()):
            values = list(row.values())[4:]
            windows.setdefault(int(row["window"]), []).extend(
                float(cell) if cell else math.nan for cell in values)
        x = np.array([windows[i] for i in range(len(windows))])
        x = x[:, np.isnan(x).mean(axis=0) <= 0.5]
        mean, deviation = np.nanmean(x, axis=0), np.nanstd(x, axis=0)
        varies = deviation > 1e-10 * np.abs(mean)
        return np.nan_to_num((x[:, varies] - mean[varies]) / deviation[varies])

    def test_flags_what_lies_above_the_percentile(self):
        self.assertNotIn("outlier_share", self.table)
        for name in OF_THE_PAPER:
            limit = np.percentile(self.table[name], 95)
            np.testing.assert_allclose(self.table[f"{name}_limit"], limit, rtol=1e-12)
            np.testing.assert_array_equal(self.table[f"{name}_flag"], self.table[name] > limit)
            self.assertEqual(self.table[f"{name}_flag"].sum(), 8)  # 5 % of 146

    def test_mean_absolute_z_score(self):
        want = np.abs(self.matrix()).mean(axis=1)
        np.testing.assert_allclose(self.table["zscore"], want, rtol=1e-9)

    def test_mahalanobis_distance_in_principal_components(self):
        x = self.matrix()
        pca = PCA(n_components=0.95, svd_solver="full").fit(x)
        want = np.sqrt((pca.transform(x) ** 2 / pca.explained_variance_).sum(axis=1))
        np.testing.assert_allclose(self.table["pca_mahalanobis"], want, rtol=1e-7)

    def test_forest_differs_from_another_as_two_seeds_do(self):
        x = self.matrix()
        forests = [-IsolationForest(n_estimators=100, random_state=seed).fit(x).score_samples(x)
                   for seed in range(10)]
        mean = np.mean(forests, axis=0)
        apart = max(np.abs(forest - mean).max() for forest in forests)
        self.assertLess(np.abs(self.table["isolation_forest"] - mean).max(), 2 * apart)

    def test_channels_that_move_together_are_pruned(self):
        samples = noise(4)
        samples[:, 1] = 2 * samples[:, 0] + noise(5)[:, 1] * 0.1
        recording = self.record("alike", samples)
        table = self.scores(recording, "--method", "paper", "--contributions")
        seen = {name.removeprefix("share:") for name in table if name.startswith("share:")}
        self.assertEqual(len(seen & {"load_0", "load_1"}), 1)
        self.assertLessEqual({f"load_{i}" for i in range(2, 8)}, seen)

    def test_any_detector_makes_a_finding(self):
        quiet = self.record("quiet", noise(3, 600))
        text = self.printed("analyze", quiet, "--method", "paper", "--no-html")
        report = json.loads((quiet / "report.json").read_text(encoding="utf-8"))
        flagged = {window for detector in report["detectors"] for window in detector["windows_flagged"]}
        self.assertEqual(flagged, {window["id"] for finding in report["findings"] for window in finding["windows"]})
        alone = [finding for finding in report["findings"] if len(finding["detectors"]) == 1]
        self.assertTrue(alone, "no finding of one detector: the test shows nothing")
        self.assertEqual(report["configuration"]["min_agreement"], 1)
        self.assertIsNone(report["analyzed"]["findings_by_chance"])
        self.assertIn("Each detector flags the 1 % of the windows that score highest", text)

    def test_more_may_be_asked_for(self):
        quiet = self.record("quiet", noise(3, 600))
        text = self.printed("analyze", quiet, "--method", "paper", "--agreement", "3", "--window", "10", "--stride", "5",
                            "--no-html")
        self.assertIn("at no time did the detectors reach 3 votes.\n", text)

    def test_what_is_given_beside_it_counts(self):
        table = self.scores(self.recording, *PAPER, "--threshold", "auto", "--warm-up", "5")
        for name in OF_THE_PAPER:
            np.testing.assert_array_equal(table[name], self.table[name])
            self.assertNotEqual(table[f"{name}_limit"][0], self.table[f"{name}_limit"][0])


class Causal(TelemetryTest):
    HALF = 150
    WINDOWS = ("--window", "10", "--stride", "2")

    def two_recordings(self):
        """Same first half; then other levels and spreads."""
        first = noise(7)
        second = first.copy()
        second[self.HALF:] = 900 + 30 * noise(8)[self.HALF:]
        return self.record("first", first), self.record("second", second)

    def rows_before_the_change(self, recording, *options):
        table = self.scores(recording, *self.WINDOWS, *options)
        before = table["end_ns"] <= (START_S + self.HALF) * 1e9
        self.assertGreater(before.sum(), 60)  # of which 30 are only learned from
        return {name: column[before] for name, column in table.items()}

    def test_what_comes_later_changes_nothing(self):
        recordings = self.two_recordings()
        for options in ((), ("--seed", "3", "--threshold", "off", "--contamination", "0.1")):
            one, other = (self.rows_before_the_change(recording, "--causal", *options)
                          for recording in recordings)
            for name, column in one.items():
                np.testing.assert_allclose(other[name], column, rtol=1e-6, err_msg=name)

    def test_without_it_the_future_counts(self):
        one, other = (self.rows_before_the_change(recording) for recording in self.two_recordings())
        self.assertGreater(np.abs(other["pca_mahalanobis"] - one["pca_mahalanobis"]).max(), 0.1)

    def test_the_change_is_flagged_when_it_comes_and_nothing_in_the_first_windows(self):
        _, second = self.two_recordings()
        table = self.scores(second, *self.WINDOWS, "--causal", "--warm-up", "0")
        self.assertEqual(table["agreement"][:30].sum(), 0)
        reached = table["end_ns"] > (START_S + self.HALF) * 1e9
        self.assertEqual(np.argmax(table["flag"]), np.argmax(reached))

    def test_quantiles_are_shares_of_what_was_before(self):
        first, _ = self.two_recordings()
        table = self.scores(first, *self.WINDOWS, "--causal")
        own = table["pca_residual"]
        for row in range(30, len(own)):
            self.assertAlmostEqual(table["pca_residual_quantile"][row], np.mean(own[:row] <= own[row]))

    def test_is_the_baseline_past(self):
        first, _ = self.two_recordings()
        self.assertEqual(self.printed("scores", first, *self.WINDOWS, "--causal"),
                         self.printed("scores", first, *self.WINDOWS, "--baseline", "past"))


class WrongInput(TelemetryTest):
    def test_is_refused_with_what_and_where(self):
        recording = self.record("quiet", noise(2))
        for words, status, parts in (
                (["--method", "pepar"], USAGE, ["--method", "pepar", "default, paper"]),
                (["--detectors", "zscore,oracle"], USAGE, ["--detectors", "oracle", "zscore"]),
                (["--detectors", "zscore"], USAGE, ["--agreement 2", "more than the 1 votes of the detectors"]),
                (["--detectors", "saturation"], USAGE, ["--detectors", "saturation needs pressure or error metrics", "name more"]),
                (["--format", "xml"], USAGE, ["--format xml", "csv, csv.gz, jsonl, parquet"]),
                (["--format", "prom"], USAGE, ["--format prom", "csv, csv.gz, jsonl, parquet"]),
                (["--window", "2500ms"], USAGE, ["--window", "multiple", "interval"]),
                (["--window", "2.5"], USAGE, ["--window 2.5", "number of ticks"]),
                (["--window", "0"], USAGE, ["--window 0"]),
                (["--stride", "11", "--window", "10"], USAGE, ["--stride", "longer"]),
                (["--contamination", "0.9"], USAGE, ["--contamination", "0.5"]),
                (["--threshold", "wide"], USAGE, ["--threshold wide"]),
                (["--causal", "--baseline", "run"], USAGE, ["--causal", "--baseline run"]),
                (["--window", "301"], TOO_LITTLE, ["0 windows", "20 are needed"]),
                (["--to", "+30s"], TOO_LITTLE, ["11 windows", "20 are needed"]),
                (["--causal", "--window", "20", "--stride", "10"], TOO_LITTLE,
                 ["29 windows", "first 30"])):
            with self.subTest(words=words):
                outcome = self.reveal("scores", recording, *words)
                self.assert_complains(outcome, status, *parts)
                self.assertEqual(outcome.stdout, "")

    def test_no_recording(self):
        self.assert_complains(self.reveal("scores", "nowhere"), 1, "nowhere", "no such directory")

    def test_no_file_is_left_behind(self):
        recording = self.record("short", noise(2, ticks=30))
        outcome = self.reveal("scores", recording, "-o", "scores.csv")
        self.assert_complains(outcome, TOO_LITTLE, "20 are needed")
        self.assertFalse((self.folder / "scores.csv").exists())


if __name__ == "__main__":
    unittest.main()
