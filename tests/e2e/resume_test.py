"""`reveal record --resume`: one recorder after the other is killed outright at a random moment, in one directory.
Whatever could be read after a kill can be read ever after, bit for bit, and the whole is one recording."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, PATIENCE_S, REPOSITORY, WINDOWS, RevealTest, shown, wait_until

ROUNDS = int(os.environ.get("REVEAL_RESUMES", "8"))
LONGEST_LIFE_S = 2.0
DUMP_RECORDING = os.path.abspath(os.environ["DUMP_RECORDING"])
SECOND_READER = REPOSITORY / "tools" / "read_recording.py"
USAGE = 2


class Resume(RevealTest):
    def setUp(self):
        super().setUp()
        self.chance = random.Random(int(os.environ.get("REVEAL_SEED", "20261126")))
        self.host = self.enterContext(MovingHost(self.folder / "host"))

    def start_recorder(self, *options):
        return self.start("record", "-q", "--resume", "-o", "r", *INTERVAL, *options, *self.host.roots)

    def record_and_kill(self, *options):
        process = self.start_recorder(*options)
        time.sleep(self.chance.uniform(0, LONGEST_LIFE_S))
        process.send_signal(signal.SIGKILL)
        out = self.finish(process)
        self.assertEqual(out.returncode, -signal.SIGKILL, shown(out))

    def record_to_an_end(self, *options):
        process = self.start_recorder(*options)
        before = len(self.frames())
        wait_until(lambda: len(self.frames()) > before + 50, "frames of the last recorder")
        process.terminate()
        out = self.finish(process)
        self.assert_status(out, 0)
        self.assertEqual(out.stderr, "")

    def dump(self, *reader):
        out = subprocess.run([*reader, self.folder / "r", *(["--dump"] if len(reader) > 1 else [])], text=True,
                             capture_output=True, timeout=PATIENCE_S, check=False)
        return out.returncode, out.stdout.splitlines()

    def frames(self):
        """Each frame that Reveal's own reader gets, in full."""
        return [line for line in self.dump(DUMP_RECORDING)[1] if line.startswith("frame ")]

    def info(self):
        out = self.reveal("info", "r", "--json")
        self.assert_status(out, 0)
        return json.loads(out.stdout)

    def test_every_frame_outlives_all_kills(self):
        known = []
        for number in range(ROUNDS):
            with self.subTest(round=number):
                self.record_and_kill()
                frames = self.frames()
                self.assertTrue(frames[:len(known)] == known, "frames of before have changed")
                if frames:
                    self.assertEqual(self.info()["damage"], [])
                known = frames
        self.record_to_an_end()
        frames = self.frames()
        self.assertTrue(frames[:len(known)] == known, "frames of before have changed")
        sequences = [int(line.split()[1]) for line in frames]
        self.assertTrue(all(a < b for a, b in zip(sequences, sequences[1:])))
        times = [int(line.split()[3]) for line in frames]
        self.assertTrue(all(a < b for a, b in zip(times, times[1:])))

        found = self.info()
        self.assertEqual((found["damage"], found["state"]), ([], "closed"))
        self.assertEqual(found["frames"], len(frames))
        status, ours = self.dump(DUMP_RECORDING)
        self.assertEqual(status, 0)
        self.assertTrue(self.dump(sys.executable, "-B", SECOND_READER) == (0, ours), "the readers differ")

        self.assert_status(self.reveal("analyze", "r", *WINDOWS), 0)
        run = json.loads((self.folder / "r" / "report.json").read_text())["run"]
        self.assertEqual((run["frames"], run["ticks_missed"]["damage"]), (len(frames), 0))
        said = self.reveal("export", "r", "--format", "jsonl", "-o", "r.jsonl")
        self.assert_status(said, 0)
        self.assertIn("went on after", (self.folder / "r.jsonl").read_text())

    def test_max_size_is_held(self):
        most = 256 << 10
        limits = ["--max-size", "256KiB"]
        known = {}
        for number in range(ROUNDS):
            with self.subTest(round=number):
                self.record_and_kill(*limits)
                frames = {line.split()[1]: line for line in self.frames()}
                # The oldest that is left says the facts that held before it, too.
                for sequence in known.keys() & set(list(frames)[1:]):
                    self.assertTrue(frames[sequence] == known[sequence], f"frame {sequence} has changed")
                # What is gone was the oldest.
                gone = [int(sequence) for sequence in known.keys() - frames.keys()]
                self.assertLess(max(gone, default=-1), min(map(int, frames), default=0))
                known = frames
        self.record_to_an_end(*limits)
        on_disk = sum(path.stat().st_size for path in (self.folder / "r").iterdir())
        self.assertLessEqual(on_disk, most)
        found = self.info()
        self.assertEqual((found["damage"], found["state"]), ([], "closed"))

    def test_what_cannot_be_resumed_stays_as_it_was(self):
        self.record_to_an_end()
        before = self.frames()
        out = self.reveal("record", "--resume", "-o", "r", "--interval", "20ms", *self.host.roots)
        self.assert_complains(out, USAGE, "has a frame every 10 ms, not every 20 ms", "choose another directory")
        out = self.reveal("record", "-o", "r", *INTERVAL, *self.host.roots)
        self.assert_complains(out, USAGE, "already holds a recording")
        process = self.start_recorder()
        wait_until(lambda: len(self.frames()) > len(before), "a frame")
        out = self.reveal("record", "--resume", "-o", "r", *INTERVAL, *self.host.roots)
        self.assert_complains(out, USAGE, "another recorder is writing")
        process.terminate()
        self.assert_status(self.finish(process), 0)
        self.assertTrue(self.frames()[:len(before)] == before)

    def test_a_command_that_does_not_start_costs_nothing(self):
        self.record_to_an_end()
        before = self.frames()
        script = self.folder / "script"
        script.write_text("no interpreter\n")
        script.chmod(0o644)
        out = self.reveal("record", "--resume", "-o", "r", *INTERVAL, *self.host.roots, "--", script)
        self.assertIn(out.returncode, (126, 127), shown(out))
        self.assertTrue(self.frames() == before)
        self.assertEqual(self.info()["damage"], [])


if __name__ == "__main__":
    unittest.main()
