"""The measures against hand-made cases, scikit-learn and what must hold of any scores."""

import math
import unittest

import numpy as np
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

import measures

RANKINGS = (measures.auc_pr, measures.auc_roc, measures.best_f1)


def labeled(seed: int, samples: int = 400) -> tuple[list[tuple[int, int]], np.ndarray, np.ndarray]:
    """Events, truth, and scores that are somewhat higher inside; half of the draws with ties."""
    draw = np.random.default_rng(seed)
    edges = np.sort(draw.choice(np.arange(1, samples), 2 * draw.integers(1, 6), replace=False))
    events = list(zip(edges[::2].tolist(), edges[1::2].tolist()))
    truth = measures.truth_of(events, samples)
    score = draw.normal(0, 1, samples) + truth
    return events, truth, np.round(score) if seed % 2 else score


class Ranking(unittest.TestCase):
    # Descending: 1 | 1 0 (equal) | 0 | 1 | 0, three of six true.
    TRUTH = np.array([True, False, True, True, False, False])
    SCORE = np.array([9.0, 5.0, 7.0, 3.0, 7.0, 1.0])

    def test_by_hand(self):
        # Recall 1/3 at precision 1, 2/3 at 2/3, 1 at 3/5: the mean of 1, 2/3 and 3/5.
        self.assertAlmostEqual(measures.auc_pr(self.TRUTH, self.SCORE), (1 + 2 / 3 + 3 / 5) / 3)
        # Of nine pairs: 9 beats all three, 7 beats two and ties one, 3 beats one.
        self.assertAlmostEqual(measures.auc_roc(self.TRUTH, self.SCORE), (3 + 2.5 + 1) / 9)
        # At 3 and above: three true, two false, none missed.
        self.assertAlmostEqual(measures.best_f1(self.TRUTH, self.SCORE), 2 * 3 / (5 + 3))

    def test_scikit_learn_agrees(self):
        for seed in range(40):
            _, truth, score = labeled(seed)
            with self.subTest(seed=seed):
                self.assertAlmostEqual(measures.auc_pr(truth, score),
                                       average_precision_score(truth, score), places=12)
                self.assertAlmostEqual(measures.auc_roc(truth, score),
                                       roc_auc_score(truth, score), places=12)
                precision, recall, _ = precision_recall_curve(truth, score)
                with np.errstate(invalid="ignore"):
                    f1 = np.nanmax(2 * precision * recall / (precision + recall))
                self.assertAlmostEqual(measures.best_f1(truth, score), f1, places=12)

    def test_perfect_reversed_constant(self):
        _, truth, _ = labeled(3)
        share = truth.mean()
        for measure in RANKINGS:
            self.assertEqual(measure(truth, truth.astype(float)), 1.0)
        self.assertEqual(measures.auc_roc(truth, -truth.astype(float)), 0.0)
        constant = np.zeros(len(truth))
        self.assertAlmostEqual(measures.auc_roc(truth, constant), 0.5)
        self.assertAlmostEqual(measures.auc_pr(truth, constant), share)
        self.assertAlmostEqual(measures.best_f1(truth, constant), 2 * share / (1 + share))

    def test_only_the_order_counts(self):
        for seed in range(6):
            events, truth, score = labeled(seed)
            for measure in RANKINGS:
                self.assertEqual(measure(truth, score), measure(truth, np.exp(score / 3) + 7))
            self.assertEqual(measures.event_recall_at(events, score, 2),
                             measures.event_recall_at(events, np.exp(score / 3) + 7, 2))
            self.assertAlmostEqual(measures.vus_pr(events, score, 9),
                                   measures.vus_pr(events, np.exp(score / 3) + 7, 9), places=12)

    def test_without_events_they_are_undefined(self):
        nothing, score = np.zeros(5, bool), np.arange(5.0)
        for measure in RANKINGS:
            self.assertTrue(math.isnan(measure(nothing, score)))
        for value in (measures.vus_pr([], score, 3), measures.event_recall([], nothing),
                      measures.event_recall_at([], score, 1)):
            self.assertTrue(math.isnan(value))


class PointScores(unittest.TestCase):
    WINDOWS = np.array([[0, 4], [2, 6], [4, 8]])
    VALUES = np.array([1.0, 5.0, 2.0])

    def test_mean_of_the_windows_that_cover_a_sample(self):
        np.testing.assert_allclose(measures.point_scores(self.WINDOWS, self.VALUES, 8),
                                   [1, 1, 3, 3, 3.5, 3.5, 2, 2])

    def test_what_no_window_covers_has_the_score_of_the_sample_before(self):
        windows = np.array([[1, 3], [5, 7]])
        np.testing.assert_allclose(measures.point_scores(windows, np.array([1.0, 4.0]), 9),
                                   [1, 1, 1, 1, 1, 4, 4, 4, 4])

    def test_causal_is_the_window_that_ended_last(self):
        # The first ends with sample 3; before, nothing is known.
        np.testing.assert_allclose(
            measures.point_scores(self.WINDOWS, np.array([3.0, 5.0, 2.0]), 9, causal=True),
            [2, 2, 2, 3, 3, 5, 5, 2, 2])

    def test_causal_scores_do_not_depend_on_the_future(self):
        draw = np.random.default_rng(5)
        begins = np.arange(0, 171, 10)
        windows = np.stack([begins, begins + 30], 1)
        values = draw.uniform(1, 2, len(begins))
        before = measures.point_scores(windows, values, 200, causal=True)
        changed = values.copy()
        changed[9] = 7  # ends with sample 119
        after = measures.point_scores(windows, changed, 200, causal=True)
        np.testing.assert_array_equal(before[:119], after[:119])
        self.assertEqual(after[119], 7)

    def test_against_the_definition(self):
        draw = np.random.default_rng(6)
        begins = np.arange(0, 171, 7)
        windows, values = np.stack([begins, begins + 30], 1), draw.normal(0, 1e6, len(begins))
        expected = [values[(begins <= t) & (t < begins + 30)].mean() for t in range(198)]
        np.testing.assert_allclose(measures.point_scores(windows, values, 198), expected, rtol=1e-9)

    def test_flags(self):
        flags = np.array([False, True, False])
        np.testing.assert_array_equal(measures.point_flags(self.WINDOWS, flags, 8),
                                      np.array([0, 0, 1, 1, 1, 1, 0, 0], bool))
        np.testing.assert_array_equal(measures.point_flags(self.WINDOWS, flags, 8, causal=True),
                                      np.array([0, 0, 0, 0, 0, 1, 1, 0], bool))
        all_flagged = measures.point_flags(self.WINDOWS, np.ones(3, bool), 8, causal=True)
        np.testing.assert_array_equal(all_flagged, np.array([0, 0, 0, 1, 1, 1, 1, 1], bool))


class Events(unittest.TestCase):
    def test_alarms_are_merged_over_ten_samples_but_not_eleven(self):
        flags = np.zeros(40, bool)
        flags[[2, 3, 14, 26, 39]] = True  # 10, 11 and 12 quiet samples between
        self.assertEqual(measures.alarms(flags), [(2, 15), (26, 27), (39, 40)])
        self.assertEqual(measures.alarms(np.zeros(4, bool)), [])

    def test_recall_and_false_alarms(self):
        events = [(10, 20), (30, 32), (60, 70)]
        flags = measures.truth_of([(5, 12), (19, 22), (31, 32), (50, 51)], 80)
        self.assertAlmostEqual(measures.event_recall(events, flags), 2 / 3)
        # 5 to 31 is one alarm, which meets two events; 50 is another, which meets none.
        self.assertEqual(measures.false_alarms(measures.truth_of(events, 80), flags), 1)

    def test_recall_at_an_allowance(self):
        # Peaks of the events: 9, 6 and 2. Elsewhere: 7 at 80, 5 at 100, 3 at 120; 8 at 23 belongs
        # to the alarm of the event that peaks at 9.
        events = [(20, 22), (40, 42), (60, 62)]
        score = np.zeros(130)
        score[[21, 40, 61, 80, 100, 120, 23]] = [9, 6, 2, 7, 5, 3, 8]
        for allowed, recall in ((0, 1 / 3), (1, 2 / 3), (2, 2 / 3), (3, 1)):
            self.assertAlmostEqual(measures.event_recall_at(events, score, allowed), recall)

    def test_flagging_everything_buys_no_recall(self):
        events = [(50, 60)]
        score = np.zeros(120)
        score[[5, 30, 100]] = 1.0  # three alarms before anything is found
        self.assertEqual(measures.event_recall_at(events, score, 2), 0.0)
        self.assertEqual(measures.event_recall_at(events, score, 3), 1.0)


class VolumeUnderTheSurface(unittest.TestCase):
    def test_buffer_zero_by_hand(self):
        # 250 samples, so every one is a threshold. The event's two samples rank first and third:
        # recall 1/2 at precision 1, then 1 at 2/3, and the event is seen from the start.
        score = np.linspace(1, 0, 250)
        score[[100, 101]] = [3.0, 1.5]
        score[0] = 2.0
        self.assertAlmostEqual(measures.range_auc_pr([(100, 102)], score, 0),
                               1 / 2 + 1 / 2 * 2 / 3)

    def test_buffer_two_by_hand(self):
        # One event of one sample, labels sqrt(1/2) beside it. Best first: the sample before it, the
        # event, then the rest with the sample behind the event last.
        s = math.sqrt(1 / 2)
        score = np.linspace(1, 0.1, 250)
        score[[99, 100, 101]] = [3.0, 2.0, 0.0]
        first = s / (1 + s / 2)          # recall when only the buffer is flagged; precision s
        second = min((1 + s) / (1 + s / 2), 1)  # precision (1 + s) / 2
        self.assertAlmostEqual(measures.range_auc_pr([(100, 101)], score, 2),
                               first * s + (second - first) * (1 + s) / 2)

    def test_against_the_definition(self):
        for seed in range(12):
            events, _, score = labeled(seed)
            for buffer in (0, 1, 2, 5, 20, 61):
                with self.subTest(seed=seed, buffer=buffer):
                    self.assertAlmostEqual(measures.range_auc_pr(events, score, buffer),
                                           self.defined(events, score, buffer), places=10)

    def defined(self, events, score, buffer):
        """The paper's formulas, sample by sample."""
        half, n = buffer // 2, len(score)
        label = np.zeros(n)
        near = np.zeros(n, bool)
        for begin, end in events:
            for t in range(n):
                distance = max(begin - t, t - (end - 1), 0)
                if distance <= half:
                    near[t] = True
                    label[t] += 1 if distance == 0 else math.sqrt(1 - distance / buffer)
        label = np.minimum(label, 1)
        # Runs of samples within reach of an event; reaches that only touch are apart.
        segments = []
        for begin, end in events:
            reach = set(range(max(begin - half, 0), min(end + half, n)))
            if segments and segments[-1] & reach:
                segments[-1] |= reach
            else:
                segments.append(reach)
        inside = measures.truth_of(events, n)
        descending = np.sort(score)[::-1]
        area = recall_before = 0.0
        for k in np.linspace(0, n - 1, 250).astype(int):
            flagged = score >= descending[k]
            true = label[flagged].sum()
            wanted = (inside.sum() + (inside.sum() + label[flagged & ~inside].sum())) / 2
            seen = np.mean([any(flagged[t] for t in segment) for segment in segments])
            recall = min(true / wanted, 1) * seen
            area += (recall - recall_before) * true / flagged.sum()
            recall_before = recall
        return area

    def test_perfect_scores_and_random_ones(self):
        events = [(100, 150), (300, 320)]
        perfect = measures.truth_of(events, 500) + 0.0
        perfect[:500] += np.linspace(0, 0.1, 500)
        noise = np.random.default_rng(1).normal(0, 1, 500)
        self.assertGreater(measures.vus_pr(events, perfect, 10), 0.9)
        self.assertLess(measures.vus_pr(events, noise, 10), 0.35)

    def test_buffer_length_is_the_period(self):
        t = np.arange(3000)
        draw = np.random.default_rng(2)
        self.assertEqual(measures.buffer_length(np.sin(t * 2 * np.pi / 48)
                                                + draw.normal(0, 0.01, 3000)), 48)

    def test_buffer_length_where_nothing_repeats(self):
        for samples in (np.zeros(500), np.arange(500.0), np.sin(np.arange(5000) * np.pi / 390)):
            self.assertEqual(measures.buffer_length(samples), 125)


class Blame(unittest.TestCase):
    def test_hit_rate(self):
        # Two causes: of the first two one is right, of the first three both.
        ranked = [4, 7, 2, 9]
        self.assertEqual(measures.hit_rate(ranked, {4, 2}, 100), 0.5)
        self.assertEqual(measures.hit_rate(ranked, {4, 2}, 150), 1.0)
        # floor(150 % of 1) is 1, of 3 it is 4.
        self.assertEqual(measures.hit_rate(ranked, {7}, 150), 0.0)
        self.assertAlmostEqual(measures.hit_rate(ranked, {9, 2, 1}, 150), 2 / 3)
        self.assertTrue(math.isnan(measures.hit_rate(ranked, set(), 100)))

    def test_ranking_leaves_out_what_has_no_share(self):
        self.assertEqual(measures.ranking(np.array([0.2, 0.0, 0.5, 0.2])), [2, 0, 3])

    def test_event_shares_weigh_windows_by_what_they_cover(self):
        windows = np.array([[0, 10], [5, 15], [10, 20]])
        shares = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
        # Of 8 to 12 the windows cover 2, 4 and 2 samples.
        np.testing.assert_allclose(measures.event_shares(windows, shares, (8, 12)),
                                   [(2 + 0 + 1) / 8, (0 + 4 + 1) / 8])
        np.testing.assert_allclose(measures.event_shares(windows, shares, (30, 31)), [0, 0])


class Mean(unittest.TestCase):
    def test_undefined_values_do_not_count(self):
        self.assertEqual(measures.mean([1.0, math.nan, 2.0]), 1.5)
        self.assertTrue(math.isnan(measures.mean([])))


if __name__ == "__main__":
    unittest.main()
