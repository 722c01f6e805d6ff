"""The costs that overhead.py tells are those of processes whose cost is known."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import overhead
from overhead import Load, Taken

SPIN = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\ntime.sleep(60)"


class Costs(unittest.TestCase):
    def test_cpu_time_of_a_process_that_spins(self):
        beside = overhead.Beside([sys.executable, "-c", SPIN.format(0.6)])
        overhead.timed(["sleep", "3"])
        cpu, wall = beside.end()
        self.assertGreater(cpu, 0.55)
        self.assertLess(cpu, 1.5)  # the interpreter's own start
        self.assertGreater(wall, 3)

    def test_a_recorder_that_ends_by_itself_is_an_error(self):
        beside = overhead.Beside([sys.executable, "-c", "raise SystemExit('broken')"])
        overhead.timed(["sleep", "2"])
        with self.assertRaisesRegex(RuntimeError, "broken"):
            beside.end()

    def test_rounds_begin_at_another_load_each(self):
        a, b, c = Load("none"), Load("reveal", 10), Load("perf", 10)
        self.assertEqual(overhead.turns([a, b, c], 2), [a, b, c, b, c, a])

    def test_rows_are_medians_with_spread(self):
        alone, beside = Load("none"), Load("reveal", 100)
        taken = [Taken(alone, seconds, 0, 0) for seconds in (2.0, 1.0, 4.0)]
        taken += [Taken(beside, seconds, cpu, 10.0) for seconds, cpu in ((2.2, 0.1), (2.0, 0.3), (9.0, 0.2))]
        row = overhead.row(beside, taken)
        self.assertEqual((row["seconds"], row["seconds_least"], row["seconds_most"]), (2.2, 2.0, 9.0))
        self.assertAlmostEqual(row["slower"], 0.1)
        self.assertAlmostEqual(row["cores"], 0.02)
        self.assertIn("2.00 % (1.00 to 3.00)", overhead.table([overhead.row(alone, taken), row]))

    def test_a_real_recorder(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.json"
            outcome = subprocess.run(
                [sys.executable, "-B", overhead.__file__, "--reveal", os.environ["REVEAL"], "--rounds", "1", "--intervals",
                 "10,300", "--json", str(out), "--", "sleep", "2"], capture_output=True, text=True, check=True)
            rows = json.loads(out.read_text(encoding="utf-8"))["rows"]
            study = subprocess.run([os.environ["REVEAL"], "study", "overhead", str(out), "--json"],
                                   capture_output=True, text=True, check=True)
        costs = {row["interval_ms"]: row["cores"] for row in rows if row["by"] == "reveal"}
        self.assertEqual(set(costs), {10, 300})
        self.assertGreater(costs[10], costs[300])  # thirty times as many ticks
        self.assertTrue(all(row["seconds"] >= 2 for row in rows))
        self.assertEqual([row["cores"] for row in json.loads(study.stdout)["tables"]["costs"] if row["cores"] is not None],
                         [row["cores"] for row in rows if row["by"] != "none"])
        self.assertTrue("perf" in {row["by"] for row in rows} or "perf stat does not work" in outcome.stderr)


if __name__ == "__main__":
    unittest.main()
