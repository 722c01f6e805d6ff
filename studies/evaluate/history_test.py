"""The comparison with good runs, on made-up runs of a job: levels of their own, a slow begin, faults."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = pathlib.Path(__file__).parent
REVEAL = pathlib.Path(os.environ["REVEAL"]).resolve()
SAMPLES = 900
METRICS = ("cpu.user", "cpu.sys", "cpu.idle", "mem.free", "mem.cached", "vm.faults", "vm.alloc", "mem.slab")
FAULTS = {1: ("CO", 200, 320), 2: ("ML", 400, 560), 3: ("CC", 600, 700)}
MOVED = {"CO": [0, 1, 2], "CC": [0, 2], "ML": [3, 4, 5, 6]}


def made_up(folder: pathlib.Path, seed: int) -> None:
    draw = np.random.default_rng(seed)
    samples = draw.normal(0, 1, (SAMPLES, len(METRICS))) + draw.normal(0, 5, len(METRICS))
    samples[:40] += 12  # its data is being read
    faults = []
    if seed in FAULTS:
        kind, begin, end = FAULTS[seed]
        samples[begin:end, MOVED[kind]] += 60
        faults.append({"kind": kind, "start": begin, "end": end})
    folder.mkdir(parents=True)
    np.save(folder / "data.npy", samples.astype(np.float32))
    (folder / "events.json").write_text(json.dumps(faults), encoding="utf-8")


class History(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reveal_history_test_")
        self.addCleanup(folder.cleanup)
        self.labeled = pathlib.Path(folder.name)
        for seed in range(8):
            made_up(self.labeled / "HPAS" / "job" / f"run{seed}", seed)
        (self.labeled / "HPAS" / "metrics.txt").write_text("\n".join(METRICS) + "\n", encoding="utf-8")

    def table(self, *words):
        done = subprocess.run([sys.executable, "-B", HERE / "history.py", self.labeled, "--reveal", REVEAL, *words],
                              capture_output=True, text=True, check=False, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {row.split()[0]: row.split() for row in done.stdout.splitlines()}

    def test_of_all_good_runs_every_fault_is_found_and_little_else(self):
        rows = self.table("--jobs", "2")
        self.assertEqual(rows["run"][1:], ["ROC", "normal", "CO", "CC", "ML", "blamed"])
        self.assertEqual(set(rows), {"run", "run1", "run2", "run3", "all:"})
        everything = rows["all:"]
        self.assertEqual(everything[-4:], ["1/1", "1/1", "1/1", "3/3"])
        self.assertGreater(float(everything[-6]), 0.95)
        self.assertLess(float(everything[-5]), 0.1)
        self.assertEqual(rows["run2"][3:], ["-", "-", "1/1", "1/1"])

    def test_of_one_good_run_most_of_another_is_unusual(self):
        self.assertGreater(float(self.table("--alone")["all:"][-5]), 0.5)

    def test_no_program_and_no_data(self):
        for words, part in (([self.labeled, "--reveal", "gone"], "no program gone"),
                            (["gone", "--reveal", REVEAL], "gone does not exist"),
                            ([HERE, "--reveal", REVEAL], "no series")):
            done = subprocess.run([sys.executable, "-B", HERE / "history.py", *words], capture_output=True, text=True,
                                  check=False, timeout=60)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
