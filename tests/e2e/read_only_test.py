"""A file system that turns read-only under the recorder, as ext4 does after an error of its disk:
the recorder goes on, says so, and what was stored before is sound."""

import json
import pathlib
import signal
import subprocess
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, RevealTest, shown, wait_recording

FAILED = 1


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


class ReadOnly(RevealTest):
    def setUp(self):
        super().setUp()
        image, self.disk = self.folder / "image", self.folder / "disk"
        self.disk.mkdir()
        with open(image, "wb") as file:
            file.truncate(16 << 20)
        for words in (["/sbin/mkfs.ext4", "-q", str(image)],
                      ["mount", "-o", "loop,errors=remount-ro", str(image), str(self.disk)]):
            made = run(*words)
            if made.returncode != 0:
                self.skipTest("no ext4 can be mounted here: " + made.stderr.strip())
        self.addCleanup(run, "umount", "-l", str(self.disk))
        device = next(line.split()[0] for line in pathlib.Path("/proc/mounts").read_text().splitlines()
                      if line.split()[1] == str(self.disk))
        self.trigger = pathlib.Path("/sys/fs/ext4") / pathlib.Path(device).name / "trigger_fs_error"
        if not self.trigger.exists():
            self.skipTest(f"{self.trigger} is not there")

    def info(self):
        out = self.reveal("info", "disk/r", "--json")
        self.assert_status(out, 0)
        return json.loads(out.stdout)

    def test_the_recorder_goes_on_and_what_it_stored_is_sound(self):
        with MovingHost(self.folder / "host") as host:
            process = self.start("record", "-o", "disk/r", "--min-free", "0", *INTERVAL, *host.roots)
            wait_recording(self.disk / "r")
            time.sleep(1.5)
            self.trigger.write_text("1")
            before = self.info()
            self.assertGreater(before["frames"], 50)
            time.sleep(1)
            self.assertIsNone(process.poll(), "the recorder gave up")
            process.send_signal(signal.SIGTERM)
            out = self.finish(process)
        self.assert_status(out, FAILED)
        self.assertIn("frames could not be stored", out.stderr, shown(out))
        self.assertIn("Read-only file system", out.stderr, shown(out))
        after = self.info()
        self.assertEqual(after["damage"], [])
        self.assertEqual(after["state"], "abandoned")
        # One frame may have been on its way when the trigger was pulled.
        self.assertLessEqual(after["frames"] - before["frames"], 2)
        self.assertGreaterEqual(after["frames"], before["frames"])
        mended = self.reveal("repair", "disk/r", "-o", "mended")
        self.assert_status(mended, 0)


if __name__ == "__main__":
    unittest.main()
