"""reveal info says what a recording holds and costs; reveal repair keeps what is sound."""

import json
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, WINDOWS, RevealTest, shown, wait_recording

FAILED, USAGE = 1, 2


class Info(RevealTest):
    def setUp(self):
        super().setUp()
        self.host = self.enterContext(MovingHost(self.folder / "host"))

    def record(self, name, seconds, kill=False):
        process = self.start("record", "-q", "-o", name, *INTERVAL, *self.host.roots)
        wait_recording(self.folder / name)
        time.sleep(seconds)
        if kill:
            process.kill()
            process.wait()
        else:
            process.terminate()
            self.assert_status(self.finish(process), 0)

    def info(self, name):
        out = self.reveal("info", name, "--json")
        self.assert_status(out, 0)
        return json.loads(out.stdout)

    def on_disk(self, name):
        return sum(path.stat().st_size for path in (self.folder / name).iterdir())

    def test_what_a_recording_holds(self):
        self.record("r", 2)
        text = self.reveal("info", "r", "--top", "3")
        self.assert_status(text, 0)
        for words in ("closed in order", "  gaps      ", "bytes a sample", "recorder_tick", "and "):
            self.assertIn(words, text.stdout, shown(text))
        found = self.info("r")
        self.assertEqual(found["state"], "closed")
        self.assertEqual(found["segment_bytes"], self.on_disk("r"))
        self.assertEqual(found["journals"], 0)
        self.assertEqual([gap for gap in found["gaps"] if "late" not in gap["why"]], [])
        self.assertEqual(found["damage"], [])
        self.assertAlmostEqual(found["span_ns"], 2e9, delta=1e9)
        self.assertEqual(len(found["bytes_by_channel"]), found["channels"])
        by_channel = sum(each["bytes"] for each in found["bytes_by_channel"])
        by_source = sum(each["bytes"] for each in found["bytes_by_source"])
        self.assertAlmostEqual(by_channel, by_source, delta=1)
        self.assertLess(by_channel, found["block_bytes"])
        self.assertLess(found["block_bytes"], found["segment_bytes"])

    def test_a_recording_that_grows_and_one_whose_recorder_was_killed(self):
        process = self.start("record", "-q", "-o", "r", *INTERVAL, *self.host.roots)
        wait_recording(self.folder / "r")
        self.assertEqual(self.info("r")["state"], "growing")
        process.kill()
        process.wait()
        found = self.info("r")
        self.assertEqual(found["state"], "abandoned")
        self.assertGreater(found["frames"], 0)
        self.assertEqual(found["segment_bytes"] + found["journal_bytes"], self.on_disk("r"))

    def test_repair_keeps_all_that_is_sound(self):
        self.record("killed", 4, kill=True)
        before = self.info("killed")
        journal = self.folder / "killed" / "000001.rvj"
        content = bytearray(journal.read_bytes())
        content[len(content) // 2] ^= 0x10
        journal.write_bytes(content)
        damaged = self.info("killed")
        self.assertEqual(len(damaged["damage"]), 1)
        self.assertLess(damaged["frames"], before["frames"])
        self.assertIn("reveal repair", self.reveal("info", "killed").stdout)

        out = self.reveal("repair", "killed", "-o", "mended")
        self.assert_status(out, 0)
        self.assertIn(f"{damaged['frames']} frames are copied", out.stderr)
        mended = self.info("mended")
        self.assertEqual(mended["state"], "closed")
        self.assertEqual(mended["damage"], [])
        self.assertEqual(mended["frames"], damaged["frames"])
        self.assertEqual([gap["ticks"] for gap in mended["gaps"]],
                         [gap["ticks"] for gap in damaged["gaps"]])
        self.assertTrue(any("unreadable" in gap["why"] for gap in mended["gaps"]), mended["gaps"])
        self.assertEqual(journal.read_bytes(), content, "the original was touched")
        reports = []
        for name in ("killed", "mended"):
            self.assert_status(self.reveal("analyze", name, *WINDOWS), 0)
            report = json.loads((self.folder / name / "report.json").read_text())
            del report["cost"]
            reports.append(report)
        self.assertEqual(reports[0], reports[1])

    def test_only_what_a_plan_keeps_is_stored(self):
        self.record("all", 4)
        self.assert_status(self.reveal("analyze", "all", *WINDOWS), 0)
        plan = json.loads((self.folder / "all" / "selection.json").read_text())
        kept = {cluster["representative"] for cluster in plan["clusters"]}
        self.assertTrue(kept)
        process = self.start("record", "-q", "-o", "few", "--select", "all/selection.json",
                             "--sync", "1s", *INTERVAL, *self.host.roots)
        wait_recording(self.folder / "few")
        time.sleep(3)
        process.terminate()
        self.assert_status(self.finish(process), 0)
        stored = {each["name"] for each in self.info("few")["bytes_by_channel"]}
        raw = {each["name"] for each in self.info("all")["bytes_by_channel"]}
        self.assertLess(len(stored), len(raw))
        self.assertTrue(kept & raw <= stored, kept & raw - stored)
        self.assert_status(self.reveal("analyze", "few", *WINDOWS), 0)
        out = self.reveal("record", "-o", "x", "--select", "absent.json", *self.host.roots)
        self.assert_complains(out, FAILED, "absent.json")
        out = self.reveal("record", "-o", "x", "--sync", "1", *self.host.roots)
        self.assert_complains(out, USAGE, "--sync")

    def test_wrong_input(self):
        self.assert_complains(self.reveal("info", "absent"), FAILED, "absent", "no such directory")
        self.assert_complains(self.reveal("repair", "absent", "-o", "x"), FAILED, "absent")
        self.assertFalse((self.folder / "x").exists())
        self.record("r", 0.5)
        self.assert_complains(self.reveal("repair", "r", "-o", "r"), USAGE,
                              "already holds a recording")


if __name__ == "__main__":
    unittest.main()
