"""The plan and the counts of the study of killed analysers, on cases worked out by hand."""

import json
import pathlib
import random
import tempfile
import unittest

import failover
import failover_score
from failover_score import S

BEGIN_NS = 1_000 * S


def incident(name, host, from_s, to_s, state="closed"):
    return {"id": name, "name": f"n{host:02d}", "state": state, "revision": 2, "onset_ns": BEGIN_NS + from_s * S,
            "end_ns": BEGIN_NS + to_s * S}


def told(name, *words):
    return [{"id": name, "told": word, "revision": number + 1, "run": 0, "at_ns": 0} for number, word in enumerate(words)]


def piece(faults, incidents, lines, kills=()):
    return {"piece": 1, "seed": 1, "begin_ns": BEGIN_NS, "incidents": incidents, "told": lines, "kills": list(kills),
            "faults": [{"host": host, "from_s": from_s, "to_s": to_s} for host, from_s, to_s in faults]}


class PlanTest(unittest.TestCase):
    def test_each_host_is_slow_at_most_once_and_after_the_one_before(self):
        faults = failover.faults_of(random.Random("1:1"), 840)
        self.assertGreater(len(faults), 20)
        self.assertEqual(len({one.host for one in faults}), len(faults))
        self.assertGreaterEqual(faults[0].from_s, failover.LEARNING_S)
        self.assertLessEqual(faults[-1].to_s + failover.LAST_S, 840)
        for one, following in zip(faults, faults[1:]):
            # Those that begin within ten seconds are one incident.
            self.assertGreater(following.from_s - one.from_s, 10)
            self.assertGreater(following.from_s, one.to_s)

    def test_it_follows_from_the_seed(self):
        self.assertEqual(failover.faults_of(random.Random("1:2"), 300), failover.faults_of(random.Random("1:2"), 300))
        self.assertNotEqual(failover.faults_of(random.Random("1:2"), 300), failover.faults_of(random.Random("1:3"), 300))


class ScoreTest(unittest.TestCase):
    def test_each_fault_has_one_incident_that_was_told_once(self):
        kills = [{"at_ns": 0, "was_judge": True, "judged_again_s": 5.0}, {"at_ns": 1, "was_judge": False, "judged_again_s": None}]
        out = failover_score.score(piece([(3, 200, 210), (4, 230, 240)], [incident("a", 3, 201, 214), incident("b", 4, 229, 243)],
                                         told("a", "opened", "closed") + told("b", "opened", "updated", "closed"), kills))
        self.assertEqual({name: count for name, count in out.items() if count},
                         {"faults": 2, "kills": 2, "of_judges": 1})

    def test_what_is_wrong_is_counted(self):
        incidents = [incident("a", 3, 201, 205), incident("b", 3, 208, 214), incident("c", 5, 300, 310, "open"),
                     incident("d", 4, 230, 234, "ended_unseen")]
        lines = told("a", "opened", "closed") + told("a", "opened") + told("b", "opened", "closed") + told("c", "opened")
        lines += told("d", "opened", "closed")
        out = failover_score.score(piece([(3, 200, 210), (4, 230, 240), (6, 330, 340)], incidents, lines,
                                         [{"at_ns": 0, "was_judge": True, "judged_again_s": None}]))
        self.assertEqual(dict(out), {"faults": 3, "kills": 1, "of_judges": 1, "lost": 1, "doubled": 1, "of_no_fault": 1,
                                     "left_open": 1, "end_unseen": 1, "printed_twice": 1, "opened_twice": 1, "never_printed": 1,
                                     "not_judged_again": 1})

    def test_another_host_or_another_time_is_none_of_it(self):
        out = failover_score.score(piece([(3, 200, 210)], [incident("a", 13, 200, 210), incident("b", 3, 216, 220)], []))
        self.assertEqual((out["lost"], out["of_no_fault"]), (1, 2))

    def test_pieces_are_added_in_their_order(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            for number in (2, 10, 1):
                one = piece([(3, 200, 210)], [incident("a", 3, 200, 210)], told("a", "opened", "closed"),
                            [{"at_ns": 0, "was_judge": True, "judged_again_s": float(number)}])
                (out / f"piece_{number}.json").write_text(json.dumps(one), encoding="ascii")
            found = failover_score.pieces(out)
        self.assertEqual(failover_score.takeovers(found), [1.0, 2.0, 10.0])
        table = failover_score.table(found)
        self.assertRegex(table, r"faults +3\n")
        self.assertRegex(table, r"median, worst  2.0, 10.0$")


if __name__ == "__main__":
    unittest.main()
