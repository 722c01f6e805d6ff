"""reveal study cv, variance and anova: the figures are those of numpy and scipy, of the means and variances of the
samples of each run."""

import json
import unittest

import numpy as np
import scipy.stats

from made_telemetry import START_S, TelemetryTest

TOO_LITTLE = 3
CHANNELS = 5


class WorkloadStudyTest(TelemetryTest):
    def setUp(self):
        super().setUp()
        self.runs = {}  # by workload: samples of each run
        self.words = []
        for place, (workload, count) in enumerate((("bert", 3), ("vit", 4), ("lone", 1))):
            self.runs[workload] = [self.samples(place, 10 * place + i) for i in range(count)]
            for i, samples in enumerate(self.runs[workload]):
                self.words.append(f"{workload}={self.record(f'{workload}{i}', samples)}")

    def samples(self, place, seed):
        """load_0 tells workloads apart, load_1 does not, load_2 stands still in each run, load_3 in all, load_4 is
        counted from far away."""
        source = np.random.default_rng(seed)
        out = source.normal(50, 2, (120 + 30 * place + 7 * (seed % 3), CHANNELS))
        out[:, 0] += 9 * place + source.normal(0, 1)
        out[:, 1] += source.normal(0, 3)
        out[:, 2] = 4 + 2 * place
        out[:, 3] = 7
        out[:, 4] += 1e9 + 5 * place
        return out

    def studied(self, name, *words):
        return json.loads(self.printed("study", name, *words, "--json"))

    def rows(self, name, *words):
        """By channel (and workload): the row of the table of channels; and all that was printed."""
        found = self.studied(name, *words)
        keys = ("channel", "workload") if name == "cv" else ("channel",)
        return {tuple(row[key] for key in keys): row for row in found["tables"]["channels"]}, found

    def means(self, channel):
        return {workload: [samples[:, channel].mean() for samples in runs] for workload, runs in self.runs.items()}

    def assert_figures(self, row, want, rtol=1e-9):
        for key, value in want.items():
            if value is None:
                self.assertIsNone(row[key], key)
            else:
                np.testing.assert_allclose(row[key], value, rtol=rtol, err_msg=key)


class Anova(WorkloadStudyTest):
    def test_f_and_p_are_scipys(self):
        rows, found = self.rows("anova", *self.words)
        self.assertEqual(set(rows), {(f"load_{i}",) for i in (0, 1, 2, 4)})
        significant, shares = 0, []
        for channel in (0, 1, 4):
            groups = list(self.means(channel).values())
            with np.errstate(all="ignore"):
                want = scipy.stats.f_oneway(*groups)
            everything = np.concatenate(groups)
            grand = everything.mean()
            between = sum(len(group) * (np.mean(group) - grand) ** 2 for group in groups)
            shares.append(between / ((everything - grand) ** 2).sum())
            significant += want.pvalue < 0.05
            # Means near 1e9 have 7 digits behind the point, of which scipy's sums lose more.
            self.assert_figures(rows[f"load_{channel}",], {
                "f": want.statistic, "p": want.pvalue, "eta2": shares[-1], "runs": 8, "workloads": 3},
                rtol=1e-4 if channel == 4 else 1e-9)
        self.assertLess(rows["load_0",]["p"], 1e-4)
        self.assertGreater(rows["load_1",]["p"], 0.05)
        self.assert_figures(rows["load_2",], {"f": None, "p": 0, "eta2": 1, "runs": 8, "workloads": 3}, rtol=0)
        (everything, _) = found["tables"]["subsystems"]
        self.assert_figures(everything, {"channels": 4, "tested": 4, "share_significant": (significant + 1) / 4,
                                         "median_eta2": np.median([*shares, 1])}, rtol=1e-4)
        self.assertEqual([row["channel"] for row in found["tables"]["channels"]][0], "load_2")
        self.assertIn("Workloads: bert (3 runs), vit (4 runs), lone (1 run).", found["notes"])

    def test_a_channel_that_some_runs_lack(self):
        extra = np.random.default_rng(3).normal(20, 1, (80, 2))
        words = [*self.words, f"bert={self.record('more', extra, channels=['load_0', 'rare'])}"]
        rows, _ = self.rows("anova", *words)
        groups = self.means(0)
        groups["bert"].append(extra[:, 0].mean())
        want = scipy.stats.f_oneway(*groups.values())
        self.assert_figures(rows["load_0",], {"f": want.statistic, "p": want.pvalue, "runs": 9})
        self.assert_figures(rows["rare",], {"f": None, "p": None, "workloads": 1, "runs": 1})

    def test_too_few(self):
        bert = [word for word in self.words if word.startswith("bert=")]
        for words, said in ((bert, "one workload"), ([self.words[0], self.words[3]], "each workload has one run")):
            self.assert_complains(self.reveal("study", "anova", *words), TOO_LITTLE, said)


class CoefficientOfVariation(WorkloadStudyTest):
    def test_figures_are_scipys(self):
        rows, found = self.rows("cv", *self.words)
        self.assertEqual({key[1] for key in rows}, {"bert", "vit"})  # one run does not vary
        by_workload = {}
        for channel in (0, 1, 2, 4):
            for workload in ("bert", "vit"):
                means = self.means(channel)[workload]
                cv = scipy.stats.variation(means)
                by_workload.setdefault(workload, []).append(cv)
                self.assert_figures(rows[f"load_{channel}", workload], {
                    "runs": len(means), "mean": np.mean(means), "standard_deviation": np.std(means), "cv": cv},
                    rtol=1e-4 if channel == 4 else 1e-9)
        workloads = {row["workload"]: row for row in found["tables"]["workloads"]}
        for workload, variations in by_workload.items():
            self.assert_figures(workloads[workload], {
                "runs": len(self.runs[workload]), "channels": 4, "median_cv": np.median(variations),
                "share_steady": np.mean(np.less(variations, 0.1))}, rtol=1e-4)
        self.assertEqual(workloads["lone"]["channels"], 0)
        order = [row["cv"] for row in found["tables"]["channels"]]
        self.assertEqual(order, sorted(order, reverse=True))

    def test_of_a_mean_of_zero_it_is_undefined(self):
        recordings = [self.record(f"zero{i}", np.tile([[one, 1], [-one, 2]], (40, 1))) for i, one in enumerate((3, 4))]
        rows, _ = self.rows("cv", *(f"w={one}" for one in recordings))
        self.assertIsNone(rows["load_0", "w"]["cv"])

    def test_single_runs_cannot_vary(self):
        self.assert_complains(self.reveal("study", "cv", self.words[0], self.words[3]), TOO_LITTLE, "one run")


class Variance(WorkloadStudyTest):
    def test_it_is_the_sum_of_its_parts(self):
        rows, found = self.rows("variance", *self.words)
        for channel in (0, 1, 2, 4):
            means = self.means(channel)
            every = np.concatenate(list(means.values()))
            within = np.mean([samples[:, channel].var() for runs in self.runs.values() for samples in runs])
            between_runs = np.mean([(m - np.mean(own)) ** 2 for own in means.values() for m in own])
            between_workloads = np.mean([(np.mean(own) - every.mean()) ** 2 for own in means.values() for _ in own])
            total = within + every.var()
            np.testing.assert_allclose(total, within + between_runs + between_workloads, rtol=1e-4)
            self.assert_figures(rows[f"load_{channel}",], {
                "runs": 8, "mean": every.mean(), "variance": total, "within_runs": within / total,
                "between_runs": between_runs / total, "between_workloads": between_workloads / total,
                "relative_deviation": np.sqrt(total) / abs(every.mean())}, rtol=1e-4 if channel == 4 else 1e-9)
        everything = found["tables"]["subsystems"][0]
        for key in ("within_runs", "between_runs", "between_workloads"):
            np.testing.assert_allclose(everything[key], np.mean([row[key] for row in rows.values()]))
        self.assertIn("1 further channel never changed.", found["notes"])

    def test_of_runs_of_one_length_it_is_numpys(self):
        runs = [self.samples(0, seed)[:100] for seed in (40, 41, 42)]
        words = [f"w{i % 2}={self.record(f'r{i}', samples)}" for i, samples in enumerate(runs)]
        rows, _ = self.rows("variance", *words)
        np.testing.assert_allclose(rows["load_1",]["variance"], np.var(np.concatenate(runs)[:, 1]))


class Missing(WorkloadStudyTest):
    def test_ticks_that_are_missing_count_nothing(self):
        samples = self.samples(0, 50)[:100]
        gone = set(range(30, 60))
        recording = self.record("gappy", samples, without=gone, start_s=START_S)
        rows, _ = self.rows("variance", recording)
        there = samples[[tick for tick in range(100) if tick not in gone]]
        self.assert_figures(rows["load_0",], {"mean": there[:, 0].mean(), "variance": there[:, 0].var()})


if __name__ == "__main__":
    unittest.main()
