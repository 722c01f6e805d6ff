"""What is known of the trial before anything runs."""

import collections
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))

import culprits  # noqa: E402 after the lab's folder is known
import plan  # noqa: E402
import tools  # noqa: E402
from disturbances import DISTURBANCES, OTHERS, OWN, VIEW  # noqa: E402

SUBSYSTEMS = {"cpu", "memory", "storage", "network", "gpu"}


class RegistryTest(unittest.TestCase):
    def test_it_has_as_many_of_each_origin_as_were_promised(self):
        self.assertEqual(collections.Counter(one.origin for one in DISTURBANCES), {VIEW: 19, OTHERS: 22, OWN: 20})

    def test_rows_are_told_apart_and_can_be_judged(self):
        both = DISTURBANCES + tools.TOOLS
        self.assertEqual(len({one.name for one in both}), len(both))
        for one in both:
            with self.subTest(one.name):
                self.assertLessEqual(set(one.subsystems), SUBSYSTEMS)
                self.assertTrue(one.subsystems)
                self.assertTrue(all(len(name) <= 15 for name in one.processes))  # what the kernel keeps of a name


class PlanTest(unittest.TestCase):
    def test_every_disturbance_comes_once_beside_its_job(self):
        for seed in range(5):
            events = [(event.what, piece.job) for piece in plan.plan(seed) for event in piece.events]
            self.assertCountEqual([what.name for what, _ in events], [one.name for one in DISTURBANCES])
            self.assertTrue(all(what.job == job for what, job in events))

    def test_disturbances_lie_apart_and_within_the_recording(self):
        for seed in range(5):
            for piece in plan.plan(seed):
                with self.subTest(piece.name, seed=seed):
                    ends = [0.0] + [event.until_s + event.what.lingers_s for event in piece.events]
                    for end, event in zip(ends, piece.events, strict=False):
                        self.assertGreaterEqual(event.at_s - end, 4)
                        self.assertTrue(event.at_s >= plan.FIRST_S)
                    for one, next_one in zip(piece.events, piece.events[1:], strict=False):
                        self.assertGreaterEqual(next_one.at_s - one.until_s, plan.GAP_S)
                    self.assertLessEqual(ends[-1], piece.seconds)

    def test_sets_are_planned_apart(self):
        events = [event.what for piece in plan.plan(0, of=tools.TOOLS) for event in piece.events]
        self.assertCountEqual(events, tools.TOOLS)

    def test_the_small_job_starts_twice_and_is_gone_before_the_end(self):
        for piece in plan.plan(0):
            times = [at for span in piece.beside for at in span]
            self.assertEqual(len(times), 4)
            self.assertEqual(times, sorted(times))
            self.assertLess(times[-1], piece.seconds)

    def test_seeds_repeat_and_differ(self):
        self.assertEqual(plan.plan(3), plan.plan(3))
        self.assertNotEqual(plan.plan(3), plan.plan(4))

    def test_pieces_are_chosen_by_their_own_name_or_by_a_disturbance(self):
        (chosen,) = plan.plan(0, ["quota"])
        self.assertIn("quota", [event.what.name for event in chosen.events])
        self.assertEqual(plan.plan(0, [chosen.name]), [chosen])
        self.assertEqual(plan.plan(0, ["nothing_of_that_name"]), [])


class CulpritsTest(unittest.TestCase):
    def test_kinds_have_names_of_their_own(self):
        self.assertEqual(len(culprits.KINDS), len(culprits.ALONE) + len(culprits.COUNTED))


if __name__ == "__main__":
    unittest.main()
