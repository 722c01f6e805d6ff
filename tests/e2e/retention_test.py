"""reveal record --keep and --max-size: what is too old or too much goes while the recorder runs."""

import json
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, WINDOWS, RevealTest, shown, wait_until

USAGE = 2


class Retention(RevealTest):
    def setUp(self):
        super().setUp()
        self.host = self.enterContext(MovingHost(self.folder / "host"))

    def start_recorder(self, *options):
        return self.start("record", "-q", "-o", "r", *INTERVAL, *options, *self.host.roots)

    def segments(self):
        return sorted(path.name for path in (self.folder / "r").glob("*.rvs"))

    def info(self):
        out = self.reveal("info", "r", "--json")
        self.assert_status(out, 0)
        return json.loads(out.stdout)

    def on_disk(self):
        total = 0
        for path in (self.folder / "r").iterdir():
            try:
                total += path.stat().st_size
            except FileNotFoundError:
                pass
        return total

    def test_by_age(self):
        process = self.start("record", "-o", "r", *INTERVAL, "--keep", "3s", *self.host.roots)
        wait_until(lambda: self.segments() and self.segments()[0] > "000002.rvs", "a removal")
        growing = self.info()
        self.assertEqual(growing["state"], "growing")
        self.assertGreater(growing["first_sequence"], 0)
        self.assertEqual(growing["damage"], [])
        time.sleep(3)
        process.terminate()
        out = self.finish(process)
        self.assert_status(out, 0)
        self.assertRegex(out.stderr, r"; the oldest [0-9.]+ s were removed, as --keep says\n")

        found = self.info()
        self.assertEqual(found["state"], "closed")
        self.assertEqual(found["damage"], [])
        self.assertGreater(found["first_sequence"], growing["first_sequence"])
        # Those of the last three seconds are there, enough to analyze, and not many older ones.
        self.assertGreaterEqual(found["span_ns"], 2.9e9)
        self.assertLess(found["span_ns"], 7e9)
        self.assertAlmostEqual(
            found["begin_ns"] - found["start_ns"],
            found["first_sequence"] * found["interval_ns"], delta=1e9)
        text = self.reveal("info", "r")
        self.assertRegex(text.stdout, r"the [0-9.]+ s before that, since .*Z, are not kept")
        self.assert_status(self.reveal("analyze", "r", *WINDOWS), 0)
        report = json.loads((self.folder / "r/report.json").read_text())
        self.assertEqual(report["run"]["ticks_missed"]["damage"], 0)
        self.assertEqual(report["run"]["frames"], found["frames"])

    def test_by_bytes(self):
        most = 256 << 10
        process = self.start_recorder("--max-size", "256KiB")
        wait_until(self.segments, "the first segment")
        largest = 0
        deadline = time.monotonic() + 100
        while time.monotonic() < deadline:
            largest = max(largest, self.on_disk())
            if self.segments() and self.segments()[0] > "000001.rvs":
                break
            time.sleep(0.01)
        process.terminate()
        self.assert_status(self.finish(process), 0)
        self.assertGreater(self.segments()[0], "000001.rvs")
        # The files are not all looked at in the same moment.
        self.assertLess(largest, most * 1.1)
        found = self.info()
        self.assertLessEqual(found["segment_bytes"], most)
        self.assertGreater(found["segment_bytes"], most / 3)
        self.assertEqual(found["damage"], [])

    def test_everything_stays_without_them(self):
        process = self.start_recorder("--duration", "1s")
        self.assert_status(self.finish(process), 0)
        self.assertEqual(self.info()["first_sequence"], 0)
        self.assertNotIn("are not kept", self.reveal("info", "r").stdout)

    def test_values_that_make_no_sense(self):
        for option, value, *words in (("--keep", "5", "no unit"), ("--keep", "10ms", "at least 1s"),
                                      ("--max-size", "5", "no unit"),
                                      ("--max-size", "3KiB", "at least 256KiB")):
            out = self.reveal("record", "-o", "x", option, value)
            self.assert_complains(out, USAGE, option, value, *words)
            self.assertFalse((self.folder / "x").exists(), shown(out))


if __name__ == "__main__":
    unittest.main()
