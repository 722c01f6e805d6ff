"""GPUs, end to end: the recorder, its reader process and a library that says what it is told to."""

import os
import pathlib
import re
import signal
import sys
import unittest

from reveal_process import REPOSITORY, RevealTest, shown, wait_recording, wait_until

sys.path.insert(0, str(REPOSITORY / "tools"))
import read_recording  # noqa: E402

STAND_IN = os.path.abspath(os.environ["NVML_STAND_IN"])

TWO_GPUS = """\
lib devices 2
lib driver 550.54.15
0 bus 17
0 uuid GPU-aaaa
0 util.gpu 37
0 util.memory 12
1 bus ca
1 uuid GPU-bbbb
1 util.gpu 99
1 util.memory 80
"""


def reader_pids(recorder):
    """The reader processes among the children of a process."""
    pids = []
    for path in pathlib.Path(f"/proc/{recorder}/task").glob("*/children"):
        try:
            pids += [int(word) for word in path.read_text().split()]
        except OSError:
            continue
    return [pid for pid in pids if b"gpu-reader" in command_line(pid)]


def command_line(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


class Gpu(RevealTest):
    def setUp(self):
        super().setUp()
        self.script = self.folder / "script"
        self.say(TWO_GPUS)
        self.environment = {**os.environ, "REVEAL_NVML_PATH": STAND_IN,
                            "NVML_STAND_IN_SCRIPT": str(self.script)}

    def say(self, text):
        following = self.folder / "script.next"
        following.write_text(text)
        following.rename(self.script)

    def test_metrics_lists_the_gpus(self):
        out = self.reveal("metrics", env=self.environment)
        self.assert_status(out, 0)
        line = next(line for line in out.stdout.splitlines() if line.startswith("gpu_busy_ratio "))
        self.assertRegex(line, r"\b2\b", shown(out))
        self.assertNotIn("missing", line, shown(out))

    def test_a_recording_has_the_gpus_and_leaves_no_reader(self):
        process = self.start("record", "-o", "r", env=self.environment)
        wait_recording(self.folder / "r")
        wait_until(lambda: reader_pids(process.pid), "the reader")
        readers = reader_pids(process.pid)
        process.send_signal(signal.SIGINT)
        self.assert_status(self.finish(process), 0)
        wait_until(lambda: not any(command_line(pid) for pid in readers), "the reader to end")
        recording = read_recording.open(self.folder / "r")
        instances = {channel.instance for channel in recording.channels
                     if channel.instance.startswith("gpu=")}
        self.assertLessEqual({"gpu=0000:17:00.0", "gpu=0000:ca:00.0"}, instances)
        uuids = [text for subject, text in self.notes() if subject == "uuid of gpu 0000:17:00.0"]
        self.assertEqual(uuids, ["GPU-aaaa"])

    def test_a_driver_that_hangs_costs_no_tick_and_is_told(self):
        process = self.start("record", "-o", "r", env=self.environment)
        wait_recording(self.folder / "r")
        self.say(TWO_GPUS + "0 util.gpu hang\n")
        hang = "the NVIDIA driver has not answered for 5 s on GPU 0000:17:00.0"
        wait_until(lambda: self.was_said(hang), "the note of the hang")
        process.send_signal(signal.SIGINT)
        out = self.finish(process)
        self.assert_status(out, 0)
        self.assertTrue(self.was_said("its reader was stopped and started again"))
        # The recorder went on while the driver hung for five seconds; at 10 Hz it has 50 frames
        # of that time alone, and a recorder that hung with it would have none.
        frames = int(re.search(r"(\d+) frames", out.stderr).group(1))
        self.assertGreater(frames, 20, shown(out))

    def notes(self):
        """Subject and text of all that was said so far."""
        frames = read_recording.open(self.folder / "r").frames()
        return [(note.subject, note.text) for frame in frames for note in frame.notes]

    def was_said(self, text):
        return any(text in said for _, said in self.notes())

    def test_a_reader_ends_when_its_recorder_is_killed(self):
        process = self.start("record", "-o", "r", env=self.environment)
        wait_until(lambda: reader_pids(process.pid), "the reader")
        self.say(TWO_GPUS + "0 util.gpu hang\n")
        readers = reader_pids(process.pid)
        process.kill()
        process.wait()
        wait_until(lambda: not any(command_line(pid) for pid in readers), "the reader to end")

    def test_help_does_not_show_the_reader(self):
        out = self.reveal("--help")
        self.assert_status(out, 0)
        self.assertNotIn("gpu-reader", out.stdout)
        self.assertNotIn("gpu-reader", self.reveal("nonsense").stderr)

    def test_a_reader_that_nobody_started_refuses(self):
        out = self.reveal("gpu-reader", "--shared-fd", "0", "--parent-fd", "0")
        self.assert_status(out, 2)


if __name__ == "__main__":
    unittest.main()
