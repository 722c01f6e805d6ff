"""A disk that fills up, and a limit on the size of files: recording goes on, what was not stored is
said and marked, and storing resumes when it can."""

import json
import os
import resource
import signal
import subprocess
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, WINDOWS, RevealTest, original_signals, shown, wait_recording

DISK = "2m"
LIMIT = 85_000  # bytes: room for the tables of channels, not for all frames
PHASE_S = 1.5  # three of them are long enough to be analyzed


class DiskTest(RevealTest):
    def setUp(self):
        super().setUp()
        self.host = self.enterContext(MovingHost(self.folder / "host"))

    def analyze(self, directory):
        out = self.reveal("analyze", directory, *WINDOWS, "-o", self.folder)
        self.assert_status(out, 0)
        self.assertEqual(out.stderr, "")
        return json.loads((self.folder / "report.json").read_text()), out


class FullDisk(DiskTest):
    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", self.disk],
                                 capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("no file system can be mounted here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=True)
        self.ballast = self.disk / "ballast"

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def record(self, *words):
        """Records over a full disk in the middle: room, no room, room again."""
        process = self.start(*words, "-o", "disk/r", "--min-free", "0", *INTERVAL, *self.host.roots)
        wait_recording(self.disk / "r")
        time.sleep(PHASE_S)
        self.fill()
        time.sleep(PHASE_S)
        self.ballast.unlink()
        time.sleep(PHASE_S)
        process.send_signal(signal.SIGTERM)
        return self.finish(process)

    def test_recording_goes_on_and_storing_resumes(self):
        out = self.record("record")
        self.assert_status(out, 1)
        self.assertIn("frames could not be stored", out.stderr)
        self.assertIn("No space left on device", out.stderr)
        report, analyzed = self.analyze("disk/r")
        run = report["run"]
        lost = int(out.stderr.split("reveal: ")[-1].split()[0])
        # The gap may hold late ticks besides the frames that were not stored.
        self.assertGreaterEqual(run["ticks_missed"]["storage"], lost, shown(analyzed))
        self.assertGreater(lost, 10)
        ticks = (run["end"]["ns"] - run["begin"]["ns"]) / run["interval_ns"]
        missed = sum(run["ticks_missed"].values())
        self.assertAlmostEqual(run["frames"] + missed - 1, ticks, delta=3)
        self.assertGreaterEqual(run["end"]["ns"] - run["begin"]["ns"], 3 * PHASE_S * 0.9e9)
        self.assertIn("not stored", analyzed.stdout)

    def test_the_live_report_has_what_the_disk_has_not(self):
        out = self.record("run", *WINDOWS)
        self.assert_status(out, 0)
        self.assertIn("frames could not be stored", out.stderr)
        live = json.loads((self.disk / "r" / "report.json").read_text())
        self.assertEqual(live["run"]["ticks_missed"]["storage"], 0)
        replayed, _ = self.analyze("disk/r")
        self.assertGreater(live["run"]["frames"], replayed["run"]["frames"])

    def test_a_disk_that_stays_full_still_gives_the_report(self):
        script = f"sleep {3 * PHASE_S}; exit 5"
        process = self.start("run", "-q", "-o", "disk/r", "--min-free", "0", *INTERVAL, *WINDOWS,
                             *self.host.roots, "--", "sh", "-c", script)
        wait_recording(self.disk / "r")
        time.sleep(PHASE_S)
        self.fill()
        out = self.finish(process)
        self.assert_status(out, 5)
        self.assertIn("Reveal report for", out.stderr)
        self.assertIn("frames could not be stored", out.stderr)
        self.assertIn("report.json", out.stderr)
        self.ballast.unlink()
        opened = self.reveal("analyze", "disk/r", "--window", "100ms", "--stride", "20ms")
        self.assert_status(opened, 0)

    def test_a_disk_that_is_full_from_the_start_does_not_stop_the_job(self):
        self.fill()
        out = self.reveal("record", "-o", "disk/r", *self.host.roots, "--", "sh", "-c",
                          "touch ran; exit 7")
        self.assert_complains(out, 7, "disk/r", "nothing is recorded")
        self.assertTrue((self.folder / "ran").exists())

    def test_space_that_is_to_stay_free_is_left_alone(self):
        out = self.reveal("record", "-o", "disk/r", "--min-free", "64", "--duration", "1s",
                          *self.host.roots)
        self.assert_complains(out, 1, "64 MiB are to stay free", "another disk")


# Waits until a recording beside it has met the limit: for 6 s its file does not grow, which has a block of
# frames every few seconds. On a busy machine frames are few, and it takes a while.
UNTIL_FULL = f"""
same=0
until test ! -e r || test "$same" -eq 3; do
  sleep 2
  before=$size
  size=$(stat -c %s r/000001.rvs)
  if test "$size" -gt {LIMIT // 2} && test "$size" = "$before"; then same=$((same + 1)); else same=0; fi
done
"""


class LimitedFiles(DiskTest):
    def limit(self):
        original_signals()
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))

    def test_the_recorder_outlives_the_limit_and_cmd_meets_it_as_ever(self):
        script = ("grep -E '^Sig(Blk|Ign)' /proc/self/status;"
                  f"size=0; {UNTIL_FULL.strip()}; head -c 200000 /dev/zero > big")
        command = ["sh", "-c", script]
        alone = subprocess.run(command, capture_output=True, text=True, preexec_fn=self.limit,
                               restore_signals=False, cwd=self.folder, check=False)
        out = self.reveal("record", "-o", "r", *INTERVAL, *self.host.roots, "--", *command,
                          preexec_fn=self.limit, restore_signals=False)
        self.assertEqual(out.stdout, alone.stdout, shown(out))
        self.assert_status(out, alone.returncode)
        self.assertIn("frames could not be stored", out.stderr)
        self.assertIn("File too large", out.stderr)
        self.assertLessEqual((self.folder / "r" / "000001.rvs").stat().st_size, LIMIT)
        opened = self.reveal("analyze", "r", "--window", "100ms", "--stride", "20ms")
        self.assertIn(opened.returncode, (0, 3), shown(opened))
        self.assertNotIn("unreadable", opened.stderr)

    def test_a_limit_that_no_recording_can_begin_under_does_not_stop_the_job(self):
        def tiny():
            original_signals()
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        for word in ("record", "run"):
            out = self.reveal(word, "-q", "-o", word, *self.host.roots, "--", "sh", "-c", "exit 7",
                              preexec_fn=tiny, restore_signals=False)
            self.assert_complains(out, 7, "File too large", "nothing is recorded")

    def test_cmd_dies_of_its_own_limit(self):
        out = self.reveal("record", "-q", "-o", "r", *self.host.roots, "--", "sh", "-c",
                          "exec head -c 200000 /dev/zero > big", preexec_fn=self.limit,
                          restore_signals=False)
        self.assert_status(out, -signal.SIGXFSZ)
        self.assertEqual(os.stat(self.folder / "big").st_size, LIMIT)


if __name__ == "__main__":
    unittest.main()
