"""Resampled weeks and their intervals, on cases worked out by hand and against scipy."""

import math
import unittest

import numpy as np
from scipy import stats

import folders  # noqa: F401 first: it knows where the other studies are
import judging
import tables
import verdicts
import weeks
import witness
from intervals import poisson

S = 1_000_000_000
BEGIN_NS = 1_700_000_000 * S


def shown(at_s, word=verdicts.FALSE, slow_word="", severity="minor"):
    begin = BEGIN_NS + round(at_s * S)
    fields = {"begin_ns": begin, "end_ns": begin + 4 * S, "severity_word": severity, "subsystem": "cpu", "claim": "It rose",
              "agreement": 2, "by_chance": 0.25, "work_rate": None}
    return judging.Shown(fields, verdicts.Verdict(word, math.nan, witness.Others(0, 0), ""), bool(slow_word), slow_word)


def judged(seconds, *found, by_chance=None, away=(), kind="training", mode="recorded", known_s=0.0):
    spans = tuple((BEGIN_NS + round(since * S), BEGIN_NS + round(until * S)) for since, until in away)
    return judging.Judged("one", kind, mode, BEGIN_NS, seconds, by_chance, known_s, 0.0, judging.overlap(spans, 0, 2 * BEGIN_NS),
                          True, spans, tuple(found))


class PoissonTest(unittest.TestCase):
    def test_the_interval_is_the_exact_one_by_chi_square(self):
        for count in (1, 2, 7, 40, 300):
            for tail in (0.025, 0.05):
                low, high = poisson(count, tail)
                self.assertAlmostEqual(low, stats.chi2.ppf(tail, 2 * count) / 2, 9)
                self.assertAlmostEqual(high, stats.chi2.ppf(1 - tail, 2 * count + 2) / 2, 9)

    def test_of_no_event_the_bound_is_the_logarithm_of_the_tail(self):
        self.assertEqual(poisson(0)[0], 0.0)
        self.assertAlmostEqual(poisson(0)[1], -math.log(0.025), 12)
        self.assertAlmostEqual(poisson(0, 0.05)[1], -math.log(0.05), 12)


class MinutesTest(unittest.TestCase):
    def test_a_recording_is_cut_into_minutes_without_what_was_disturbed(self):
        one = judged(150, shown(70), shown(119.9), shown(149), away=((50, 65), (140, 150)), by_chance=0.3)
        well, false, chance = weeks.minutes_of(one)
        np.testing.assert_allclose(well, [50, 55, 20])
        np.testing.assert_allclose(false, [0, 2, 1])
        np.testing.assert_allclose(chance, [0.1, 0.11, 0.04])  # 0.3 in 150 s

    def test_only_what_is_false_counts(self):
        one = judged(120, shown(10, verdicts.HARM), shown(20, verdicts.DISTURBED), shown(30))
        self.assertEqual(weeks.minutes_of(one)[1].tolist(), [1, 0])

    def test_a_finding_that_begins_before_the_recording_or_at_its_end_is_in_it(self):
        one = judged(120, shown(-2), shown(120))
        self.assertEqual(weeks.minutes_of(one)[1].tolist(), [1, 1])


def numbered(*lengths):
    """Recordings whose minutes have their own numbers as false findings."""
    return weeks.Minutes(np.full(sum(lengths), 60.0), np.arange(float(sum(lengths))), np.zeros(sum(lengths)), lengths)


class ResampleTest(unittest.TestCase):
    def test_a_week_of_one_minute_again_and_again_has_it_10_080_times(self):
        of = weeks.Minutes(np.array([60.0]), np.array([2.0]), np.array([0.5]), (1,))
        false, chance = weeks.resample(of, weeks.WEEK_S, 3, 10, 0)
        self.assertEqual(false.tolist(), [20_160.0] * 3)
        self.assertEqual(chance.tolist(), [5_040.0] * 3)

    def test_disturbed_minutes_take_no_time_of_the_week(self):
        of = weeks.Minutes(np.array([60.0, 0.0]), np.array([1.0, 0.0]), np.zeros(2), (2,))
        self.assertEqual(weeks.resample(of, 600.0, 2, 2, 0)[0].tolist(), [10.0, 10.0])

    def test_a_block_is_adjacent_minutes_of_one_recording_in_a_circle(self):
        # Blocks of five of the minutes 0 to 4 are always the whole recording, which sums to 10.
        self.assertEqual(weeks.resample(numbered(5), 300.0, 20, 5, 0)[0].tolist(), [10.0] * 20)
        # Of blocks of two of two recordings, only neighbors in one of them come together.
        sums = set(weeks.resample(numbered(3, 3), 120.0, 200, 2, 0)[0])
        self.assertEqual(sums, {0 + 1, 1 + 2, 2 + 0, 3 + 4, 4 + 5, 5 + 3})

    def test_each_minute_is_as_likely_whatever_the_length_of_its_recording(self):
        # One recording of 60 minutes with none, sixty of a minute with one each: half of the minutes have one.
        of = weeks.Minutes(np.full(120, 60.0), np.array([0.0] * 60 + [1.0] * 60), np.zeros(120), (60, *[1] * 60))
        mean = weeks.resample(of, weeks.WEEK_S, 50, 10, 1)[0].mean()
        self.assertAlmostEqual(mean / 5_040, 1.0, delta=0.02)

    def test_without_bunches_samples_as_large_spread_as_poisson_does(self):
        rng = np.random.default_rng(0)
        count = 6_000
        false = (rng.random(count) < 0.02).astype(float)
        of = weeks.Minutes(np.full(count, 60.0), false, np.zeros(count), (count,))
        sums = weeks.resample(of, 60.0 * count, 1000, 10, 0)[0]
        low, high = np.percentile(sums, weeks.TAILS)
        self.assertAlmostEqual(low / stats.poisson.ppf(0.05, false.sum()), 1.0, delta=0.06)
        self.assertAlmostEqual(high / stats.poisson.ppf(0.95, false.sum()), 1.0, delta=0.06)

    def test_bunches_make_the_interval_wider(self):
        even, bunched = np.zeros(600), np.zeros(600)
        even[::20], bunched[:30] = 1, 1
        spread = [np.ptp(np.percentile(weeks.resample(weeks.Minutes(np.full(600, 60.0), one, np.zeros(600), (600,)),
                                                      36_000.0, 500, 10, 0)[0], weeks.TAILS)) for one in (even, bunched)]
        self.assertGreater(spread[1], 2 * spread[0])

    def test_of_nothing_that_was_well_nothing_is_said(self):
        of = weeks.Minutes(np.zeros(2), np.zeros(2), np.zeros(2), (2,))
        self.assertTrue(np.isnan(weeks.resample(of, weeks.WEEK_S, 2, 10, 0)[0]).all())


class TellTest(unittest.TestCase):
    def test_two_hours_with_one_false_finding(self):
        told = weeks.tell([judged(3600, shown(100), by_chance=0.01), judged(3600, by_chance=None)], 20, 10, 0)
        self.assertEqual((told.well_h, told.false, told.rate), (2.0, 1, 84.0))  # 168 h / 2 h
        for mine, theirs in zip(told.poisson, (0.0253178, 5.571643), strict=True):
            self.assertAlmostEqual(mine, 84 * theirs, 3)
        self.assertAlmostEqual(told.weeks[0], 84, delta=8)
        self.assertAlmostEqual(told.chance, 1.68)  # 0.01 an hour, of the recording that says
        self.assertEqual((told.chance_unknown, told.recordings), (1, 2))
        self.assertEqual(told.covers, "too low")  # 0.0253 · 84 = 2.1 at least

    def test_without_a_false_finding_the_bound_is_the_exact_one(self):
        told = weeks.tell([judged(12 * 3600, by_chance=0.1)], 5, 10, 0)
        self.assertEqual((told.false, told.rate, told.poisson[0]), (0, 0.0, 0.0))
        self.assertAlmostEqual(told.poisson[1], 3.688879 * 168 / 12, 4)
        self.assertEqual(told.covers, "covered")


class TableTest(unittest.TestCase):
    def test_kinds_and_ways_are_apart_and_then_together(self):
        one = [judged(60), judged(60, kind="inference"), judged(60, mode="live")]
        self.assertEqual([(mode, kind, len(mine)) for mode, kind, mine in tables.by_kind(one)],
                         [("recorded", "training", 1), ("recorded", "inference", 1), ("recorded", "all", 2),
                          ("live", "training", 1)])

    def test_false_slowdowns_are_bounded_by_the_hours_in_which_the_rate_is_known(self):
        line = tables.judged_table([judged(7200, shown(5, verdicts.HARM, verdicts.HARM), known_s=7200.0)])[-1]
        self.assertEqual([cell.strip() for cell in line.strip("|").split("|")],
                         ["recorded", "training", "2.00", "0.00", "0.00", "1", "1", "0", "0", "0", "2.00", "1", "0", "1.5"])

    def test_false_findings_that_are_told_are_counted_apart(self):
        line = tables.judged_table([judged(7200, shown(5), shown(25, severity="moderate"), shown(45, severity="major"),
                                           shown(65, verdicts.HARM, severity="major"))])[-1]
        self.assertEqual([cell.strip() for cell in line.strip("|").split("|")][5:10], ["4", "1", "0", "3", "2"])

    def test_of_findings_below_a_severity_nothing_is_counted(self):
        one = judged(3600, shown(5), shown(25, severity="moderate"), by_chance=0.5)
        self.assertEqual([len(one.at_least(word).shown) for word in judging.SEVERITIES], [2, 1, 0])
        # What chance makes is told of all severities together.
        self.assertEqual([one.at_least(word).by_chance for word in judging.SEVERITIES], [0.5, None, None])

    def test_slowdowns_of_the_work_rate_are_bounded_likewise(self):
        one = judging.Slowdowns("one", "training", 3 * 3600.0, True, ())
        self.assertEqual(tables.slowdowns_table([one])[-1], "| all | 3.00 | 0 | 0 | 0 | 0 | 0.999 |")  # 2.996 / 3 h

    def test_each_finding_is_told_with_its_verdict(self):
        line = tables.shown_lines([judged(60, shown(5))])[0]
        self.assertIn("recorded, 5 s, for 4.0 s: minor, cpu: It rose (votes 2, by chance 0.25). **false**", line)

    def test_of_no_false_finding_no_resampled_interval_is_claimed(self):
        self.assertIn(tables.NOTHING, tables.weeks_table([judged(3600)], 2, 10, 0)[-1])
        self.assertNotIn(tables.NOTHING, tables.weeks_table([judged(3600, shown(5))], 2, 10, 0)[-1])


if __name__ == "__main__":
    unittest.main()
