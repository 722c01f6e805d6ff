"""The evaluation's own parts by hand, and what it makes of the lab's kept recordings."""

import json
import os
import pathlib
import statistics
import tempfile
import unittest

import evaluate

PROGRAM = pathlib.Path(os.environ["WORK_RATE"])
RECORDINGS = pathlib.Path(__file__).resolve().parents[2] / "tests" / "recordings"


class WorkTest(unittest.TestCase):
    def work(self, *lines: dict) -> evaluate.Work:
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as log:
            log.write("\n".join(map(json.dumps, lines)) + "\n")
            log.flush()
            return evaluate.Work(pathlib.Path(log.name))

    def test_steps_are_done_evenly_while_they_last(self):
        # 1 s each, with a pause of 2 s between them.
        work = self.work({"end_ns": 2_000_000_000, "ms": 1000}, {"end_ns": 5_000_000_000, "ms": 1000})
        self.assertAlmostEqual(work.rate(1e9, 2e9), 1)
        self.assertAlmostEqual(work.rate(2e9, 4e9), 0)
        self.assertAlmostEqual(work.rate(3e9, 5e9), 0.5)
        self.assertAlmostEqual(work.rate(1.25e9, 1.75e9), 1)

    def test_counts_are_done_evenly_between_two_lines(self):
        work = self.work({"end_ns": 1_000_000_000, "work": 0}, {"end_ns": 3_000_000_000, "work": 10})
        self.assertAlmostEqual(work.rate(1e9, 2e9), 5)


class MeasuresTest(unittest.TestCase):
    def test_the_good_level_is_the_highest_that_lasts(self):
        self.assertAlmostEqual(evaluate.good_level([0.5] * 60 + [1.0] * 30 + [2.9] + [0.5] * 60), 1.06, delta=0.07)
        self.assertAlmostEqual(evaluate.good_level([None] * 5 + [0.5] * 60), 0.5)

    def test_a_mean_counts_blocks_by_their_share(self):
        blocks = [(0, 10, 1.0), (10, 20, 0.5), (20, 30, None)]
        self.assertAlmostEqual(evaluate.mean_in(blocks, 5, 20), (5 * 1.0 + 10 * 0.5) / 15)
        self.assertIsNone(evaluate.mean_in(blocks, 20, 30))


class OfJobTest(unittest.TestCase):
    def test_a_job_on_gpus_has_their_rate(self):
        jobs = [{"job": "", "not_known": "", "kind": 0, "members": ["network_a"]}, {"job": "", "not_known": "", "kind": 2, "members": []}]
        self.assertIs(evaluate.of_job(jobs, "serve", "/g", on_gpus=True), jobs[1])
        self.assertIs(evaluate.of_job(jobs, "serve", "/g"), jobs[0])
        self.assertTrue(evaluate.of_job(jobs[:1], "serve", "/g", on_gpus=True)["not_known"])


class RecordingsTest(unittest.TestCase):
    """Of steps that were never used to make the estimate: it sees hardware counters alone."""

    def test_rates_are_as_good_as_they_were(self):
        out = evaluate.Result()
        for folder in sorted(RECORDINGS.glob("*/")):
            if (folder / "truth.json").exists():
                evaluate.evaluate(folder, PROGRAM, out)
        told = "\n".join(out.lines)
        errors = [abs(row.error) for row in out.rows if row.error is not None]
        self.assertGreaterEqual(len(errors), 19, told)
        self.assertLess(statistics.median(errors), 0.01, told)
        self.assertLess(max(errors), 0.03, told)
        # One process that only computes leaves nothing behind.
        self.assertEqual({row.run for row in out.rows if row.estimated is None}, {"memory_weak"}, told)
        self.assertEqual(out.false_slowdowns, 0, told)
        harmful = [row for row in out.rows if row.estimated is not None and row.true <= 0.5]
        self.assertTrue(harmful and all(row.told for row in harmful), told)

    def test_a_job_that_goes_on_starts_stops_or_pauses_is_not_slow(self):
        for name in ("steady", "starts", "stops", "pause"):
            for job in evaluate.estimate(PROGRAM, RECORDINGS / name / "host0")["jobs"]:
                self.assertEqual(job["slowdowns"], [], name)


if __name__ == "__main__":
    unittest.main()
