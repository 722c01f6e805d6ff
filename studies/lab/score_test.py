"""The lab's scores, on cases worked out by hand."""

import json
import math
import pathlib
import tempfile
import unittest

import score
import score_table
from intervals import byar, wilson

S = 1_000_000_000


def finding(begin_s, end_s, first, second="gpu", agreement=2):
    """Of every window that lies in it; one begins each second."""
    return {"begin": {"ns": begin_s * S}, "end": {"ns": end_s * S}, "agreement": agreement,
            "windows": [{"id": name} for name in range(begin_s, end_s - 2)],
            "subsystem_shares": {"gpu": 0.0, first: 0.7, second: 0.3}}


class TallyTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def scenario(self, faults, *hosts, **truth):
        """100 s that begin at second 0, so window n begins at second n; faults of host 0."""
        truth = {"scenario": "made", "hosts": len(hosts), "seconds": 100, "elastic": False,
                 "faults": [{"event": number, "fault": name, "strength": 1, "host": 0, "begin_ns": begin * S,
                             "end_ns": end * S} for number, (name, begin, end) in enumerate(faults)]} | truth
        (self.folder / "truth.json").write_text(json.dumps(truth))
        windows = {"id": list(range(98)), "begin_ns": [name * S for name in range(98)]}
        for number, findings in enumerate(hosts):
            (self.folder / f"host{number}").mkdir()
            (self.folder / f"host{number}" / "report.json").write_text(json.dumps(
                {"run": {"begin": {"ns": 0}}, "windows": windows, "findings": findings}))
        return score.tally(self.folder)

    def test_a_fault_of_one_host_is_expected_there_alone(self):
        one = self.scenario([("packet_loss", 20, 30)], [finding(19, 31, "network", "cpu")], [])
        self.assertEqual([(outcome.found, outcome.first) for outcome in one.outcomes], [(True, True)])
        self.assertEqual(one.outcomes[0].delay_s, 2.0)

    def test_edges_are_those_of_the_first_and_the_last_finding(self):
        told = finding(19, 31, "network") | {"begin": {"ns": 20.25 * S}}
        one = self.scenario([("packet_loss", 20, 30)], [told, finding(28, 34, "network")])
        self.assertEqual((one.outcomes[0].begin_off_s, one.outcomes[0].end_off_s), (0.25, 4.0))
        self.assertEqual(one.outcomes[0].delay_s, 2.0)  # by windows, whatever the edges

    def test_a_fault_of_the_machine_is_expected_on_every_host(self):
        one = self.scenario([("swap", 20, 30)], [finding(20, 31, "cpu", "storage")], [])
        self.assertEqual([(outcome.found, outcome.first, outcome.second) for outcome in one.outcomes],
                         [(True, False, True), (False, False, False)])
        self.assertTrue(math.isnan(one.outcomes[1].delay_s))

    def test_windows_of_a_fault_are_those_half_in_it(self):
        # From 18.5 to 28.5: the ten that begin at 19 to 28. Of these, 26 to 28 are flagged, and 29 is none.
        one = self.scenario([("swap", 20, 30)], [finding(26, 32, "memory", "cpu")])
        self.assertEqual((one.outcomes[0].windows, one.outcomes[0].flagged), (10, 3))

    def test_the_right_host_is_the_one_that_shows_most(self):
        weak, strong, long = (finding(20, 30, "network"), finding(20, 30, "network", agreement=3),
                              finding(20, 31, "network"))
        for mine, other, right in (([weak], [], True), ([], [weak], False), ([], [], None), ([weak], [weak], False),
                                   ([strong], [long], True), ([weak], [long], False), ([weak, strong], [weak], True),
                                   ([weak], [finding(60, 90, "cpu", agreement=4)], True)):
            with self.subTest(mine=mine, other=other), tempfile.TemporaryDirectory() as folder:
                self.folder = pathlib.Path(folder)
                one = self.scenario([("packet_loss", 20, 30)], mine, other)
                self.assertIs(one.outcomes[0].right_host, right)

    def test_what_comes_from_another_host_is_not_the_right_one(self):
        weak, strong = finding(20, 30, "network"), finding(20, 30, "network", agreement=4)
        pattern = {"cause": "other_end", "against": []}
        argued = {"cause": "other_end", "against": [{"channel": "network_tcp_out_of_order_total"}]}
        for of_the_other, right in (([pattern], True), ([argued], False), ([argued, pattern], True),
                                    ([{"cause": "here", "against": []}, pattern], False)):
            with self.subTest(of_the_other=of_the_other), tempfile.TemporaryDirectory() as folder:
                self.folder = pathlib.Path(folder)
                one = self.scenario([("packet_loss", 20, 30)], [weak], [strong | {"patterns": of_the_other}])
                self.assertIs(one.outcomes[0].right_host, right)

    def test_what_all_hosts_see_has_no_right_host(self):
        one = self.scenario([("swap", 20, 30)], [finding(20, 30, "memory", "cpu")], [])
        self.assertEqual([outcome.right_host for outcome in one.outcomes], [None, None])

    def test_a_finding_at_another_time_is_false_and_one_that_settles_is_not(self):
        one = self.scenario([("swap", 30, 40)], [finding(46, 49, "memory", "cpu"), finding(60, 63, "cpu", "gpu")])
        self.assertEqual((one.false_findings, one.outcomes[0].found), (1, False))
        # 98 windows, less the 20 from 28, the first that ends in the fault, to 47, the last before 48.
        self.assertAlmostEqual(one.hours, 78 / 3600)
        # And 22 of these are the job's start.
        self.assertAlmostEqual(one.quiet[score.ELASTIC].hours, 22 / 3600)
        self.assertAlmostEqual(one.quiet[score.BESIDE].hours, 56 / 3600)
        self.assertEqual(one.quiet[score.BESIDE].false_findings, 1)

    def test_false_findings_are_told_apart_by_what_the_job_did(self):
        start, later = finding(10, 20, "cpu"), finding(50, 60, "cpu")
        for truth, expected in (({}, {score.STEADY: 1, score.ELASTIC: 1, score.BESIDE: 0}),
                                ({"elastic": True}, {score.STEADY: 0, score.ELASTIC: 2, score.BESIDE: 0})):
            with self.subTest(truth), tempfile.TemporaryDirectory() as folder:
                self.folder = pathlib.Path(folder)
                one = self.scenario([], [start, later], **truth)
                self.assertEqual({kind: quiet.false_findings for kind, quiet in one.quiet.items()}, expected)
        self.assertEqual(one.quiet[score.STEADY].hours, 0)

    def test_recordings_of_earlier_labs_are_known_by_name(self):
        self.assertTrue(score.is_elastic({"scenario": "pause"}))
        self.assertTrue(score.is_elastic({"scenario": "stops"}))
        self.assertFalse(score.is_elastic({"scenario": "steady"}))

    def test_a_starved_recorder_is_no_fault_of_the_host(self):
        one = self.scenario([("starved_recorder", 30, 40)], [finding(35, 38, "cpu", "memory")])
        self.assertEqual((one.outcomes, one.quiet[score.STEADY].false_findings), ([], 1))
        self.assertAlmostEqual(one.hours, 98 / 3600)

    def test_harm_is_of_the_job(self):
        (self.folder / "steps0.jsonl").write_text("".join(
            json.dumps({"end_ns": s * S, "ms": 300 if 20 <= s < 30 else 100}) + "\n" for s in range(100)))
        one = self.scenario([("swap", 20, 30)], [])
        self.assertEqual(one.outcomes[0].harm, 3.0)

    def test_a_job_that_stands_still_is_harmed_for_all_the_time(self):
        steps = [{"end_ns": s * S, "ms": 100} for s in range(100) if not 20 <= s < 40]
        self.assertEqual(score.harm(steps, 20 * S, 40 * S), 200.0)


def outcome(fault, run="a-0", event=0, **known):
    told = dict(strength=1, harm=1.0, findings=1, delay_s=3.0, windows=10, flagged=5, begin_off_s=-2.0, end_off_s=3.0,
                first=True, second=True, right_host=None) | known
    return score.Outcome(run, event, fault, **told)


def tally(*outcomes, steady=(0, 0.5), elastic=(0, 0.0), beside=(0, 0.0)):
    return score.Tally("a", list(outcomes), {
        score.STEADY: score.Quiet(*steady), score.ELASTIC: score.Quiet(*elastic), score.BESIDE: score.Quiet(*beside)})


class TableTest(unittest.TestCase):
    def test_the_weakest_come_first(self):
        lines = score_table.table("made", [tally(
            outcome("swap", harm=2.0), outcome("packet_loss", event=1, findings=0, delay_s=math.nan, flagged=0,
                                               first=False, second=False))]).splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:5]], ["packet_loss", "swap", "all", "those"])

    def test_edges_are_off_by_the_median_of_sizes(self):
        lines = score_table.table("made", [tally(
            outcome("swap", begin_off_s=-0.1, end_off_s=4.0), outcome("swap", event=1, begin_off_s=0.3, end_off_s=-1.0),
            outcome("swap", event=2, begin_off_s=-2.0, end_off_s=0.2))]).splitlines()
        self.assertEqual(lines[1].split()[10:12], ["0.30", "1.00"])

    def test_runs_are_pooled_and_a_fault_counts_once_in_its_interval(self):
        # One fault seen by two hosts of one run, and again in another: two faults, four sights, three found.
        lines = score_table.table("made", [
            tally(outcome("swap"), outcome("swap", findings=0, delay_s=math.nan, flagged=0)),
            tally(outcome("swap", run="a-1"), outcome("swap", run="a-1", first=False))]).splitlines()
        # Wilson of 1.5 of 2 by hand: middle (0.75 + 3.8416/4) / (1 + 3.8416/2) = 0.5856, spread
        # 1.96 sqrt(0.75 * 0.25 / 2 + 3.8416/16) / 2.9208 = 0.3878.
        self.assertEqual(lines[1].split()[3:10], ["2", "4", "1.00", "0.75", "0.20-0.97", "0.38", "3.00"])
        self.assertIn("of 2 runs of 1 scenarios", lines)
        self.assertTrue(lines[4].startswith("subsystem first: 0.67 "), lines[4])

    def test_the_right_host_is_a_share_of_what_was_noticed(self):
        text = score_table.table("made", [tally(
            outcome("packet_loss", right_host=True), outcome("packet_loss", event=1, right_host=False),
            outcome("packet_loss", event=2, findings=0, delay_s=math.nan, right_host=None))])
        self.assertIn("right host: 0.50 (0.09-0.91) of 2 faults", text)
        self.assertEqual(text.splitlines()[1].split()[-1], "0.50")

    def test_no_share_is_below_nothing(self):
        text = score_table.table("made", [tally(
            *(outcome("packet_loss", event=one, right_host=False) for one in range(5)))])
        self.assertIn("right host: 0.00 (0.00-0.43) of 5 faults", text)

    def test_rates_are_of_each_kind_of_time(self):
        text = score_table.table("made", [tally(steady=(1, 0.5), elastic=(4, 0.5)), tally(steady=(0, 0.5))])
        # Exact Poisson intervals: 0.025-5.57 of one, 1.09-10.24 of four.
        self.assertIn("steady: 1 in 1.00 host-hours, 1.0 an hour (0.0-5.6)", text)
        self.assertIn("elastic: 4 in 0.50 host-hours, 8.0 an hour (2.2-20.5)", text)
        self.assertNotIn(score.BESIDE, text)


class IntervalsTest(unittest.TestCase):
    def test_a_share_has_its_interval(self):
        low, high = wilson(8, 10)  # Newcombe (1998), table I's method 3 for 8 of 10: 0.4901, 0.9433
        self.assertAlmostEqual(low, 0.4901, 3)
        self.assertAlmostEqual(high, 0.9433, 3)

    def test_a_rate_has_its_interval(self):
        # Exact (Garwood 1936), from any table of the Poisson distribution.
        for count, low, high in ((1, 0.025, 5.572), (4, 1.090, 10.242), (10, 4.795, 18.390), (50, 37.111, 65.919)):
            for bound, exact in zip(byar(count), (low, high), strict=True):
                self.assertAlmostEqual(bound, exact, delta=0.03)
        self.assertEqual(byar(0)[0], 0)
        self.assertAlmostEqual(byar(0)[1], 3.689, delta=0.03)


if __name__ == "__main__":
    unittest.main()
