"""reveal pin: a stretch of an agent's recording that stays, and that opens elsewhere."""

import json
import shutil
import signal
import unittest

from reveal_process import RevealTest, wait_until
from running_agent import AgentRun


class PinsTest(AgentRun):
    def setUp(self):
        super().setUp()
        self.start_agent()
        self.wait_recorded()
        self.wait_frames(50)
        wait_until((self.folder / "agent.sock").exists, "the socket")

    def wait_frames(self, more_than):
        wait_until(lambda: json.loads(self.info("--json"))["frames"] > more_than, "frames")

    def pin(self, *words):
        return self.reveal("pin", "--socket", self.folder / "agent.sock", *words)

    def pins(self):
        return sorted(path for path in self.state.glob("pins/*") if not path.name.endswith(".part"))

    def wait_kept(self, count):
        wait_until(lambda: self.agent.said.text.count("frames in ") == count, "the log")
        self.assertEqual(len(self.pins()), count)

    def test_a_stretch_opens_elsewhere_when_the_agent_is_gone(self):
        self.wait_frames(500)
        told = self.pin("--last", "8s")
        self.assert_status(told, 0)
        self.assertRegex(told.stderr, r"^reveal: the last 8s are being kept in .*/pins/\d{8}T\d{6}\.\d{3}Z\n$")
        self.wait_kept(1)
        self.end(self.agent)
        elsewhere = self.folder / "elsewhere"
        shutil.move(self.pins()[0], elsewhere)
        shutil.rmtree(self.state)
        info = json.loads(self.reveal("info", "--json", elsewhere).stdout)
        self.assertEqual(info["damage"], [])
        self.assertGreater(info["frames"], 300)
        self.assertLessEqual(info["frames"], 401)
        self.assert_status(self.reveal("analyze", elsewhere, "--window", "600ms", "--stride", "200ms"), 0)

    def test_a_signal_keeps_fifteen_minutes_or_all_there_is(self):
        self.agent.send_signal(signal.SIGUSR1)
        wait_until(lambda: "the last 15m are being kept in" in self.agent.said.text, "the log")
        self.wait_kept(1)
        self.assert_status(self.pin(), 0)
        self.wait_kept(2)
        self.end(self.agent)
        frames = [json.loads(self.reveal("info", "--json", pin).stdout)["frames"] for pin in self.pins()]
        self.assertGreater(frames[1], frames[0])
        self.assertGreater(frames[0], 50)

    def test_what_would_fill_the_disk_is_refused(self):
        self.configuration.write_text(self.settings.replace("min_free = 64", "min_free = 1073741824"))
        self.agent.send_signal(signal.SIGHUP)  # for the judge; the recorder goes on as it is
        wait_until(lambda: self.agent.said.text.count("answers at unix:") == 2, "another judge")
        self.assert_complains(self.pin(), 1, "the agent refused", "the disk has", "record.min_free")
        self.assertEqual(self.pins(), [])
        self.end(self.agent)


class PinWithoutAgentTest(RevealTest):
    def test_says_why(self):
        self.assert_complains(self.reveal("pin", "--socket", "none"), 1, "no agent answers at this socket")
        self.assert_complains(self.reveal("pin", "--last", "15"), 2, "--last")


if __name__ == "__main__":
    unittest.main()
