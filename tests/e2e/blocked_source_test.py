"""A source that never answers: a file system that was mounted over a part of sysfs and whose server
is silent (FUSE). Recording starts all the same, ticks go on, and what is missing is named."""

import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from reveal_process import FIXTURES, RevealTest, shown, wait_recording

# Read on threads of their own, below a folder that the silent server takes over.
BLOCKED = "class/net"


class SilentServer(RevealTest):
    def setUp(self):
        super().setUp()
        host = FIXTURES / "vm-2cpu-linux-6.18"
        self.host = self.folder / "host"
        shutil.copytree(host, self.host, symlinks=True)
        self.point = self.host / "sys" / BLOCKED
        self.point.mkdir(parents=True, exist_ok=True)

    def mount(self):
        """Mounts a file system whose server will never read a request."""
        try:
            server = os.open("/dev/fuse", os.O_RDWR)
        except OSError as error:
            self.skipTest(f"no FUSE here: {error}")
        libc = ctypes.CDLL(None, use_errno=True)
        options = f"fd={server},rootmode=40000,user_id=0,group_id=0".encode()
        if libc.mount(b"silent", bytes(self.point), b"fuse", 0, options) != 0:
            os.close(server)
            self.skipTest("cannot mount FUSE: " + os.strerror(ctypes.get_errno()))
        # Closing the server's end lets everyone who waits go on with an error.
        self.addCleanup(subprocess.run, ["umount", "-l", self.point], check=False)
        self.addCleanup(os.close, server)

    def record(self, seconds):
        return self.reveal("record", "-o", "r", "--interval", "20ms", "--duration", f"{seconds}s",
                           "--proc-root", "/proc", "--sys-root", self.host / "sys")

    def report(self):
        out = self.reveal("analyze", "r", "--window", "600ms", "--stride", "200ms")
        self.assert_status(out, 0)
        return json.loads((self.folder / "r/report.json").read_text())

    def test_a_source_that_is_silent_from_the_start_is_named_and_ticks_go_on(self):
        self.mount()
        self.assert_status(self.record(5), 0)
        report = self.report()
        silent = [item for item in report["run"]["not_seen"]
                  if "has not answered" in item["reason"]]
        self.assertTrue(silent, report["run"]["not_seen"])
        ticks = report["run"]["frames"] + report["run"]["ticks_missed"]["late"]
        self.assertEqual(ticks, 251)
        self.assertGreater(report["run"]["frames"], 200)

    def test_a_source_that_falls_silent_is_noted_and_ticks_go_on(self):
        process = self.start("record", "-o", "r", "--interval", "20ms", "--duration", "16s",
                             "--proc-root", "/proc", "--sys-root", self.host / "sys",
                             "--config", self.faster())
        wait_recording(self.folder / "r")
        self.mount()
        out = self.finish(process)
        self.assert_status(out, 0)
        report = self.report()
        said = [note for note in report["notes"] if "has not answered for" in note["text"]]
        self.assertTrue(said, report["notes"])
        self.assertGreater(report["run"]["frames"], 700)

    def faster(self):
        path = pathlib.Path(self.folder) / "reveal.toml"
        path.write_text('[collect]\nmedium = "200ms"\nslow = "500ms"\n')
        return path

    def test_listing_metrics_does_not_wait_for_ever(self):
        self.mount()
        out = self.reveal("metrics", "--proc-root", "/proc", "--sys-root", self.host / "sys")
        self.assert_status(out, 0)
        self.assertIn("has not answered", out.stdout, shown(out))


if __name__ == "__main__":
    unittest.main()
