"""The lab's scores, on cases worked out by hand."""

import json
import math
import pathlib
import tempfile
import unittest

import score

S = 1_000_000_000


def finding(begin_s, end_s, first, second):
    return {"begin": {"ns": begin_s * S}, "end": {"ns": end_s * S},
            "subsystem_shares": {first: 0.7, second: 0.3, "gpu": 0.0}}


class TallyTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def scenario(self, faults, *hosts):
        truth = {"scenario": "made", "hosts": len(hosts), "seconds": 100,
                 "faults": [{"event": number, "fault": name, "strength": 1, "host": 0, "begin_ns": begin * S,
                             "end_ns": end * S} for number, (name, begin, end) in enumerate(faults)]}
        (self.folder / "truth.json").write_text(json.dumps(truth))
        for number, findings in enumerate(hosts):
            (self.folder / f"host{number}").mkdir()
            (self.folder / f"host{number}" / "report.json").write_text(json.dumps({"findings": findings}))
        return score.tally(self.folder)

    def test_a_fault_of_one_host_is_expected_there_alone(self):
        one = self.scenario([("packet_loss", 20, 30)], [finding(19, 31, "network", "cpu")], [])
        self.assertEqual([(outcome.found, outcome.first) for outcome in one.outcomes], [(True, True)])
        self.assertEqual(one.outcomes[0].delay_s, 2.0)

    def test_a_fault_of_the_machine_is_expected_on_every_host(self):
        one = self.scenario([("swap", 20, 30)], [finding(20, 31, "cpu", "storage")], [])
        self.assertEqual([(outcome.found, outcome.first, outcome.second) for outcome in one.outcomes],
                         [(True, False, True), (False, False, False)])
        self.assertTrue(math.isnan(one.outcomes[1].delay_s))

    def test_a_finding_at_another_time_is_false_and_one_that_settles_is_not(self):
        one = self.scenario([("swap", 20, 30)], [finding(36, 39, "memory", "cpu"), finding(50, 53, "cpu", "gpu")])
        self.assertEqual((one.false_findings, one.outcomes[0].found), (1, False))
        self.assertAlmostEqual(one.hours, 90 / 3600)

    def test_a_starved_recorder_is_no_fault_of_the_host(self):
        one = self.scenario([("starved_recorder", 20, 30)], [finding(25, 28, "cpu", "memory")])
        self.assertEqual((one.outcomes, one.false_findings), ([], 1))

    def test_harm_is_of_the_job(self):
        (self.folder / "steps0.jsonl").write_text("".join(
            json.dumps({"end_ns": s * S, "ms": 300 if 20 <= s < 30 else 100}) + "\n" for s in range(100)))
        one = self.scenario([("swap", 20, 30)], [])
        self.assertEqual(one.outcomes[0].harm, 3.0)

    def test_a_job_that_stands_still_is_harmed_for_all_the_time(self):
        steps = [{"end_ns": s * S, "ms": 100} for s in range(100) if not 20 <= s < 40]
        self.assertEqual(score.harm(steps, 20 * S, 40 * S), 200.0)


class TableTest(unittest.TestCase):
    def test_the_weakest_come_first(self):
        outcomes = [score.Outcome("a", "swap", 64, 2.0, True, 1, 3.0, True, True),
                    score.Outcome("a", "packet_loss", 100, 1.0, False, 0, math.nan, False, False)]
        lines = score.table("made", [score.Tally(outcomes, 1, 0.5)]).splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:]], ["packet_loss", "swap", "all", "those", "false"])
        self.assertIn("2.0 an hour", lines[-1])

    def test_a_share_has_its_interval(self):
        low, high = score.wilson(8, 10)  # Newcombe (1998), table I's method 3 for 8 of 10: 0.4901, 0.9433
        self.assertAlmostEqual(low, 0.4901, 3)
        self.assertAlmostEqual(high, 0.9433, 3)


if __name__ == "__main__":
    unittest.main()
