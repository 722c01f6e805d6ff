"""The detector of what stalls work: its scores on a recording of a lossy network are what numpy
makes of the levels that `reveal features` prints, by the rules of docs/scores.md."""

import csv
import io
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
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


def dips(rate):
    """The blocks [first, last] in which others slowed a job, by the rule of docs/scores.md; in this recording no
    dip is a phase, a start or a pause."""
    low, out = [], []
    for i in np.flatnonzero(rate < 0.75):
        if low and i - low[-1][1] <= 2:
            low[-1][1] = i
        else:
            low.append([i, i])
    for first, last in low:
        if last == first:
            continue
        limit = (1 + np.mean(rate[first:last + 1])) / 2
        while first > 0 and rate[first - 1] < limit:
            first -= 1
        while last + 1 < rate.size and rate[last + 1] < limit:
            last += 1
        depth, inside = 1 - np.mean(rate[first:last + 1]), min(4, last - first + 1)
        came = np.mean(rate[max(first - 4, 0):first]) - np.mean(rate[first:first + inside])
        went = np.mean(rate[last + 1:last + 5]) - np.mean(rate[last + 1 - inside:last + 1])
        if min(came, went) >= depth / 2:
            out.append((first, last))
    return out


def slow_windows(windows):
    """By window, given as pairs of its begin and end, whether it shares time with a dip of the job's work rate."""
    with tempfile.TemporaryDirectory() as folder:
        printed("analyze", RECORDING, "--no-html", "--output", folder)
        report = json.loads((pathlib.Path(folder) / "report.json").read_text(encoding="utf-8"))
    job, = (job for job in report["work"] if job.get("rate"))
    begin, rate = np.array(job["begin_ns"]), np.array(job["rate"], float)
    slow = [(begin[first], begin[last] + 1_000_000_000) for first, last in dips(rate)]
    return np.array([any(b < end and e > begin for begin, end in slow) for b, e in windows])


class SaturationTest(unittest.TestCase):
    def setUp(self):
        self.table = table_of_least_rises()
        self.levels = {name: values for name, values in levels().items()
                       if name.split("{")[0] in self.table and np.isfinite(values).mean() >= 0.5}
        rows = list(csv.DictReader(io.StringIO(printed("scores", RECORDING))))
        self.windows = [(int(row["begin_ns"]), int(row["end_ns"])) for row in rows]
        self.scores = {name: np.array([float(row[name]) for row in rows])
                       for name in rows[0] if name.startswith("saturation") or name in ("agreement", "flag")}

    def test_the_table_was_read(self):
        self.assertGreater(len(self.table), 60)
        self.assertEqual(self.table["memory_writeback_bytes"], 8 * 2.0 ** 20)
        self.assertGreater(len(self.levels), 10)

    def test_scores_are_the_farthest_of_the_levels(self):
        windows = self.scores["saturation"].size
        slow = slow_windows(self.windows)
        self.assertGreater(slow.sum(), 0)
        fold = math.ceil(windows / 20)
        margin = min(10, (windows - fold - 20) // 2)
        for first in range(0, windows, fold):
            inside = np.arange(first, min(first + fold, windows))
            rest = np.ones(windows, bool)
            rest[max(first - margin, 0):inside[-1] + 1 + margin] = False
            if (rest & ~slow).sum() >= max(20, rest.sum() / 3):
                rest &= ~slow
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
