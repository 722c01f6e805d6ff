#!/usr/bin/python3
"""The statistics of feature_study.py on made-up tables with known answers, and against scipy."""

import pathlib
import tempfile
import unittest

import numpy as np
from scipy import stats

import feature_study as study

NAN = float("nan")
LIMITS = study.Limits()
# A made-up table: what the columns are.
NAMES = ["mean", "constant", "copy", "opposite", "noise", "rare"]
MEAN, CONSTANT, COPY, OPPOSITE, NOISE, RARE = range(len(NAMES))


def channel(rng: np.random.Generator, rare: bool = False, windows: int = 60) -> np.ndarray:
    level = 10 + rng.normal(size=windows)
    return np.column_stack([level, np.full(windows, 7.0), 3 * level + 1,
                            -level + 0.1 * rng.normal(size=windows), rng.normal(size=windows),
                            rng.normal(size=windows) if rare else np.zeros(windows)])


def channels(count: int = 20) -> list[np.ndarray]:
    """`rare` varies on the first of them alone."""
    rng = np.random.default_rng(5)
    return [channel(rng, rare=i == 0) for i in range(count)]


def choose(tables: list[np.ndarray], order: list[int]) -> tuple[list[int], dict[int, float]]:
    redundancy = np.array([study.correlations(table) for table in tables])
    varying = np.array([study.varies(table, LIMITS.cv) for table in tables])
    return study.chosen(redundancy, varying, order, LIMITS)


class Varies(unittest.TestCase):
    def test_a_constant_does_not_and_noise_does(self):
        found = study.varies(channels()[1], LIMITS.cv)
        self.assertEqual(found.tolist(), [True, False, True, True, True, False])

    def test_the_limit_is_that_of_the_coefficient_of_variation(self):
        column = np.array([[99.0], [101.0]] * 10)  # mean 100, sd 1
        self.assertEqual(study.varies(column, 0.009).tolist(), [True])
        self.assertEqual(study.varies(column, 0.011).tolist(), [False])

    def test_a_mean_of_zero_makes_the_coefficient_infinite(self):
        self.assertEqual(study.varies(np.array([[-1.0], [1.0]]), 1e9).tolist(), [True])

    def test_what_is_undefined_in_most_windows_does_not_vary(self):
        column = np.array([[1.0], [2.0], [3.0], [NAN], [NAN], [NAN]])
        self.assertEqual(study.is_defined(column).tolist(), [False])
        self.assertEqual(study.varies(column, 0).tolist(), [False])
        self.assertEqual(study.varies(column[:5], 0).tolist(), [True])

    def test_the_last_digits_of_a_constant_are_no_variation(self):
        self.assertEqual(study.varies(np.array([[1e9], [1e9 + 1e-6]]), 0).tolist(), [False])


class Correlations(unittest.TestCase):
    def test_of_copies_and_opposites_are_one_and_of_constants_zero(self):
        found = study.correlations(channels()[1])
        self.assertAlmostEqual(found[MEAN, COPY], 1)
        self.assertGreater(found[MEAN, OPPOSITE], 0.98)
        self.assertEqual(found[MEAN, CONSTANT], 0)
        self.assertLess(found[MEAN, NOISE], 0.5)

    def test_are_pearsons(self):
        table = channels()[0]
        expected = abs(stats.pearsonr(table[:, MEAN], table[:, NOISE])[0])
        self.assertAlmostEqual(study.correlations(table)[MEAN, NOISE], expected)

    def test_an_undefined_value_counts_as_the_mean(self):
        table = np.array([[1.0, 2.0], [2.0, 3.0], [NAN, 7.0], [4.0, 4.0]])
        whole = table.copy()
        whole[2, 0] = 7 / 3
        self.assertAlmostEqual(study.correlations(table)[0, 1],
                               abs(stats.pearsonr(whole[:, 0], whole[:, 1])[0]))


class Agreement(unittest.TestCase):
    def test_is_scipys_distance_of_kolmogorov_and_smirnov(self):
        rng = np.random.default_rng(3)
        first = np.column_stack([rng.normal(size=31), rng.integers(0, 4, 31), np.ones(31)])
        second = np.column_stack([rng.normal(1, 2, 17), rng.integers(1, 5, 17), np.ones(17)])
        expected = [stats.ks_2samp(a, b).statistic for a, b in zip(first.T, second.T)]
        np.testing.assert_allclose(study.ks_distance(first, second), expected, atol=1e-12)

    def test_of_disjoint_values_is_one(self):
        self.assertAlmostEqual(study.ks_distance(np.zeros((4, 1)), np.ones((9, 1)))[0], 1)

    def test_runs_of_a_workload_are_paired_and_a_lone_one_is_halved(self):
        values = channels(1)[0][None]
        runs = [study.Run(name, NAMES, ["c"], values) for name in ("a", "b", "a")]
        pairs = study.pairs_of_runs(runs)
        self.assertEqual([(x.workload, x.values.shape[1], y.values.shape[1]) for x, y in pairs],
                         [("a", 60, 60), ("b", 30, 30)])
        np.testing.assert_allclose(study.stability([runs[0], runs[2]]), 1)


class EtaSquared(unittest.TestCase):
    def test_gives_the_f_of_scipys_analysis_of_variance(self):
        rng = np.random.default_rng(4)
        parts = [rng.normal(mean, 1, (size, 1)) for mean, size in ((0, 9), (1, 14), (3, 7))]
        groups = np.repeat(["a", "b", "c"], [9, 14, 7])
        share = study.eta_squared(np.concatenate(parts), groups)[0]
        f = (30 - 3) / (3 - 1) * share / (1 - share)
        self.assertAlmostEqual(f, stats.f_oneway(*[part[:, 0] for part in parts]).statistic)

    def test_is_one_where_groups_are_all_that_differs_and_zero_for_a_constant(self):
        table = np.array([[1.0, 5.0], [1.0, 5.0], [2.0, 5.0], [2.0, 5.0]])
        found = study.eta_squared(table, np.array([0, 0, 1, 1]))
        np.testing.assert_allclose(found, [1, 0])

    def test_workloads_are_told_by_what_differs_between_them(self):
        rng = np.random.default_rng(8)
        quiet, busy = channel(rng), channel(rng)
        busy[:, MEAN] += 50
        runs = [study.Run("quiet", NAMES, ["c", "only here"], np.array([quiet, quiet])),
                study.Run("busy", NAMES, ["c"], busy[None])]
        found = study.discrimination(runs)
        self.assertGreater(found[MEAN], 0.99)
        self.assertLess(found[NOISE], 0.2)
        self.assertTrue(np.isnan(study.discrimination(runs[:1])).all())

    def test_events_are_told_by_what_differs_in_them(self):
        table = channel(np.random.default_rng(9))
        phase = np.arange(60) >= 40
        table[phase, NOISE] += 20
        found = study.discrimination([study.Run("a", NAMES, ["c"], table[None], phase)])
        self.assertGreater(found[NOISE], 0.95)
        self.assertLess(found[MEAN], 0.2)


class Elastic(unittest.TestCase):
    def test_sees_through_a_delay_that_correlation_does_not(self):
        x = np.random.default_rng(2).normal(size=(80, 1))
        late = np.roll(x, 1, axis=0)
        self.assertLess(abs(stats.pearsonr(x[:, 0], late[:, 0])[0]), 0.3)
        self.assertGreater(study.elastic_correlation(x, late)[0], 0.9)

    def test_without_a_band_is_the_correlation(self):
        x, y = np.random.default_rng(1).normal(size=(2, 50, 3))
        y[:, 0] = -x[:, 0]
        expected = [abs(stats.pearsonr(a, b)[0]) for a, b in zip(x.T, y.T)]
        np.testing.assert_allclose(study.elastic_correlation(x, y, band=0), expected)

    def test_is_never_below_the_correlation_and_is_zero_for_a_constant(self):
        x, y = np.random.default_rng(6).normal(size=(2, 40, 5))
        y[:, 4] = 3
        self.assertTrue((study.elastic_correlation(x, y)[:4]
                         >= study.elastic_correlation(x, y, band=0)[:4]).all())
        self.assertEqual(study.elastic_correlation(x, y)[4], 0)

    def test_of_a_hand_made_pair(self):
        # The second is the first a window later: the path costs 0 but for the ends.
        first, second = np.array([[0.0, 0, 1, 0]]).T, np.array([[0.0, 0, 0, 1]]).T
        self.assertEqual(study._warped(first, second, 1)[0], 1)
        self.assertEqual(study._warped(first, second, 0)[0], 2)


class Chosen(unittest.TestCase):
    def test_neither_constants_nor_copies_nor_what_is_rare(self):
        kept, before = choose(channels(), list(range(len(NAMES))))
        self.assertEqual(kept, [MEAN, NOISE])
        self.assertNotIn(CONSTANT, before)
        self.assertNotIn(RARE, before)
        self.assertAlmostEqual(before[COPY], 1)
        self.assertEqual(before[MEAN], 0)

    def test_of_copies_the_first_in_order_stays(self):
        self.assertEqual(choose(channels(), [NOISE, COPY, MEAN, OPPOSITE])[0], [NOISE, COPY])

    def test_order_decides_how_many_stand_for_the_rest(self):
        # r of b with a and with c is .95; of a with c only .8.
        redundancy = np.array([[[1, 0.95, 0.8], [0.95, 1, 0.95], [0.8, 0.95, 1]]])
        everywhere = np.ones((1, 3), bool)
        self.assertEqual(study.chosen(redundancy, everywhere, [0, 1, 2], LIMITS)[0], [0, 2])
        self.assertEqual(study.chosen(redundancy, everywhere, [1, 0, 2], LIMITS)[0], [1])

    def test_what_later_ones_stand_for_together_is_dropped_again(self):
        # Of three channels, a is like b on the first and like c on the second.
        redundancy = np.array([np.eye(3)] * 3)
        redundancy[0, 0, 1] = redundancy[0, 1, 0] = 0.95
        redundancy[1, 0, 2] = redundancy[1, 2, 0] = 0.95
        kept, before = study.chosen(redundancy, np.ones((3, 3), bool), [0, 1, 2], LIMITS)
        self.assertEqual(kept, [1, 2])
        self.assertEqual(before, {0: 0, 1: 0, 2: 0})
        plain = study.chosen(redundancy, np.ones((3, 3), bool), [0, 1, 2], LIMITS, frozenset([0]))
        self.assertEqual(plain[0], [0, 1, 2])

    def test_the_median_channel_decides(self):
        twice = np.array([[1, 0.95], [0.95, 1]])
        redundancy = np.array([twice, twice, np.eye(2)])
        everywhere = np.ones((3, 2), bool)
        self.assertEqual(study.chosen(redundancy, everywhere, [0, 1], LIMITS)[0], [0])
        self.assertEqual(study.chosen(redundancy[1:], everywhere[1:], [0, 1], LIMITS)[0], [0, 1])

    def test_cheap_ones_come_first_and_of_these_plain_ones(self):
        costs = {"kpss": "regression", "length": "linear", "maximum": "linear", "median": "sorting",
                 "mean": "linear"}
        names = list(costs)
        self.assertEqual([names[f] for f in study.priority(names, costs)],
                         ["mean", "maximum", "length", "median", "kpss"])


class Reading(unittest.TestCase):
    def test_leaves_out_events_and_channels_that_never_change(self):
        rows = ["window,begin_ns,end_ns,channel,mean,standard_deviation,kpss"]
        for window in range(5):
            rows += [f"{window},{window}0,{window + 3}0,still,4,0,",
                     f"{window},{window}0,{window + 3}0,moving,{window},0,",
                     f"{window},{window}0,{window + 3}0,event,,,"]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "features.csv"
            path.write_text("\n".join(rows) + "\n", encoding="utf-8")
            run, times = study.read_run(path, "made up")
        self.assertEqual(run.channels, ["moving"])
        self.assertEqual(run.features, ["mean", "standard_deviation", "kpss"])
        np.testing.assert_array_equal(run.values[0, :, 0], range(5))
        self.assertTrue(np.isnan(run.values[0, :, 2]).all())
        self.assertEqual(times[4].tolist(), [40, 70])


if __name__ == "__main__":
    unittest.main()
