"""What methods are compared by, on cases worked out by hand."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))

import methods  # noqa: E402 after the lab's folder is known
from made_steps import steps  # noqa: E402
from outcome import Told  # noqa: E402

S = 1_000_000_000


def event(begin_s, end_s, *subsystems, harmless=False):
    return {"begin_ns": begin_s * S, "end_ns": end_s * S, "subsystems": subsystems, "harmless": harmless}


def told(begin_s, end_s, subsystem="cpu"):
    return Told(begin_s * S, end_s * S, subsystem)


class RowTest(unittest.TestCase):
    def setUp(self):
        self.truth = {"seconds": 100, "disturbances": [event(40, 50, "cpu"), event(70, 75, "network", harmless=True)]}
        self.steps = steps((0, 40, 0.1), (40, 50, 0.2), (50, 100, 0.1))

    def row(self, *findings):
        out = methods.Row()
        out.add(self.truth, list(findings), self.steps)
        return out

    def test_nothing_found(self):
        out = self.row()
        self.assertEqual((out.found, out.harmful, out.harmless_found, out.harmless, out.of_nothing), (0, 1, 0, 1, 0))
        self.assertEqual(out.seconds, 100)

    def test_the_finding_that_overlaps_most_has_the_subsystem(self):
        self.assertEqual(self.row(told(38, 41, "memory"), told(42, 50)).subsystem_right, 1)
        self.assertEqual(self.row(told(38, 48, "memory"), told(49, 50)).subsystem_right, 0)

    def test_a_control_that_is_found_is_not_of_nothing(self):
        out = self.row(told(71, 74))
        self.assertEqual((out.harmless_found, out.of_nothing, out.found), (1, 0, 0))

    def test_of_nothing_is_told_by_whether_the_job_lost_anything(self):
        self.steps = steps((0, 20, 0.1), (20, 25, 0.3), (25, 40, 0.1), (40, 50, 0.2), (50, 100, 0.1))
        out = self.row(told(20, 25), told(60, 63))
        self.assertEqual((out.of_nothing, out.of_nothing_without_loss, out.flagged_s), (2, 1, 8))


class ToldTest(unittest.TestCase):
    def test_a_peer_tells_shares_only(self):
        fields = {"begin": {"ns": 1}, "end": {"ns": 2}, "subsystem_shares": {"cpu": 0.2, "network": 0.8}}
        self.assertEqual(methods.told(fields), Told(1, 2, "network"))
        self.assertEqual(methods.told(fields | {"subsystem": "cpu"}).subsystem, "cpu")


if __name__ == "__main__":
    unittest.main()
