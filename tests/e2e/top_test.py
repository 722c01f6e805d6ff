"""`reveal top` on a terminal: tmux draws what it prints, and types what a user would."""

import os
import re
import shlex
import signal
import shutil
import subprocess
import unittest

from made_telemetry import TelemetryTest, noise
from reveal_process import INTERVAL, REVEAL, RevealTest, fixture, wait_recording, wait_until

FOUND = "storage"


class Pane:
    """A terminal of tmux with a shell in it, which runs reveal and then says how that ended."""

    def __init__(self, test, words, columns=80, rows=24, env=()):
        self._socket = test.folder / "tmux"
        shell = " ".join(["env", "LC_ALL=C.UTF-8", *env, shlex.join([REVEAL, *map(str, words)])])
        script = f"stty -a > before; {shell}; echo ended $?; stty -a > being_said; mv being_said after; sleep 600"
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                   "-c", str(test.folder), "sh", "-c", script)
        self._folder = test.folder
        test.addCleanup(self._tmux, "kill-server")

    def _tmux(self, *words):
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        outcome = subprocess.run(["tmux", "-S", str(self._socket), *words], text=True,
                                 capture_output=True, check=False, env=environment, timeout=60)
        if words[0] == "capture-pane":
            return outcome.stdout
        return outcome.stdout.strip()

    def text(self):
        return self._tmux("capture-pane", "-p")

    def styled(self):
        return self._tmux("capture-pane", "-p", "-e")

    def type(self, *keys):
        self._tmux("send-keys", *keys)

    def resize(self, columns, rows):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def pid(self):
        """Of reveal."""
        shell = self._tmux("display-message", "-p", "#{pane_pid}")
        return int(subprocess.run(["pgrep", "-P", shell], text=True, capture_output=True,
                                  check=True).stdout)

    def expect(self, *words):
        try:
            wait_until(lambda: all(word in self.text() for word in words), words)
        except AssertionError as error:
            raise AssertionError(f"{error}\n--- on the terminal\n{self.text()}") from None

    def line_with(self, word):
        return next(line for line in self.text().splitlines() if word in line)

    def expect_restored(self, test, status):
        self.expect(f"ended {status}")
        wait_until(lambda: (self._folder / "after").exists(), "the shell")
        test.assertNotIn("q quit", self.text())  # the screen of before is back
        test.assertEqual((self._folder / "after").read_text(), (self._folder / "before").read_text())
        test.assertEqual(self._tmux("display-message", "-p", "#{cursor_flag}"), "1")
        test.assertEqual(self._tmux("display-message", "-p", "#{alternate_on}"), "0")


@unittest.skipUnless(shutil.which("tmux"), "no tmux: apt-get install tmux")
class OnATerminal(TelemetryTest):
    """A recording with a disturbance from 10:03:20 to 10:03:40 in all channels of storage."""

    def setUp(self):
        super().setUp()
        samples = noise(1, ticks=300, channels=16)
        samples[200:220, :8] += 40
        names = [f"storage_{i}_bytes" for i in range(8)] + [f"cpu_{i}_ratio" for i in range(8)]
        self.recording = self.record("burst", samples, channels=names)

    def test_lanes_findings_and_channels_of_a_recording(self):
        pane = Pane(self, ["top", self.recording])
        pane.expect("node7", "1 finding", "q quit")
        self.assertIn("!", pane.line_with("storage "))
        self.assertNotIn("!", pane.line_with("cpu "))
        analyzed = self.printed("analyze", self.recording)
        claim = next(line for line in analyzed.splitlines() if "(usually " in line)
        self.assertIn(claim.strip()[:60], pane.text())
        self.assertIn("Channel 1-", pane.text())
        pane.type("q")
        pane.expect_restored(self, 0)

    def test_another_size_filter_help_and_time(self):
        pane = Pane(self, ["top", self.recording])
        pane.expect("1 finding")
        pane.resize(120, 40)
        wait_until(lambda: pane.text().rstrip().count("\n") == 39, "40 lines")
        pane.expect("1 finding", "Channel 1-16 of 16")
        pane.resize(60, 15)
        wait_until(lambda: pane.text().rstrip().count("\n") == 14, "15 lines")
        pane.expect("1 finding", FOUND)
        pane.resize(30, 8)
        pane.expect("reveal top needs 40x10")
        pane.resize(80, 24)
        pane.expect("q quit")
        pane.type("/", "CPU=3")
        pane.expect("/CPU=3_", "Channel 1-1 of 1")
        self.assertIn("Cpu ratio on CPU 3", pane.text())
        pane.type("Enter")
        pane.expect("only: CPU=3")
        pane.type("?")
        pane.expect("robust standard")
        pane.type("x")
        pane.expect("only: CPU=3")
        pane.type("Escape")
        pane.expect("q quit")
        pane.type("Home")
        pane.expect("PAUSED", "No anomaly")
        pane.type("End")
        pane.expect("1 finding")
        pane.type("q")
        pane.expect_restored(self, 0)

    def test_without_color_and_without_utf8(self):
        with self.subTest("colors by default"):
            pane = Pane(self, ["top", self.recording], env=["TERM=screen-256color"])
            pane.expect("1 finding")
            self.assertIn("\x1b[1m\x1b[31m", pane.styled())
            pane.type("q")
            pane.expect("ended 0")
            self.doCleanups()
            self.setUp()
        for env in (["NO_COLOR=1"], ["TERM=vt100"]):
            with self.subTest(env):
                pane = Pane(self, ["top", self.recording], env=["LC_ALL=C", *env])
                pane.expect("1 finding", "q quit")
                self.assertNotIn("\x1b[31m", pane.styled())
                self.assertTrue(pane.text().isascii(), pane.text())
                self.assertIn("!", pane.line_with("storage "))
                pane.type("q")
                pane.expect_restored(self, 0)
                self.doCleanups()
                self.setUp()

    def test_a_signal_restores_the_terminal(self):
        for number, status in ((signal.SIGINT, 0), (signal.SIGTERM, 128 + signal.SIGTERM)):
            with self.subTest(number):
                pane = Pane(self, ["top", self.recording])
                pane.expect("q quit")
                os.kill(pane.pid(), number)
                pane.expect_restored(self, status)
                self.doCleanups()
                self.setUp()

    def test_once_prints_the_screen(self):
        text = self.printed("top", self.recording, "--once")
        self.assertLessEqual(len(text.splitlines()), 24)
        self.assertIn("1 finding", text)
        self.assertNotIn("\x1b", text)
        wide = self.reveal("top", self.recording, "--once",
                           env={**os.environ, "COLUMNS": "200", "LINES": "60"})
        self.assert_status(wide, 0)
        self.assertGreater(max(map(len, wide.stdout.splitlines())), 150)

    def test_local_times(self):
        def clock(*options):
            shown = self.reveal("top", self.recording, "--once", *options, env={**os.environ, "TZ": "XST-5:45"})
            self.assert_status(shown, 0)
            hours, minutes, zone = re.search(r" to (\d\d):(\d\d):\S+ (UTC|local time)", shown.stdout).groups()
            return 60 * int(hours) + int(minutes), zone
        (utc, is_utc), (local, is_local) = clock(), clock("--local")
        self.assertEqual((is_utc, is_local), ("UTC", "local time"))
        self.assertEqual((local - utc) % (24 * 60), 5 * 60 + 45)

    def test_findings_are_those_of_the_report_beside_it(self):
        self.printed("analyze", self.recording)
        report = self.recording / "report.json"
        text = report.read_text(encoding="utf-8")
        report.write_text(text.replace("(usually ", "(was told of "), encoding="utf-8")
        self.assertIn("was told of", self.printed("top", self.recording, "--once"))
        report.write_text("{}", encoding="utf-8")
        self.assert_complains(self.reveal("top", self.recording, "--once"), 1, "report.json",
                              "analyze the recording again")

    def test_names_cannot_steer_the_terminal(self):
        names = [f"a\x1b[2J\x07{i}" for i in range(8)]
        recording = self.record("hostile", noise(2), channels=names)
        text = self.printed("top", recording, "--once")
        self.assertIn("q quit", text)
        self.assertFalse([c for c in text if c < " " and c != "\n"], repr(text))


@unittest.skipUnless(shutil.which("tmux"), "no tmux: apt-get install tmux")
class Live(RevealTest):
    def test_this_host(self):
        pane = Pane(self, ["top", "--live", *INTERVAL, "--window", "300ms", "--stride", "100ms"],
                    env=[f"TMPDIR={self.folder}"])
        pane.expect("learning, ", "s to go")
        # 60 windows of 100 ms later there are verdicts; a busy host may have real anomalies.
        wait_until(lambda: any(word in pane.line_with(" UTC") for word in ("No anomaly", "finding")),
                   "a verdict")
        pane.expect("live", "Channel 1-")
        self.assertRegex(pane.line_with("memory "), "[▁▂▃▄▅▆▇█!]")
        self.assertTrue(list(self.folder.glob("reveal_top_*")))
        pane.type("q")
        pane.expect_restored(self, 0)
        self.assertFalse(list(self.folder.glob("reveal_top_*")))

    def test_a_host_that_cannot_be_read(self):
        pane = Pane(self, ["top", "--live", "--proc-root", self.folder, "--sys-root", self.folder])
        pane.expect("the recorder ended: ", "reveal doctor")
        pane.expect_restored(self, 1)

    def test_a_recording_that_is_being_written(self):
        recorder = self.start("record", "-o", "now", *INTERVAL, *fixture())
        wait_recording(self.folder / "now")
        pane = Pane(self, ["top", "now", "--window", "300ms", "--stride", "100ms"])
        pane.expect("following now", "learning, ")
        first = pane.line_with(" UTC")
        wait_until(lambda: pane.line_with(" UTC") != first, "newer windows")
        recorder.send_signal(signal.SIGINT)
        self.assert_status(self.finish(recorder), 0)
        pane.expect("ended: now")
        pane.type("q")
        pane.expect_restored(self, 0)


class Refusals(RevealTest):
    def test_what_makes_no_sense_says_what_does(self):
        self.assert_complains(self.reveal("top"), 2, "give a recording, or --live")
        self.assert_complains(self.reveal("top", "--live"), 2, "needs a terminal", "reveal run")
        self.assert_complains(self.reveal("top", "x"), 2, "needs a terminal", "--once")
        self.assert_complains(self.reveal("top", "x", "--once"), 1, "x", "no such directory")
        self.assert_complains(self.reveal("top", "x", "--live"), 2, "leave one of them out")
        self.assert_complains(self.reveal("top", "--live", "--once"), 2, "needs a recording")


if __name__ == "__main__":
    unittest.main()
