"""The trial's scores, on cases worked out by hand."""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))

import outcome  # noqa: E402 after the lab's folder is known
import table  # noqa: E402
from harm import Steps, harm  # noqa: E402
from made_steps import steps  # noqa: E402

S = 1_000_000_000


class HarmTest(unittest.TestCase):
    def test_steps_twice_as_long_are_half_of_the_work(self):
        told = harm(steps((0, 40, 0.1), (40, 50, 0.2), (50, 90, 0.1)), [(40 * S, 50 * S)], 0)
        self.assertAlmostEqual(told.share, 0.5, places=6)
        self.assertTrue(told.at_least(0.1))

    def test_a_job_that_stands_still_does_only_what_its_one_long_step_does(self):
        # One step of 2.1 s instead of 21: 20 of them were lost in the 2 s.
        told = harm(steps((0, 40, 0.1), (40, 42.1, 2.1), (42.1, 90, 0.1)), [(40 * S, 42 * S)], 0)
        self.assertAlmostEqual(told.share, 1 - 0.1 / 2.1, places=6)

    def test_rest_between_steps_is_no_work_and_no_harm(self):
        resting = Steps([(second * S, (second + 0.25) * S) for second in range(90)])
        self.assertAlmostEqual(harm(resting, [(40 * S, 50 * S)], 0).share, 0, places=6)

    def test_the_usual_is_what_no_other_disturbance_touches(self):
        told = harm(steps((0, 20, 0.1), (20, 38, 0.4), (38, 50, 0.1), (50, 90, 0.1)), [(40 * S, 50 * S), (20 * S, 37 * S)], 0)
        self.assertAlmostEqual(told.share, 0, places=6)

    def test_what_varies_as_much_by_itself_is_not_sure(self):
        uneven = [(second, second + 1, 0.1 if second % 2 else 0.2) for second in range(90)]
        self.assertFalse(harm(steps(*uneven), [(40 * S, 41 * S)], 0).at_least(0.1))

    def test_without_steps_nothing_is_known(self):
        self.assertTrue(math.isnan(harm(steps((0, 20, 0.1)), [(40 * S, 50 * S)], 0).share))


def finding(begin_s, end_s, subsystem="cpu", **fields):
    return {"begin": {"ns": begin_s * S}, "end": {"ns": end_s * S}, "subsystem": subsystem, "severity": 2.0,
            "severity_word": "moderate", "severity_basis": "work", "culprit_channel": "", "sufferer_channel": "",
            "culprit": "", "sufferer": "", "process": "", "patterns": [], "work": "", "claim": "It rose"} | fields


def pattern(name, **fields):
    return {"name": name, "against": [], "beside": False} | fields


def truth(*events):
    """Of (name, from s, to s), by the group `bad` and its process `hog`."""
    return {"piece": "made", "job": "ranks", "group": "job", "others_cores": [0, 0], "seconds": 100, "disturbances": [
        {"name": name, "origin": "own", "begin_ns": begin * S, "end_ns": end * S, "subsystems": ["cpu"], "group": "bad",
         "processes": ["hog"], "harmless": False} | more for name, begin, end, more in
        (event if len(event) == 4 else (*event, {}) for event in events)]}


SLOW = steps((0, 40, 0.1), (40, 50, 0.2), (50, 100, 0.1))


def judged(findings, changes=(), more=None):
    return outcome.judge(truth(("one", 40, 50, more or {})), {"findings": list(findings), "changes": list(changes)}, SLOW)


class OutcomeTest(unittest.TestCase):
    def test_the_finding_that_overlaps_most_is_the_one_that_counts(self):
        (one,) = judged([finding(38, 41, "memory"), finding(40.25, 50.5)]).outcomes
        self.assertEqual((one.found, one.more, one.subsystem_right), (True, 1, True))
        self.assertAlmostEqual(one.begin_error_s, 0.25)
        self.assertAlmostEqual(one.end_error_s, 0.5)

    def test_a_finding_two_seconds_away_is_of_nothing(self):
        for begin, false in ((51.9, 0), (52.1, 1)):
            told = judged([finding(begin, 60)])
            self.assertEqual((len(told.false), told.outcomes[0].found), (false, not false))

    def test_others_may_disturb_the_job_too(self):
        slow = steps((0, 40, 0.1), (40, 50, 0.2), (50, 70, 0.1), (70, 75, 0.2), (75, 100, 0.1))
        told = outcome.judge(truth(("one", 40, 50)), {"findings": [finding(70, 75)], "changes": []}, slow)
        ((_, cost),) = told.false
        self.assertAlmostEqual(cost.share, 0.5, places=6)

    def test_a_change_is_no_finding(self):
        (one,) = judged([], [finding(40, 50)]).outcomes
        self.assertEqual((one.found, one.change, one.named), (False, True, False))

    def test_a_culprit_is_named_by_its_group_or_by_its_process(self):
        for fields, by_group, by_process in (({"culprit_channel": "cpu_cgroup_seconds_total{cg=/bad}"}, True, False),
                                             ({"process": "hog"}, False, True), ({"process": "other"}, False, False)):
            (one,) = judged([finding(40, 50, **fields)]).outcomes
            self.assertEqual((one.by_group, one.by_process, one.named), (by_group, by_process, by_group or by_process))

    def test_a_channel_is_of_a_group_whose_ids_it_cuts_off(self):
        pod = "kubepods/pod0f3a2b1c-5d6e-4f70-8192-a3b4c5d6e7f8/3f2a9c5d1e7b40864fa1d2c3"
        for channel, same in (("x{cg=/kubepods/pod0f3a2b1c-5d6e/3f2a9c5d1e7b}", True), ("x{cg=/" + pod + ",dev=a}", True),
                              ("x{cg=/" + pod + "/within}", True), ("x{cg=/kubepods/pod0f3a2b1c-5d6e}", False),
                              ("x{cg=/kubepods/pod1f3a2b1c-5d6e/3f2a9c5d1e7b}", False), ("x{cg=/}", False), ("", False)):
            self.assertEqual(outcome._is_of(channel, pod), same, channel)

    def test_who_is_named_and_did_not_do_it_is_accused(self):
        for fields, accused in (({"culprit": "/other"}, "/other"), ({"process": "other"}, "other"), ({}, ""),
                                ({"culprit": "/bad", "culprit_channel": "x{cg=/bad}", "process": "other"}, "")):
            (one,) = judged([finding(40, 50, **fields)]).outcomes
            self.assertEqual(one.accused, accused)

    def test_whoever_was_stopped_is_not_accused(self):
        for name, accused, advice in (("process_stopped", "", "right"), ("group_frozen", "", "right"),
                                      ("cpu_contention", "python3", "right")):
            (one,) = judged([finding(40, 50, process="python3", patterns=[pattern(name)])]).outcomes
            self.assertEqual((one.accused, one.advice, one.contradictions), (accused, advice, ()))

    def test_of_a_limit_on_the_job_who_suffers_is_the_culprit(self):
        told = finding(40, 50, sufferer_channel="cpu_cgroup_throttled_seconds_total{cg=/job}")
        for group, named in (("job", True), ("bad", False)):
            (one,) = judged([told], more={"group": group}).outcomes
            self.assertIs(one.by_group, named)

    def test_without_a_culprit_there_is_nobody_to_name(self):
        (one,) = judged([finding(40, 50)], more={"group": "", "processes": []}).outcomes
        self.assertIsNone(one.named)

    def test_advice_is_that_of_the_likeliest_pattern_of_the_finding_itself(self):
        for patterns, advice in (([pattern("cpu_contention")], "right"), ([pattern("disk_saturated")], "wrong"), ([], "none"),
                                 ([pattern("disk_saturated", beside=True), pattern("cpu_quota")], "right"),
                                 ([pattern("swapping", against=[{}])], "none")):
            (one,) = judged([finding(40, 50, patterns=patterns)]).outcomes
            self.assertEqual(one.advice, advice)

    def test_sentences_that_refute_each_other_are_told(self):
        for fields, some in (({}, False), ({"culprit_channel": "c", "culprit": "/a", "sufferer": "/a"}, True),
                             ({"patterns": [pattern("disk_saturated")]}, True), ({"patterns": [pattern("cpu_quota")]}, False),
                             ({"work": "Work: /a kept its usual rate: 77 %.", "work_rate": 0.77}, True),
                             ({"work": "Work: /a kept its usual rate: 99 %.", "work_rate": 0.99}, False),
                             ({"severity_word": "major", "work_rate": 1.0}, True), ({"remedy": "Do this."}, True)):
            (one,) = judged([finding(40, 50, **fields)]).outcomes
            self.assertEqual(bool(one.contradictions), some, fields)


class TotalsTest(unittest.TestCase):
    def totals(self, findings, more=None):
        told = judged(findings, more=more)
        return table.table([told])

    def test_what_harms_counts_as_found_or_missed(self):
        self.assertIn("found of those with harm of 10 % or more (aim 95 %): 1 of 1, 100 %", self.totals([finding(40, 50)]))
        self.assertIn("found of those with harm of 10 % or more (aim 95 %): 0 of 1, 0 %", self.totals([]))

    def test_a_control_that_did_harm_is_no_harmless_one(self):
        self.assertIn("findings of a harmless one (aim 0): 0 of 0", self.totals([finding(40, 50)], {"harmless": True}))

    def test_errors_are_sizes(self):
        self.assertIn("error of begin (aim 0.3 s): median 0.25 s", self.totals([finding(39.75, 50)]))

    def test_what_lies_elsewhere_is_found_of_nothing(self):
        self.assertIn("findings of none of these: 1 in", self.totals([finding(70, 75)]))


if __name__ == "__main__":
    unittest.main()
