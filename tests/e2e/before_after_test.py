"""reveal compare --before A --after B: what changed from one run of a host to another; checked with scipy."""

import csv
import io
import json
import unittest

import numpy as np
import scipy.stats

from made_telemetry import START_S, TelemetryTest, noise
from reveal_process import INTERVAL, REPOSITORY, fixture

FAILED = 1
USAGE = 2
TOO_LITTLE = 3
DAY_S = 86_400
SHIFT = 20


def mean_error(levels, batch):
    """docs/compare.md: overlapping batch means; mean, its error, degrees of freedom."""
    n = len(levels)
    means = np.convolve(levels, np.ones(batch) / batch, "valid")
    squares = np.sum((means - levels.mean()) ** 2)
    return levels.mean(), np.sqrt(batch / ((n - batch + 1) * (n - batch)) * squares), 1.5 * (n / batch - 1)


def welch(first, second):
    """The difference of two means, half its interval of .999."""
    (m1, e1, f1), (m2, e2, f2) = first, second
    square = e1**2 + e2**2
    freedom = square**2 / (e1**4 / f1 + e2**4 / f2)
    return m2 - m1, np.sqrt(square) * scipy.stats.t.isf(0.0005, freedom)


def job(seed, speed, seconds=120):
    """A host with one job, at ten ticks a second: counters of its steps, and a timer."""
    source = np.random.default_rng(seed)
    ticks = seconds * 10
    ends = np.cumsum(source.uniform(0.095, 0.105, size=int(seconds * 12 * speed) + 50) / speed)
    steps = np.searchsorted(ends, np.arange(1, ticks + 1) / 10)
    return {"network_received_bytes_total{dev=eth0}": steps * 1_000_000,
            "network_sent_bytes_total{dev=eth0}": steps * 1_000_000,
            "memory_freed_pages_total": steps * 300,
            "cpu_context_switches_total": np.arange(ticks) * 50 + source.integers(0, 5, ticks)}


class BeforeAfterTest(TelemetryTest):
    def compared(self, before, after, *options):
        return json.loads(self.printed("compare", "--before", before, "--after", after, "--json", *options))

    def told(self, before, after, *options):
        return self.printed("compare", "--before", before, "--after", after, *options)

    def exported(self, recording, channel):
        rows = csv.DictReader(io.StringIO(self.printed("export", recording, "--derived", "--channels", channel)))
        return np.array([float(row[channel]) for row in rows], dtype=np.float32).astype(float)

    def two_runs(self, shift=SHIFT, **options):
        """Runs of a day apart; load_3 has another level in the second."""
        samples = noise(2)
        samples[:, 3] += shift
        return self.record("monday", noise(1)), self.record("tuesday", samples, start_s=START_S + DAY_S, **options)


class WhatChanged(BeforeAfterTest):
    def test_it_is_told_with_scipys_interval(self):
        before, after = self.two_runs()
        found = self.compared(before, after)
        (change,) = found["changes"]
        self.assertEqual((change["channel"], change["kind"]), ("load_3", "level"))
        one, other = (mean_error(self.exported(run, "load_3"), 75) for run in (before, after))
        value, half = welch(one, other)
        np.testing.assert_allclose([change["change"][key] for key in ("value", "low", "high")],
                                   [value, value - half, value + half], rtol=1e-8)
        for told, (mean, error, freedom) in ((change["before"], one), (change["after"], other)):
            half = error * scipy.stats.t.isf(0.0005, freedom)
            np.testing.assert_allclose([told["value"], told["low"], told["high"]],
                                       [mean, mean - half, mean + half], rtol=1e-8)
        # Five times 2 % of the level before.
        np.testing.assert_allclose(change["least"], 5 * 0.02 * one[0], rtol=1e-8)
        np.testing.assert_allclose(change["effect"], value / change["least"], rtol=1e-8)
        self.assertEqual((found["quantities"], found["confidence"]), (8, 0.999))

    def test_text_says_the_same(self):
        text = self.told(*self.two_runs())
        self.assertRegex(text, r"Before    \S+monday on node7: 2026-11-21, 10:00:00\.0 to 10:05:00\.0 UTC \(5 min 0 s\)")
        self.assertRegex(text, r"After     \S+tuesday on node7: 2026-11-22, 10:00:00\.0 to")
        self.assertRegex(text, r"1 quantity changed:\n  \w+ +Load 3 rose from 50\S* to \d\d\S* "
                               r"\(by 1\d\S* to 2\d\S*\)\n")
        back = self.told(self.folder / "tuesday", self.folder / "monday")
        self.assertRegex(back, r"Load 3 fell from \d\d\S* to 50\S* \(by 1\d\S* to 2\d\S*\)\n")

    def test_local_times(self):
        before, after = self.two_runs()
        told = self.reveal("compare", "--before", before, "--after", after, "--local", env={"TZ": "XST-5:45"})
        self.assert_status(told, 0)
        self.assertIn("2026-11-21, 15:45:00.0 to 15:50:00.0 local time (5 min 0 s)\n", told.stdout)

    def test_ten_are_told_without_all(self):
        samples = noise(2, channels=14)
        samples[:, :13] += SHIFT
        before = self.record("before", noise(1, channels=14))
        after = self.record("after", samples, start_s=START_S + DAY_S)
        short = self.told(before, after)
        self.assertEqual(short.count(" rose from "), 10)
        self.assertIn("and 3 more (--all)", short)
        self.assertEqual(self.told(before, after, "--all").count(" rose from "), 13)

    def test_facts_that_differ_are_told(self):
        for name in ("vm-2cpu-linux-6.18", "server-8cpu-linux-4.18"):
            self.assert_status(self.reveal("record", "-o", name, "--duration", "14s", *INTERVAL, *fixture(name)), 0)
        found = self.compared("vm-2cpu-linux-6.18", "server-8cpu-linux-4.18")
        kernel = next(fact for fact in found["facts"] if fact["subject"] == "kernel release")
        self.assertTrue(kernel["before"].startswith("6.18") and kernel["after"].startswith("4.18"), kernel)
        self.assertRegex(self.told("vm-2cpu-linux-6.18", "server-8cpu-linux-4.18", "--all"),
                         r"kernel release: 6\.18\S* before, 4\.18\S* after")

    def test_the_document_names_all_fields(self):
        found = self.compared(*self.two_runs())
        text = (REPOSITORY / "docs" / "compare.md").read_text(encoding="utf-8").split("## JSON of before and after")[1]
        for row in (found, found["before"], found["changes"][0], found["work"][0]):
            for name in row:
                self.assertIn(f"`{name}`", text)


class NothingChanged(BeforeAfterTest):
    def test_from_a_run_to_itself(self):
        run = self.record("run", noise(1))
        found = self.compared(run, run)
        self.assertEqual((found["changes"], found["facts"], found["only_one_has"]), ([], [], []))
        self.assertEqual(found["shared_ns"], 300 * 10**9)
        text = self.told(run, run)
        self.assertIn("No quantity changed by more than it moves by itself.", text)
        self.assertIn("5 min 0 s are in both runs", text)

    def test_from_half_to_half_of_a_quiet_run(self):
        run = self.record("run", noise(1, ticks=600, channels=100))
        found = self.compared(f"{run}@..+300s", f"{run}@+300s..")
        self.assertEqual(found["quantities"], 100)
        self.assertEqual(found["changes"], [])
        self.assertEqual(found["shared_ns"], 0)

    def test_a_silent_recording_of_the_lab_hardly_changes_by_half(self):
        """docs/compare.md has the figures."""
        run = REPOSITORY / "tests" / "recordings" / "steady" / "host0"
        found = self.compared(f"{run}@..+62s", f"{run}@+62s..")
        self.assertGreater(found["quantities"], 300)
        self.assertLessEqual(len(found["changes"]), 0.01 * found["quantities"], found["changes"])


class WorkRate(BeforeAfterTest):
    def job(self, name, seed, speed, start_s):
        path = self.folder / f"{name}.csv"
        columns = job(seed, speed)
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["time", *columns])
            for tick, row in enumerate(zip(*columns.values())):
                writer.writerow([f"{start_s + tick / 10:.1f}", *row])
        self.assert_status(self.reveal("import", path, "-o", name), 0)
        return name

    def test_of_a_job_that_is_slower_is_told(self):
        before = self.job("before", 1, 1, START_S)
        after = self.job("after", 2, 0.8, START_S + DAY_S)
        (work,) = self.compared(before, after)["work"]
        self.assertLess(work["rate"]["low"], 0.8)
        self.assertGreater(work["rate"]["high"], 0.8)
        self.assertAlmostEqual(work["rate"]["value"], 0.8, delta=0.02)
        self.assertIsNone(work["not_known"])
        self.assertRegex(self.told(before, after),
                         r"\nWork      The job ran at 0\.(79|80|81) of its rate before \(0\.7\d to 0\.8\d\)\.\n")

    def test_of_a_job_that_goes_on_is_kept(self):
        run = self.job("run", 3, 1, START_S)
        self.assertRegex(self.told(f"{run}@..+60s", f"{run}@+60s.."),
                         r"Work      The job kept its rate: (1\.0\d|0\.9\d) of that before \(0\.9\d to 1\.\d\d\)\.\n")

    def test_of_no_job_says_why(self):
        run = self.record("run", noise(1))
        (work,) = self.compared(f"{run}@..+150s", f"{run}@+150s..")["work"]
        self.assertIsNone(work["rate"])
        self.assertIn(work["not_known"], self.told(f"{run}@..+150s", f"{run}@+150s.."))


class Parts(BeforeAfterTest):
    def test_a_part_is_what_was_asked_for(self):
        run = self.record("run", noise(1, ticks=600))
        for part, begin, end in (("@..+90s", 0, 90), ("@+90s..+150s", 90, 150), ("@-2m..", 479, 600),
                                 ("@10:01..10:02:30", 60, 150), ("", 0, 600), ("@..", 0, 600)):
            with self.subTest(part):
                before = self.compared(f"{run}{part}", run)["before"]
                self.assertEqual((before["begin"]["ns"], before["end"]["ns"]),
                                 ((START_S + begin) * 10**9, (START_S + end) * 10**9))

    def test_a_directory_may_have_an_at(self):
        run = self.record("run@home", noise(1))
        self.assertEqual(self.compared(run, f"{run}@+60s..")["before"]["buckets"], 300)

    def test_other_hosts_are_noted(self):
        before, after = self.two_runs(host="node8")
        self.assertFalse(self.compared(before, after)["one_host"])
        self.assertIn("The runs are of different hosts", self.told(before, after))

    def test_other_intervals_are_noted(self):
        before = self.record("before", noise(1))
        after = self.record("after", noise(2), interval_s=5, start_s=START_S + DAY_S)
        self.assertEqual(self.compared(before, after)["bucket_ns"], 5 * 10**9)
        self.assertIn("Recorded every 1.0 s before, every 5.0 s after", self.told(before, after))


class WrongInput(BeforeAfterTest):
    def setUp(self):
        super().setUp()
        self.recording = self.record("run", noise(1))

    def assert_refused(self, status, words, *parts):
        self.assert_complains(self.reveal("compare", *words), status, *parts)

    def test_one_alone_or_one_too_many(self):
        self.assert_refused(USAGE, ["--before", self.recording], "--before", "both --before and --after")
        self.assert_refused(USAGE, ["--after", self.recording], "--after", "both --before and --after")
        self.assert_refused(USAGE, ["--before", self.recording, "--after", self.recording, self.recording], "leave it out")
        self.assert_refused(USAGE, [], "nothing to compare", "--before and --after")

    def test_times_that_are_none(self):
        for part, said in (("@10:00", "10:00: is not FROM..TO"), ("@yesterday..", "yesterday: is not a time"),
                           ("@..x", "x: is not a time"), ("@a..b..c", "is not FROM..TO")):
            with self.subTest(part):
                self.assert_refused(USAGE, ["--before", f"{self.recording}{part}", "--after", self.recording], said)

    def test_intervals_that_have_nothing(self):
        self.assert_refused(USAGE, ["--before", f"{self.recording}@+60s..+60s", "--after", self.recording], "is empty")
        self.assert_refused(USAGE, ["--before", f"{self.recording}@+90s..+60s", "--after", self.recording], "is empty",
                            "begins at 2026-11-21T10:01:30", "DIR@FROM..TO")
        self.assert_refused(USAGE, ["--before", self.recording, "--after", f"{self.recording}@12:00..13:00"],
                            "has nothing of the recording")
        self.assert_refused(TOO_LITTLE, ["--before", f"{self.recording}@..+11s", "--after", self.recording],
                            "the run before has only 11.0 s, but 12.0 s are needed")

    def test_nothing_in_common(self):
        other = self.record("other", noise(2), channels=[f"other_{i}" for i in range(8)])
        self.assert_refused(USAGE, ["--before", self.recording, "--after", other], "nothing in common")

    def test_no_recording(self):
        self.assert_refused(FAILED, ["--before", "nowhere", "--after", self.recording], "nowhere")
        self.assert_refused(FAILED, ["--before", self.recording, "--after", "nowhere@+1s.."], "nowhere")


if __name__ == "__main__":
    unittest.main()
