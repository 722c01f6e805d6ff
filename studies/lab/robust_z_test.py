"""The lab's simple peer, on a run worked out by hand."""

import unittest

import numpy as np

import robust_z

S = 1_000_000_000


class RobustZTest(unittest.TestCase):
    def setUp(self):
        # 42 windows of ten channels that are 99, 100 and 101 in turn: median 100, MAD 1, also where a
        # few are far out. Two channels stand still.
        self.means = np.column_stack([99 + np.arange(42) % 3] * 10 + [np.full(42, 7)] * 2).astype(float)
        self.begin = np.arange(42) * S
        self.subsystem_of = ["cpu"] * 4 + ["network"] * 6 + ["memory"] * 2

    def findings(self):
        far = robust_z.far_out(self.means)
        return robust_z.findings_in(self.begin, self.begin + 3 * S, far, self.subsystem_of)

    def test_nothing_far_out_is_nothing_found(self):
        self.assertEqual(self.findings(), [])

    def test_windows_that_touch_are_one_finding(self):
        limit = robust_z.FAR * robust_z.MAD_OF_NORMAL
        self.means[10:12, 4:10] = 100 + limit + 0.1
        self.means[30, 0] = 100 - limit - 0.1
        self.means[30, 4:7] = 100 - limit - 0.1
        self.means[20, :] = 100 + limit - 0.1
        self.means[20, 10:] = 7  # what never moves is not looked at
        first, second = self.findings()
        self.assertEqual((first["begin"]["ns"], first["end"]["ns"]), (10 * S, 14 * S))
        self.assertEqual(first["subsystem_shares"]["network"], 1)
        # One in four of the processor's channels, three in six of the network's.
        self.assertAlmostEqual(second["subsystem_shares"]["network"], 2 / 3)
        self.assertAlmostEqual(second["subsystem_shares"]["cpu"], 1 / 3)


if __name__ == "__main__":
    unittest.main()
