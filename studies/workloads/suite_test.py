"""A campaign of two workloads for seconds: what it leaves, that nothing is done twice, and that nothing stays behind."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import container  # first: it knows where the other studies are
import figures
import tables
import workloads

REVEAL = os.path.abspath(os.environ["REVEAL"])
SUITE = pathlib.Path(__file__).with_name("suite.py")
PATIENCE_S = 240


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


class Suite(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reveal_suite_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.out = self.folder / "out"

    def words(self, command, *more):
        return [sys.executable, "-B", SUITE, command, self.out, "--reveal", REVEAL, *map(str, more)]

    def suite(self, command, *more, status=0):
        done = subprocess.run(self.words(command, *more), capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def record(self, *more):
        return self.suite("record", "--runs", 1, "--seconds", 2, *more)

    def left(self):
        """The control groups of workloads."""
        return [str(path) for root in (container.groups.ROOT / "cpu", container.record.GROUPS)
                if root.exists() for path in root.glob("workload_*")]

    def test_a_campaign_is_recorded_once_and_told(self):
        names = ["stencil", "sharded"]
        self.assertEqual(len(self.record("--only", *names).stdout.splitlines()), 2)
        for name in names:
            run = self.out / name / "0"
            self.assertEqual(sorted(path.name for path in run.iterdir() if "steps1" not in path.name),
                             ["host0", "job.json", "job.log", "recorder.log", "steps0.jsonl"])
            told = json.loads((run / "job.json").read_text(encoding="ascii"))
            self.assertEqual((told["workload"], told["run"], told["seconds"]), (name, 0, 2.0))
            info = subprocess.run([REVEAL, "info", "--json", run / "host0"], capture_output=True, text=True, check=True)
            self.assertTrue(json.loads(info.stdout))
            self.assertTrue(tables.pace(run / "steps0.jsonl", 0, 1 << 62))
        self.assertEqual(self.left(), [])
        # What is there is not made again, and what was cut off is.
        (self.out / "stencil" / "0").rename(self.out / "stencil" / "0.unfinished")
        again = self.record("--only", *names).stdout
        self.assertIn("stencil, run 0", again)
        self.assertEqual(len(again.splitlines()), 1)
        self.assertFalse((self.out / "stencil" / "0.unfinished").exists())
        told = self.suite("tables").stdout
        self.assertIn("2 runs of 2 workloads, 2 s each", told)
        self.assertIn("| sharded | parallel | 2 layers, width 128 |", told)
        self.assertIn("| section 5.3 | bytes a sample | 6 |", told)
        self.assertIn("not said", told)  # two seconds are too little for most

    def test_a_campaign_that_is_ended_leaves_nothing(self):
        process = subprocess.Popen(self.words("record", "--runs", 1, "--seconds", 60, "--only", "data_parallel"),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        until = time.monotonic() + PATIENCE_S
        recording = self.out / "data_parallel" / "0.unfinished" / "host0"
        while not recording.exists() and time.monotonic() < until:
            time.sleep(0.1)
        self.assertTrue(recording.exists())
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
        self.assertEqual(len(children), 3)  # two ranks and the recorder
        process.send_signal(signal.SIGTERM)
        self.assertNotEqual(process.wait(PATIENCE_S), 0)
        self.assertEqual([pid for pid in children if is_alive(int(pid))], [])
        self.assertEqual([path.name for path in (self.out / "data_parallel").iterdir()], ["0.unfinished"])
        self.assertEqual(self.left(), [])

    def test_complaints(self):
        self.assertIn("no such workload: bert", self.suite("record", "--only", "bert", status=1).stderr)
        self.assertIn("has no finished run", self.suite("tables", status=1).stderr)


class Parts(unittest.TestCase):
    def test_names_are_unique_and_programs_are_there(self):
        names = [one.name for one in workloads.WORKLOADS]
        self.assertEqual(len(set(names)), len(names))
        for one in workloads.WORKLOADS:
            self.assertTrue(one.program.exists(), one.name)

    def test_runs_are_in_the_order_of_their_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            for name in ("10", "2", "3.unfinished"):
                (out / "fft" / name).mkdir(parents=True)
                (out / "fft" / name / "job.json").write_text("{}", encoding="ascii")
            of = figures.campaign_of(out, pathlib.Path(REVEAL), workloads.named([]))
            self.assertEqual(of.words(), [f"fft={out}/fft/2/host0", f"fft={out}/fft/10/host0"])

    def test_pace_by_hand(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "steps0.jsonl"
            log.write_text("".join(json.dumps({"end_ns": int(at * 1e9), "work": 3}) + "\n" for at in (1, 2, 3, 4, 9)),
                           encoding="ascii")
            self.assertEqual(tables.pace(log, int(2e9), int(5e9)), 3)  # two lines of work 3 in two seconds
            self.assertIsNone(tables.pace(log, int(5e9), int(10e9)))

    def test_numbers_as_the_paper_has_them(self):
        self.assertEqual([figures.digits(value) for value in (0.5, -0.25, 1, 12.345, None)], [".50", "-.25", "1.00", "12.35", "-"])
        self.assertEqual(figures.spread([0.2, None, 0.4, 0.9], figures.percent), "40 % (20 % to 90 %)")
        self.assertEqual(figures.spread([], figures.percent), "-")


if __name__ == "__main__":
    unittest.main()
