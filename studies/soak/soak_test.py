"""The scores of a soak, and its plan, on cases worked out by hand."""

import math
import pathlib
import tempfile
import unittest

import neighbors
import soak_score
import watchers
from soak_score import Found, Sample, outcome

S = 1_000_000_000
DAY_S = 86_400


def fault(begin_s, end_s, name="cpu", subsystems=("cpu",)):
    return {"name": name, "subsystems": list(subsystems), "begin_ns": begin_s * S, "end_ns": end_s * S}


def found(begin_s, end_s, subsystem="cpu", told_s=0.0):
    return Found(round(begin_s * S), round(end_s * S), subsystem, "It rose", round(told_s * S))


class FindingTest(unittest.TestCase):
    def test_what_overlaps_a_fault_is_of_it_with_two_seconds_to_spare(self):
        for begin, end, of_it in ((40, 50, True), (51.9, 60, True), (52.1, 60, False), (30, 38.1, True), (30, 37.9, False)):
            one = found(begin, end)
            self.assertEqual(soak_score.outcome_of(fault(40, 50), [one]).found, of_it)
            self.assertEqual(outcome.of_none([one], [fault(40, 50)]), [] if of_it else [one])

    def test_the_finding_that_overlaps_most_tells_the_subsystem_and_the_first_that_was_told_the_delay(self):
        told = soak_score.outcome_of(fault(40, 50), [found(39, 42, "memory", 43.5), found(42, 50, "cpu", 45)])
        self.assertEqual((told.found, told.subsystem_right, told.told_after_s), (True, True, 3.5))

    def test_what_was_not_told_has_no_delay(self):
        self.assertTrue(math.isnan(soak_score.outcome_of(fault(40, 50), []).told_after_s))
        self.assertTrue(math.isnan(soak_score.outcome_of(fault(40, 50), [found(40, 50)]).told_after_s))

    def test_a_finding_was_told_when_it_was_heard_of_first_or_not_at_all(self):
        kept = [{"id": name, "begin_ns": begin * S, "end_ns": 50 * S, "subsystem": "cpu", "claim": "It rose"}
                for name, begin in (("a", 40), ("b", 45))]
        told = [{"id": "a", "at_ns": 43 * S}, {"id": "a", "at_ns": 55 * S}]
        self.assertEqual(soak_score.live_findings(kept, told), [found(40, 50, "cpu", 43), found(45, 50, "cpu")])

    def test_a_fault_that_has_not_ended_is_not_counted(self):
        self.assertEqual(soak_score.done([{"name": "cpu", "at_s": 1}, fault(1, 2)]), [fault(1, 2)])

    def test_lines_name_what_was_missed_and_what_was_false(self):
        lines = soak_score.finding_lines("live", [fault(40, 50), fault(90, 99, "disk", ["storage"])],
                                         [found(41, 50, told_s=44), found(70, 75, "memory")], 0.5)
        self.assertIn("live: disk: found 0 of 1, subsystem right 0", lines)
        self.assertIn("live: found 1 of 2; of no fault: 1 in 0.50 h", lines)
        self.assertIn("  5.0 s, memory: It rose", lines)
        self.assertIn("live: seconds from a fault's begin to the webhook: median 4.0, 95 % 4.0, most 4.0", lines)


class VerdictTest(unittest.TestCase):
    def test_lags_are_from_the_windows_end_and_leave_out_the_learning(self):
        verdicts = [{"at_ns": (at + lag) * S // 10, "judged_ns": at * S // 10}
                    for at, lag in ((10, 900), (1000, 5), (1010, 7), (1020, 12))]
        self.assertEqual(soak_score.verdict_line(verdicts, 100 * S),
                         "verdicts: 3 windows, seconds from a window's end: median 0.70, 95 % 1.20, 99 % 1.20, most 1.20")
        self.assertEqual(soak_score.verdict_line(verdicts[:1], 100 * S), "verdicts: none yet")

    def test_only_a_window_with_a_strength_is_judged(self):
        event = {"end": "2026-11-20T14:03:07.250Z", "strength": 0.4}
        self.assertEqual(watchers.judged_ns("window", event), watchers.wall_ns(event["end"]))
        self.assertIsNone(watchers.judged_ns("window", {"end": event["end"]}))
        self.assertIsNone(watchers.judged_ns("finding", event))


def samples(*rows):
    """Of (s, pid, CPU s, MB)."""
    return [Sample(at, "judge", pid, cpu, round(mb * 1e6), 0) for at, pid, cpu, mb in rows]


class CostTest(unittest.TestCase):
    def test_a_process_that_was_started_anew_counts_from_nothing(self):
        self.assertAlmostEqual(soak_score.cpu_share(samples((0, 1, 5.0, 1), (50, 1, 5.5, 1), (100, 2, 0.5, 1))), 0.01)

    def test_a_share_may_leave_out_the_beginning(self):
        mine = samples((0, 1, 0, 1), (10, 1, 9.0, 1), (110, 1, 10.0, 1))
        self.assertAlmostEqual(soak_score.cpu_share(mine, since_s=10), 0.01)
        self.assertTrue(math.isnan(soak_score.cpu_share(mine, since_s=100)))

    def test_a_slope_is_not_moved_by_a_peak(self):
        points = [(float(x), 3.0 * x + (500.0 if x == 7 else 0.0)) for x in range(2000)]
        self.assertAlmostEqual(soak_score.slope(points), 3.0)
        self.assertTrue(math.isnan(soak_score.slope([(1.0, 1.0)])))

    def test_memory_grows_by_the_day_once_it_has_settled(self):
        mine = samples(*((at, 1, 0, 40 + 2 * at / DAY_S if at >= 1200 else 5) for at in range(0, 7200, 30)))
        told = soak_score.memory(mine, 1200, "rss")
        self.assertAlmostEqual(told.per_day, 2.0, places=3)
        self.assertEqual((told.first, round(told.most)), (5, 40))

    def test_shares_are_added_up_moment_by_moment(self):
        def share(at, process, mb):
            return Sample(at, process, 1, 0.0, 0, round(mb * 1e6))

        agent = [share(9.99, "agent", 4), share(40.0, "agent", 5)]
        judge = [share(10.02, "judge", 30), share(40.1, "judge", 60)]
        self.assertEqual(soak_score.shares_by_moment([agent, judge]), [34.0, 65.0])

    def test_a_line_that_was_cut_off_is_left_out(self):
        text = f"{watchers.COST_HEADER}\n1000000000,agent,7,0.50,1000,10\n2000000000,agent,7,0.6"
        self.assertEqual(soak_score.samples_of(text), [Sample(1.0, "agent", 7, 0.5, 1000, 10)])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "lines"
            file.write_text('{"one": 1}\n{"two"')
            self.assertEqual(watchers.lines_of(file), [{"one": 1}])


class PlanTest(unittest.TestCase):
    def test_it_is_drawn_from_the_seed_and_keeps_its_bounds(self):
        hours = 8
        plan = neighbors.plan(3, hours * 3600)
        self.assertEqual(plan, neighbors.plan(3, hours * 3600))
        self.assertNotEqual(plan, neighbors.plan(4, hours * 3600))
        self.assertGreaterEqual(plan[0]["at_s"], neighbors.FIRST_S)
        self.assertLessEqual(plan[-1]["until_s"], hours * 3600 - neighbors.AFTER_S)
        for before, after in zip(plan, plan[1:]):
            self.assertGreaterEqual(after["at_s"] - before["until_s"], neighbors.LEAST_APART_S - 0.01)
        for one in plan:
            self.assertTrue(neighbors.SHORTEST_S - 0.01 <= one["until_s"] - one["at_s"] <= neighbors.LONGEST_S + 0.01)

    def test_one_comes_in_about_three_minutes(self):
        apart = [len(neighbors.plan(seed, 36_000)) for seed in range(20)]
        self.assertAlmostEqual(36_000 / (sum(apart) / len(apart)), neighbors.MEAN_APART_S, delta=25)
        names = {one["name"] for one in neighbors.plan(0, 36_000)}
        self.assertEqual(names, {one.name for one in neighbors.NEIGHBORS})


if __name__ == "__main__":
    unittest.main()
