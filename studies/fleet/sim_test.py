"""The plan and the score of the simulated fleet, on cases worked out by hand."""

import random
import unittest

import sim
import sim_score

FAULT = {"host": "s00003", "group": "role=g000", "kind": "slow_link", "subsystems": ("network",), "from_s": 200, "to_s": 207}


def incident(at_s=204, cause="s00003", group="role=g000", onset_s=200, subsystem="network", hosts=("s00003",), told="opened"):
    return {"at_s": at_s, "told": told, "id": "a", "group": group, "cause": cause, "subsystem": subsystem,
            "onset_s": onset_s, "hosts": list(hosts)}


class JudgedAfterTest(unittest.TestCase):
    TEXT = """# TYPE reveal_fleet_judged_after_seconds histogram
reveal_fleet_judged_after_seconds_bucket{le="1"} %d
reveal_fleet_judged_after_seconds_bucket{le="1.5"} %d
reveal_fleet_judged_after_seconds_bucket{le="+Inf"} %d
reveal_fleet_judged_after_seconds_sum %g
reveal_fleet_judged_after_seconds_count %d
reveal_fleet_groups 3
"""

    def test_shares_are_those_between_the_samples(self):
        after = sim.JudgedAfter(0)
        after.samples = [after.read(self.TEXT % one) for one in ((10, 10, 10, 9, 10), (10, 30, 30, 35, 30), (60, 70, 110, 209, 110))]
        self.assertEqual(after.samples[0], {"1": 10, "1.5": 10, "+Inf": 10, "sum": 9})
        self.assertEqual(after.result(), {"1": 0.5, "1.5": 0.6, "+Inf": 1, "sum": 2, "worst": 0.5})

    def test_without_samples_nothing_is_known(self):
        self.assertEqual(sim.JudgedAfter(0).result(), {})
        after = sim.JudgedAfter(0)
        after.samples = [{}, {}]
        self.assertEqual(after.result(), {})


class PlanTest(unittest.TestCase):
    def test_there_are_as_many_hosts_as_asked_for_in_groups_of_all_sizes(self):
        for hosts in (3, 100, 1000, 10_000):
            groups = sim.groups_of(hosts, 12)
            self.assertEqual(sum(one["hosts"] for one in groups), hosts)
            self.assertGreaterEqual(min(one["hosts"] for one in groups), 3)
        groups = sim.groups_of(10_000, 12)
        self.assertLessEqual(set(sim.SIZES), {one["hosts"] for one in groups})
        self.assertEqual({one["tape"] for one in groups}, set(range(12)))

    def test_faults_of_a_group_come_one_after_the_other_on_other_hosts(self):
        groups = sim.groups_of(1000, 12)
        tapes = sim.tapes_of(sorted(path.parent for path in sim.RECORDINGS.glob("*/truth.json")))
        faults = sim.faults_of(random.Random(1), groups, tapes, 600)
        self.assertGreater(len(faults), 20)
        self.assertEqual(len({one["number"] for one in faults}), len(faults))
        self.assertEqual({one["host"] for one in faults}, {f"s{one['number']:05d}" for one in faults})
        for group in groups:
            own = [one for one in faults if one["group"] == group["role"]]
            for one, following in zip(own, own[1:]):
                self.assertGreater(following["from_s"] - one["to_s"], sim_score.AFTER_S + 10)
        self.assertTrue(all(one["from_s"] >= sim.FIRST_S and one["to_s"] < 600 for one in faults))

    def test_every_fault_of_the_recordings_has_a_subsystem(self):
        tapes = sim.tapes_of(sorted(path.parent for path in sim.RECORDINGS.glob("*/truth.json")))
        kinds = {fault["fault"] for tape in tapes for fault in tape["faults"]}
        self.assertGreater(len(kinds), 6)
        for kind in kinds:
            self.assertTrue(sim.faults.FAULTS[kind].subsystems, kind)


class ScoreTest(unittest.TestCase):
    def score(self, *incidents, faults=(FAULT,)):
        return sim_score.score(list(faults), list(incidents), 1000, 725)

    def test_a_fault_that_is_named(self):
        out = self.score(incident(), incident(told="closed", at_s=222))
        self.assertEqual(out["kinds"]["all"], {"faults": 1, "told": 1, "right": 1, "subsystem": 1})
        self.assertEqual(out["kinds"]["slow_link"], out["kinds"]["all"])
        self.assertEqual((out["false"], out["after_s"]["p50"]), (0, 4))
        self.assertAlmostEqual(out["host_weeks"], 1000 * 600 / 604_800)

    def test_a_wrong_host_and_a_wrong_subsystem(self):
        out = self.score(incident(cause="s00004", hosts=("s00003", "s00004")))
        self.assertEqual(out["kinds"]["all"], {"faults": 1, "told": 1, "right": 0, "subsystem": 0})
        out = self.score(incident(subsystem="cpu"))
        self.assertEqual(out["kinds"]["all"], {"faults": 1, "told": 1, "right": 1, "subsystem": 0})

    def test_of_one_host_it_need_not_be_called_the_cause(self):
        self.assertEqual(self.score(incident(cause=None))["kinds"]["all"]["right"], 1)
        self.assertEqual(self.score(incident(cause=None, hosts=("s00003", "s00004")))["kinds"]["all"]["right"], 0)

    def test_what_is_of_no_fault_is_false(self):
        others = [incident(group="role=g001"), incident(at_s=150, onset_s=146), incident(at_s=230, onset_s=226),
                  incident(at_s=204, onset_s=190)]
        for other in others:
            out = self.score(other)
            self.assertEqual((out["kinds"]["all"]["told"], out["false"]), (0, 1), other)
        self.assertEqual(self.score(incident(told="updated"))["false"], 0)
        self.assertEqual(self.score(incident(), others[0])["false_by_subsystem"], {"network": 1})


if __name__ == "__main__":
    unittest.main()
