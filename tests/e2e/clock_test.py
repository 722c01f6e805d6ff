"""The realtime clock is set back by an hour while reveal records: ticks go on, no frame is lost for
it, and the recording says what happened."""

import json
import os
import unittest

from reveal_process import WINDOWS, RevealTest, fixture, shown


class ClockSetBack(RevealTest):
    def test_recording_goes_on_and_says_so(self):
        environment = {**os.environ, "LD_PRELOAD": os.environ["SET_CLOCK"],
                       "SET_CLOCK_AFTER_MS": "1500",
                       "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}
        out = self.reveal("run", "-o", "r", "--interval", "10ms", "--duration", "4s", *WINDOWS,
                          *fixture(), env=environment)
        # The fixture's files stand still: there is nothing to analyze, but all is recorded.
        self.assertIn(out.returncode, (0, 3), shown(out))
        out = self.reveal("run", "-o", "live", "--interval", "10ms", "--duration", "4s", *WINDOWS,
                          env=environment)
        self.assert_status(out, 0)
        report = json.loads((self.folder / "live/report.json").read_text())
        said = [note["text"] for note in report["notes"] if note["subject"] == "realtime clock"]
        self.assertEqual(said, ["was set back by 3600.000 s"], shown(out))
        self.assertIn("was set back by 3600.000 s", out.stdout)
        # What it took, by no clock that is set.
        self.assertAlmostEqual(report["run"]["length_ns"] / 1e9, 4, delta=0.5)
        self.assertNotIn("Recorded  -", out.stdout)
        frames = report["run"]["frames"] + report["run"]["ticks_missed"]["late"]
        # 401 ticks, and one longer pause in which they are put in step with the new time.
        self.assertIn(frames, range(399, 402), shown(out))


if __name__ == "__main__":
    unittest.main()
