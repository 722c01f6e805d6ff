"""The codes for computing compute what they say: against formulas, numpy and sorted()."""

import pathlib
import tempfile
import unittest

import numeric
import numpy as np


class Numeric(unittest.TestCase):
    def test_heat_decays_as_a_sine_does(self):
        side = 33
        wave = np.sin(np.pi * np.arange(side) / (side - 1))
        heat = numeric.Heat(np.outer(wave, wave))
        for _ in range(50):
            heat.step()
        # Each direction's second difference of this sine is 2 cos(pi / (side - 1)) - 2 times the sine.
        factor = 1 + 2 * numeric.SPREAD * (2 * np.cos(np.pi / (side - 1)) - 2)
        np.testing.assert_allclose(heat.field, factor ** 50 * np.outer(wave, wave), atol=1e-12)

    def test_the_field_comes_back(self):
        field = np.random.default_rng(1).random((6, 5, 8))
        np.testing.assert_allclose(numeric.there_and_back(field), field)

    def test_numbers_are_sorted_and_files_gone(self):
        numbers = np.random.default_rng(2).integers(0, 1 << 62, 10_000)
        with tempfile.TemporaryDirectory() as folder:
            out = list(numeric.sort_by_files(numbers, 999, pathlib.Path(folder)))
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])
        self.assertEqual(out, sorted(numbers.tolist()))

    def test_text_is_packed(self):
        text = b"to be or not to be " * 500
        for size in numeric.packed_sizes(text):
            self.assertLess(size, len(text) // 10)

    def test_ranks_are_those_of_the_dense_matrix(self):
        nodes = 40
        matrix = numeric.links(nodes, 120, np.random.default_rng(3))
        dense = matrix.toarray()
        without_links = dense.sum(axis=0) == 0
        self.assertTrue(without_links.any())
        dense[:, without_links] = 1 / nodes
        google = numeric.DAMPING * dense + (1 - numeric.DAMPING) / nodes
        values, vectors = np.linalg.eig(google)
        wanted = np.real(vectors[:, np.argmax(np.real(values))])
        np.testing.assert_allclose(numeric.ranks(matrix, 200), wanted / wanted.sum(), atol=1e-10)


if __name__ == "__main__":
    unittest.main()
