"""The lab's peer by k-means, on series worked out by hand."""

import unittest

import numpy as np

import k_means


class KMeansTest(unittest.TestCase):
    def test_a_point_is_the_last_six_smoothed_changes(self):
        values = np.array([[0.0], [3], [3], [9], [9], [9], [9]])
        # Changes 0 3 0 6 0 0 0; means of three of them (of fewer at the start): 0 1.5 1 3 2 2 0.
        points = k_means.points_of(values)
        np.testing.assert_allclose(points[6, 0], [1.5, 1, 3, 2, 2, 0])
        np.testing.assert_allclose(points[0, 0], np.zeros(6))

    def test_what_lies_farther_than_anything_usual_is_unusual(self):
        usual = np.random.default_rng(0).normal(size=(200, 6))
        judged = np.concatenate([usual[:5] / 2, usual[:1] + 50])
        self.assertEqual(k_means.unusual(usual, judged).tolist(), [False] * 5 + [True])

    def test_what_never_changes_is_not_fitted(self):
        self.assertFalse(k_means.unusual(np.zeros((50, 6)), np.ones((3, 6))).any())

    def test_a_jump_is_judged_by_the_rest_of_the_run(self):
        values = np.random.default_rng(1).normal(size=(120, 2))
        values[50, 0] += 40
        far = k_means.far_out(values)
        self.assertTrue(far[50:53, 0].all())
        self.assertFalse(far[50:53, 1].any())


if __name__ == "__main__":
    unittest.main()
