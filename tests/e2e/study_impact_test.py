"""reveal study impact: shares are those of the windows that the reports name, and their intervals those that scipy
makes of the formulas."""

import json
import unittest
from collections import defaultdict

import numpy as np
import scipy.stats

from made_telemetry import TelemetryTest, noise
from reveal_process import REPOSITORY

USAGE = 2
BLOCK = 30  # windows of a stride of 1 s
OVERLAP = 3  # windows of 3 s
BURSTS = (slice(300, 330), slice(500, 512), slice(900, 960))


def bursts(seed, only=BURSTS):
    samples = noise(seed, 1200)
    for burst in only:
        samples[burst, 1:6] += 40
    return samples


def interval(flags):
    """Share, and the limits of Korn and Graubard by overlapping batch means."""
    n, share = len(flags), flags.mean()
    means = np.convolve(flags, np.ones(BLOCK) / BLOCK, "valid")
    variance = BLOCK / ((n - BLOCK + 1) * (n - BLOCK)) * ((means - share) ** 2).sum()
    freedom = 1.5 * (n / BLOCK - 1)
    trials = n / OVERLAP
    if variance > 0:
        t = scipy.stats.t.ppf(0.975, n - 1) / scipy.stats.t.ppf(0.975, freedom)
        trials = min(trials, share * (1 - share) / variance * t**2)
    hits = share * trials
    low = scipy.stats.beta.ppf(0.025, hits, trials - hits + 1) if hits > 0 else 0
    high = scipy.stats.beta.ppf(0.975, hits + 1, trials - hits) if hits < trials else 1
    return share, low, high


def wanted(before, after):
    """Both intervals, and that of the change (Newcombe)."""
    a, b = interval(before), interval(after)
    change = b[0] - a[0]
    return (*a, *b, change, change - np.hypot(b[0] - b[1], a[2] - a[0]), change + np.hypot(b[2] - b[0], a[0] - a[1]))


FIELDS = ("before", "before_low", "before_high", "after", "after_low", "after_high", "change", "change_low",
          "change_high")


class Impact(TelemetryTest):
    def setUp(self):
        super().setUp()
        self.before = [self.record("a", bursts(1), interval_s=0.1), self.record("b", bursts(2), interval_s=0.1)]
        self.after = [self.record("c", bursts(3, BURSTS[:1]), interval_s=0.1)]

    def impact(self, *words):
        after = [word for recording in self.after for word in ("--after", recording)]
        return json.loads(self.printed("study", "impact", *self.before, *after, *words, "--json"))

    def flags(self, recordings):
        """By label, 0 or 1 for each window of all recordings; and how many windows there are."""
        rows, count = defaultdict(set), 0
        for recording in recordings:
            scores = self.scores(recording)
            begins = [int(begin) for begin in scores["begin_ns"]]
            rows["flagged by the detectors"] |= {count + i for i, flag in enumerate(scores["flag"]) if flag}
            self.printed("analyze", recording, "--no-html")
            report = json.loads((recording / "report.json").read_text(encoding="utf-8"))
            for state, key in (("in a finding", "findings"), ("in a change", "changes"),
                               ("of low confidence", "low_confidence")):
                for window in (window for finding in report[key] for window in finding["windows"]):
                    nearest = int(np.argmin([abs(begin - window["begin"]["ns"]) for begin in begins]))
                    rows[state].add(count + nearest)
                    for one in (one for detector in window["detectors"] for one in detector["evidence"]):
                        rows["metric " + one["channel"].split("{")[0]].add(count + nearest)
                        rows["evidence"].add(count + nearest)
            count += len(begins)
        return {label: np.isin(np.arange(count), list(of)).astype(float) for label, of in rows.items()}, count

    def test_shares_and_intervals_are_scipys(self):
        tables = self.impact()["tables"]
        (before, n), (after, m) = self.flags(self.before), self.flags(self.after)
        self.assertGreater(n, 200)

        def check(row, label):
            want = wanted(before.get(label, np.zeros(n)), after.get(label, np.zeros(m)))
            np.testing.assert_allclose([row[field] for field in FIELDS], want, atol=1e-9, err_msg=label)
            direction = "more" if want[-2] > 0 else "less" if want[-1] < 0 else "not clear"
            self.assertEqual(row["direction"], direction)

        states = {row["windows"]: row for row in tables["windows"]}
        for label in ("flagged by the detectors", "in a finding", "in a change", "of low confidence"):
            check(states[label], label)
        self.assertGreater(states["flagged by the detectors"]["before"], 0.03)
        self.assertEqual(states["in a finding with a slow job"]["before"], 0)  # made telemetry has no work rate
        (subsystem,) = tables["subsystems"]
        check(subsystem, "evidence")
        metrics = {row["metric"] for row in tables["metrics"]}
        labels = {label[7:] for of in (before, after) for label in of if label.startswith("metric ")}
        self.assertEqual(metrics, labels)
        for row in tables["metrics"]:
            check(row, "metric " + row["metric"])
        moved = [abs(row["change"]) for row in tables["metrics"]]
        self.assertEqual(moved, sorted(moved, reverse=True))

    def test_runs_are_those_of_the_reports(self):
        rows = self.impact()["tables"]["runs"]
        self.assertEqual([(row["recording"], row["side"]) for row in rows],
                         [(str(one), "before") for one in self.before] + [(str(one), "after") for one in self.after])
        for row in rows:
            self.printed("analyze", row["recording"], "--no-html")
            report = json.loads((self.folder / row["recording"] / "report.json").read_text(encoding="utf-8"))
            self.assertEqual(row["findings"], len(report["findings"]))
            self.assertAlmostEqual(row["seconds"], 119.9, places=3)
            flag = self.scores(row["recording"])["flag"]
            self.assertEqual((row["windows"], row["flagged"]), (len(flag), flag.mean()))

    def test_a_change_that_ends_disturbances_is_told(self):
        samples = noise(7, 3000)
        for begin in range(250, 3000, 400):
            samples[begin:begin + 30, 1:6] += 40
        self.before = [self.record("ill", samples, interval_s=0.1)]
        self.after = [self.record("well", noise(8, 3000), interval_s=0.1)]
        (flagged, *_) = self.impact()["tables"]["windows"]
        self.assertEqual(flagged["direction"], "less")
        self.assertLess(flagged["after_high"], flagged["before"])

    def test_the_same_before_and_after_is_no_change(self):
        self.after = self.before
        for table in ("windows", "subsystems", "metrics"):
            for row in self.impact()["tables"][table]:
                self.assertEqual((row["change"], row["direction"]), (0, "not clear"))

    def test_the_page_has_both_sides(self):
        self.impact("-o", "out")
        page = (self.folder / "out" / "impact.html").read_text(encoding="utf-8")
        self.assertEqual(page.count('<rect class="c0"'), page.count('<rect class="c1"'))
        self.assertIn("in a finding", page)

    def test_wrong_use(self):
        self.assert_complains(self.reveal("study", "impact", "a"), USAGE, "--after")
        self.assert_complains(self.reveal("study", "causes", "a", "--after", "c"), USAGE, "causes", "--after")
        slow = self.record("slow", noise(1))
        self.assert_complains(self.reveal("study", "impact", "a", "--after", slow), USAGE, "slow", "interval")
        self.assert_complains(self.reveal("study", "impact", "a", "--after", "nowhere"), 1, "nowhere")

    def test_the_document_names_every_field(self):
        text = (REPOSITORY / "docs" / "how_to" / "study.md").read_text(encoding="utf-8")
        self.assertIn("`impact`", text)
        for table, rows in self.impact()["tables"].items():
            for word in (table, *rows[0]):
                self.assertIn(f"`{word}`", text)


if __name__ == "__main__":
    unittest.main()
