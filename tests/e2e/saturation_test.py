"""The detector of what stalls work: its scores on a recording of a lossy network are what numpy
makes of the levels that `reveal features` prints, by the rules of docs/scores.md."""

import csv
import io
import math
import os
import pathlib
import re
import subprocess
import unittest

import numpy as np

REVEAL = os.environ["REVEAL"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDING = ROOT / "tests" / "recordings" / "network" / "host0"


def printed(*words):
    return subprocess.run([REVEAL, *words], check=True, capture_output=True, text=True).stdout


def table_of_least_rises():
    text = (ROOT / "src" / "detect" / "saturation_signals.cc").read_text(encoding="utf-8")
    named = dict(re.findall(r'string_view (k\w+) = "(\w+)"', text))
    rows = re.findall(r'SaturationSignal\{(?:"(\w+)"|(k\w+)), ([\d.]+)( \* kMiB)?\}', text)
    return {name or named[constant]: float(least) * (2.0 ** 20 if mib else 1)
            for name, constant, least, mib in rows}


def levels():
    """Of each channel, its level by window: a mean or, of events, a count."""
    out, windows = {}, set()
    text = printed("features", RECORDING, "--features", "mean")
    for row in csv.DictReader(io.StringIO(text)):
        level = row["mean"] or row.get("sum_values") or "nan"
        out.setdefault(row["channel"], {})[int(row["window"])] = float(level)
        windows.add(int(row["window"]))
    order = sorted(windows)
    return {name: np.array([known.get(window, math.nan) for window in order]) for name, known in out.items()}


def far(values, least, rest):
    """How far each value lies above the usual of the rest, in units of the rule."""
    x = values / least
    known = x[rest][np.isfinite(x[rest])]
    if known.size == 0:
        return np.zeros(values.size)
    median = np.median(known)
    low, high = np.quantile(known, [0.2, 0.8])
    spread = max(1.4826 * np.median(np.abs(known - median)), (high - low) / 1.6832)
    return np.nan_to_num(np.maximum((x - median) / max(5 * spread, 1), 0))


class SaturationTest(unittest.TestCase):
    def setUp(self):
        self.table = table_of_least_rises()
        self.levels = {name: values for name, values in levels().items()
                       if name.split("{")[0] in self.table and np.isfinite(values).mean() >= 0.5}
        rows = list(csv.DictReader(io.StringIO(printed("scores", RECORDING))))
        self.scores = {name: np.array([float(row[name]) for row in rows])
                       for name in rows[0] if name.startswith("saturation") or name in ("agreement", "flag")}

    def test_the_table_was_read(self):
        self.assertGreater(len(self.table), 60)
        self.assertEqual(self.table["memory_writeback_bytes"], 8 * 2.0 ** 20)
        self.assertGreater(len(self.levels), 10)

    def test_scores_are_the_farthest_of_the_levels(self):
        windows = self.scores["saturation"].size
        fold = math.ceil(windows / 20)
        margin = min(10, (windows - fold - 20) // 2)
        for first in range(0, windows, fold):
            inside = np.arange(first, min(first + fold, windows))
            rest = np.ones(windows, bool)
            rest[max(first - margin, 0):inside[-1] + 1 + margin] = False
            want = np.max([far(values, self.table[name.split("{")[0]], rest)
                           for name, values in self.levels.items()], axis=0)
            np.testing.assert_allclose(self.scores["saturation"][inside], want[inside], rtol=1e-9, atol=1e-12)

    def test_its_flag_is_two_votes(self):
        flagged = self.scores["saturation_flag"] == 1
        self.assertGreater(flagged.sum(), 0)
        self.assertGreaterEqual(self.scores["agreement"][flagged].min(), 2)
        self.assertEqual(self.scores["flag"][flagged].min(), 1)


if __name__ == "__main__":
    unittest.main()
