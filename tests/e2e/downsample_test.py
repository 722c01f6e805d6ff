"""reveal downsample: what is old goes to a frame a second, then to a frame a minute, then away; frames
around findings stay as they were, as long as the report names them."""

import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, REVEAL, WINDOWS, RevealTest, shown, wait_until

FAILED, USAGE = 1, 2
KILLS = int(os.environ.get("REVEAL_KILLS", "12"))  # make campaign has more


def files_of(folder):
    """{relative path: bytes} of everything that a reader looks at."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*.rv*"))}


def report_with(times):
    """A report of one finding at these times, with all that a reader of reports asks for."""
    shares = dict.fromkeys(("cpu", "gpu", "memory", "network", "storage"), 0)
    finding = {"claim": "x", "claim_channel": "", "subsystem": "cpu", "subsystem_shares": shares,
               "first_window": 0, "last_window": 0, "detectors": [], "agreement": 2, "severity": 1,
               "evidence": [], "patterns": [], **times}
    return {"schema": "reveal.report", "schema_version": 4, "host": {"name": "h"},
            "run": {"begin": times["begin"], "interval_ns": 10_000_000},
            "configuration": {"window_ns": 100_000_000}, "findings": [finding], "detectors": [],
            "windows": {"id": [], "begin_ns": []}}


class Downsample(RevealTest):
    def setUp(self):
        super().setUp()
        self.host = self.enterContext(MovingHost(self.folder / "host"))

    def record(self, name, duration, *options):
        process = self.start("record", "-q", "-o", name, *INTERVAL, "--duration", duration,
                             *options, *self.host.roots)
        self.assert_status(self.finish(process), 0)

    def info(self, name):
        out = self.reveal("info", name, "--json")
        self.assert_status(out, 0)
        return json.loads(out.stdout)

    def downsample(self, name, full, second, minute, *options):
        out = self.reveal("downsample", name, "--full", full, "--1s", second, "--1min", minute, "--trust-clock", *options)
        self.assert_status(out, 0)
        return out

    def test_while_the_recorder_goes_on(self):
        process = self.start("record", "-q", "-o", "r", *INTERVAL, "--keep", "40s",
                             "--max-size", "320KiB", *self.host.roots)
        segments = lambda: sorted(path.name for path in (self.folder / "r").glob("*.rvs"))
        wait_until(lambda: len(segments()) >= 2, "the second segment")
        time.sleep(2.5)
        first = self.info("r")
        self.downsample("r", "2s", "1h", "2h")
        # The recorder goes on, and none of its segments but closed ones has gone.
        self.assertIsNone(process.poll())
        seconds = self.info("r/1s")
        self.assertEqual(seconds["state"], "closed")
        self.assertEqual(seconds["interval_ns"], 10**9)
        self.assertEqual(seconds["first_sequence"], 0)
        self.assertEqual(seconds["gaps"], [])
        self.assertEqual(seconds["host"], first["host"])
        self.assertAlmostEqual(seconds["begin_ns"], first["begin_ns"], delta=1.1e9)
        self.assertGreater(seconds["channels"], 3 * first["channels"])
        rest = self.info("r")
        self.assertEqual(rest["state"], "growing")
        self.assertEqual(rest["damage"], [])
        # The seconds end where what is left begins.
        self.assertLessEqual(rest["begin_ns"] - seconds["end_ns"], 1.1e9)
        self.assertLessEqual(seconds["end_ns"] - rest["begin_ns"], 1.1e9)

        time.sleep(23)  # for some windows of seconds
        process.terminate()
        self.assert_status(self.finish(process), 0)
        time.sleep(2.2)
        self.downsample("r", "2s", "1h", "2h")
        whole = self.info("r/1s")
        self.assertEqual(whole["gaps"], [])
        self.assertEqual(whole["damage"], [])
        self.assertEqual(whole["segments"], 2)
        self.assertEqual(segments(), [])
        self.assert_status(self.reveal("analyze", "r/1s", "--window", "5s"), 0)
        report = json.loads((self.folder / "r/1s/report.json").read_text())
        self.assertEqual(report["run"]["frames"], whole["frames"])

        time.sleep(2.2)
        self.downsample("r", "1s", "2s", "2h")
        minutes = self.info("r/1min")
        self.assertEqual(minutes["interval_ns"], 60 * 10**9)
        self.assertIn(minutes["frames"], (1, 2, 3))
        self.assertEqual(minutes["channels"], whole["channels"])
        self.downsample("r", "1s", "1500ms", "2s")
        self.assertEqual(list((self.folder / "r").rglob("*.rvs")), [])

    def test_evidence(self):
        process = self.start("record", "-q", "-o", "r", *INTERVAL, "--duration", "8s",
                             *self.host.roots)
        time.sleep(5)
        self.host.burst.set()
        time.sleep(0.6)
        self.host.burst.clear()
        self.assert_status(self.finish(process), 0)
        self.assert_status(self.reveal("analyze", "r", *WINDOWS), 0)
        report = self.folder / "r/report.json"
        self.assertTrue(json.loads(report.read_text())["findings"], "nothing to keep evidence of")
        before = self.info("r")
        time.sleep(1)
        self.downsample("r", "1s", "1h", "2h")
        # Half a minute around any finding of so short a run is all of it.
        self.assertEqual(self.info("r/evidence")["frames"], before["frames"])
        self.assertEqual(self.info("r/evidence")["interval_ns"], before["interval_ns"])
        # It gives the same findings again.
        self.assert_status(self.reveal("analyze", "r/evidence", *WINDOWS), 0)
        again = json.loads((self.folder / "r/evidence/report.json").read_text())
        self.assertEqual(again["findings"], json.loads(report.read_text())["findings"])
        report.unlink()
        self.downsample("r", "1s", "1h", "2h")
        self.assertFalse((self.folder / "r/evidence").exists())

    def test_killed_at_any_moment(self):
        self.record("r", "6s", "--keep", "10s")  # several segments
        found = self.info("r")
        self.assertGreater(found["segments"], 1)
        times = {key: {"ns": found[f"{key}_ns"]} for key in ("begin", "end")}
        (self.folder / "r/report.json").write_text(json.dumps(report_with(times)))
        time.sleep(1)
        ages = {"to seconds": ("1s", "1h", "2h"), "to minutes": ("1s", "1100ms", "2h")}
        chance = random.Random(20260917)
        for title, age in ages.items():
            want = self.folder / "want"
            shutil.copytree(self.folder / "r", want)
            began = time.monotonic()
            self.downsample("want", *age)
            took = time.monotonic() - began
            wanted = files_of(want)
            self.assertTrue(any(name.startswith("evidence/") for name in wanted))
            killed = 0
            for round_ in range(KILLS // len(ages)):
                with self.subTest(title=title, round=round_):
                    killed += self.kill_until_done(age, took, chance, wanted)
            shutil.rmtree(want)
            self.assertGreater(killed, KILLS // len(ages) // 2, "too few were killed at work")

    def kill_until_done(self, age, took, chance, wanted):
        """Downsamples a copy, killed at random moments, until it is done; returns how often it was."""
        copy = self.folder / "copy"
        shutil.copytree(self.folder / "r", copy)
        full, second, minute = age
        killed = 0
        for _ in range(3):
            process = subprocess.Popen([REVEAL, "downsample", "copy", "--full", full, "--1s", second,
                                        "--1min", minute, "--trust-clock"], cwd=self.folder,
                                       stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, took))
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        self.downsample("copy", *age)
        self.assertEqual(list(files_of(copy)), list(wanted))
        self.assertTrue(files_of(copy) == wanted, "the same files with other content")
        shutil.rmtree(copy)
        return killed

    def test_what_a_killed_one_left_is_cleared_though_nothing_else_is_left_to_do(self):
        self.record("r", "3s")
        time.sleep(2)
        self.downsample("r", "1s", "1100ms", "2h")
        whole = files_of(self.folder / "r")
        left = self.folder / "r/1min/unfinished"
        os.mkdir(left)
        (left / "000001.rvj").write_bytes(b"RVLJ")
        self.downsample("r", "1s", "1100ms", "2h")
        self.assertEqual(files_of(self.folder / "r"), whole)
        self.assertFalse(left.exists())

    def test_one_at_a_time(self):
        self.record("r", "1s")
        with open(self.folder / "r/downsample.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            out = self.reveal("downsample", "r")
        self.assert_complains(out, USAGE, "another reveal downsample")

    def test_a_wrong_clock_removes_nothing(self):
        self.record("r", "1s")
        before = files_of(self.folder / "r")
        for day in (-400, 400):
            environment = {**os.environ, "LD_PRELOAD": os.environ["SET_CLOCK"],
                           "SET_CLOCK_AFTER_MS": "0", "SET_CLOCK_BY_S": str(day * 86_400)}
            out = self.reveal("downsample", "r", env=environment)
            self.assert_status(out, 0)
            self.assertIn("the clock says", out.stderr)
            self.assertEqual(files_of(self.folder / "r"), before)
        self.assertEqual(self.reveal("downsample", "r", "--trust-clock", env=environment).returncode, 0)
        self.assertNotEqual(files_of(self.folder / "r"), before)

    def test_a_link_in_the_place_of_a_rollup_is_not_followed(self):
        self.record("r", "1s")
        for name in ("1s", "1min", "evidence"):
            (self.folder / "theirs").mkdir(exist_ok=True)
            (self.folder / "r" / name).symlink_to(self.folder / "theirs")
            self.assert_complains(self.reveal("downsample", "r", "--full", "1ms", "--1s", "2ms", "--1min",
                                              "3ms", "--trust-clock"), USAGE, name, "a link or a file")
            (self.folder / "r" / name).unlink()
        self.assertEqual(list((self.folder / "theirs").iterdir()), [])

    def test_wrong_input(self):
        self.assert_complains(self.reveal("downsample", "absent"), FAILED, "absent", "no such directory")
        os.mkdir(self.folder / "empty")
        self.assert_complains(self.reveal("downsample", "empty"), USAGE, "not a Reveal recording")
        self.record("r", "1s")
        before = files_of(self.folder / "r")
        for options, *words in ((["--full", "3"], "--full 3", "no unit"),
                                (["--full", "8d"], "--full 8d --1s 7d", "longer"),
                                (["--1min", "7d"], "longer"),
                                (["--report", "absent.json"], "absent.json")):
            out = self.reveal("downsample", "r", *options)
            self.assertIn(out.returncode, (FAILED, USAGE), shown(out))
            self.assert_complains(out, out.returncode, *words)
        (self.folder / "r/report.json").write_text("{}")
        out = self.reveal("downsample", "r", "--full", "1s")
        self.assert_complains(out, FAILED, "report.json", "not a report")
        self.assertEqual(files_of(self.folder / "r"), before)
        (self.folder / "r/report.json").unlink()
        self.assertIn("nothing is old enough", self.reveal("downsample", "r").stderr)


if __name__ == "__main__":
    unittest.main()
