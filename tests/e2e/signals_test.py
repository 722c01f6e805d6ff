"""Signals and Ctrl-C: they reach CMD once, end a run, and never cost the report."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, WINDOWS, RevealTest, shown, wait_recording, wait_until
from terminal import CTRL_C, Terminal

LONG_ENOUGH_S = 3.0  # to be analyzed with these windows, also on a machine that is busy

# Says when it is ready, counts its interrupts, and ends when its stdin or a file says so.
COUNTS_INTERRUPTS = """
import os, signal, sys, time
count = 0
def interrupted(*_):
    global count
    count += 1
signal.signal(signal.SIGINT, interrupted)
open('ready', 'w').close()
while not os.path.exists('end'):
    time.sleep(0.02)
print(f'interrupted {count} times', flush=True)
sys.exit(6)
"""


class SignalTest(RevealTest):
    def setUp(self):
        super().setUp()
        self.host = self.enterContext(MovingHost(self.folder / "host"))
        self.run_words = ["run", "-o", "r", *INTERVAL, *WINDOWS, *self.host.roots]

    def wait_for(self, name):
        wait_until((self.folder / name).exists, f"CMD to make {name}")

    def tell(self, name):
        (self.folder / name).touch()

    def report(self):
        return json.loads((self.folder / "r" / "report.json").read_text())


class Passed(SignalTest):
    def test_signals_sent_to_reveal_reach_cmd(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT,
                       signal.SIGUSR1, signal.SIGUSR2):
            with self.subTest(number=number):
                script = (f"trap 'echo got {number:d}; exit 7' {number:d}; touch ready{number:d};"
                          "while :; do sleep 0.05; done")
                process = self.start("record", "-q", "-o", f"r{number:d}", *self.host.roots, "--",
                                     "sh", "-c", script)
                self.wait_for(f"ready{number:d}")
                process.send_signal(number)
                out = self.finish(process)
                self.assertEqual((out.stdout, out.returncode), (f"got {number:d}\n", 7), shown(out))

    def test_a_cmd_that_dies_of_the_signal_is_told_as_such(self):
        process = self.start("record", "-q", "-o", "r", *self.host.roots, "--", "sh", "-c",
                             "touch ready; exec sleep 60")
        self.wait_for("ready")
        process.send_signal(signal.SIGTERM)
        self.assert_status(self.finish(process), -signal.SIGTERM)

    def test_nohup_holds(self):
        process = self.start("record", "-o", "r", *self.host.roots,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        wait_recording(self.folder / "r")
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "a SIGHUP ended a recorder that nohup had started")
        process.send_signal(signal.SIGTERM)
        self.assert_status(self.finish(process), 0)


class WithoutCommand(SignalTest):
    def test_each_ending_signal_gives_the_report(self):
        running = {}
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            running[number] = self.start("run", "-q", "-o", f"r{number:d}", *INTERVAL, *WINDOWS,
                                         *self.host.roots)
        time.sleep(LONG_ENOUGH_S)
        for number, process in running.items():
            with self.subTest(number=number):
                process.send_signal(number)
                out = self.finish(process)
                self.assert_status(out, 0)
                self.assertTrue(out.stdout.startswith("Reveal report for"), shown(out))
                self.assertEqual(out.stderr, "", shown(out))

    def test_ctrl_c_on_a_terminal(self):
        with open(self.folder / "stdout", "w", encoding="utf-8") as stdout:
            terminal = Terminal(self, *self.run_words, stdout=stdout)
            terminal.expect("recording")
            time.sleep(LONG_ENOUGH_S)
            terminal.type(CTRL_C)
            self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Reveal report for", (self.folder / "stdout").read_text(encoding="utf-8"))
        self.assertIn("reveal: recorded", terminal.text)


class OnATerminal(SignalTest):
    def test_ctrl_c_reaches_cmd_once_and_the_report_comes(self):
        terminal = Terminal(self, *self.run_words, "--", sys.executable, "-c", COUNTS_INTERRUPTS)
        self.wait_for("ready")
        time.sleep(LONG_ENOUGH_S / 2)
        terminal.type(CTRL_C)
        time.sleep(LONG_ENOUGH_S / 2)
        self.assertIsNone(terminal.process.poll(), "one Ctrl-C ended the run before CMD")
        self.tell("end")
        self.assertEqual(terminal.wait(), 6, terminal.text)
        self.assertIn("interrupted 1 times", terminal.text)
        self.assertIn("Reveal report for", terminal.text)
        run = self.report()["run"]
        self.assertGreaterEqual(run["end"]["ns"] - run["begin"]["ns"], 1.9e9 * LONG_ENOUGH_S / 2)

    def test_a_second_ctrl_c_ends_the_recording_and_not_cmd(self):
        terminal = Terminal(self, *self.run_words, "--", sys.executable, "-c", COUNTS_INTERRUPTS)
        self.wait_for("ready")
        time.sleep(LONG_ENOUGH_S)
        for _ in range(2):
            terminal.type(CTRL_C)
            time.sleep(0.3)  # signals of one number that wait together are one
        terminal.expect("Reveal report for")
        self.assertIsNone(terminal.process.poll(), "reveal left before CMD")
        self.tell("end")
        self.assertEqual(terminal.wait(), 6, terminal.text)
        self.assertIn("interrupted 2 times", terminal.text)

    def test_a_cmd_that_ignores_ctrl_c_is_recorded_to_its_end(self):
        script = "trap '' INT; touch ready; while [ ! -e end ]; do sleep 0.05; done; exit 4"
        terminal = Terminal(self, *self.run_words, "--", "sh", "-c", script)
        self.wait_for("ready")
        terminal.type(CTRL_C)
        time.sleep(LONG_ENOUGH_S)
        self.tell("end")
        self.assertEqual(terminal.wait(), 4, terminal.text)
        run = self.report()["run"]
        self.assertGreaterEqual(run["end"]["ns"] - run["begin"]["ns"], 0.9e9 * LONG_ENOUGH_S)


class BrokenStreams(SignalTest):
    def test_a_closed_stderr(self):
        out = self.reveal(*self.run_words, "--duration", f"{LONG_ENOUGH_S}s",
                          preexec_fn=lambda: os.close(2), capture_output=False,
                          stdout=subprocess.PIPE)
        self.assertEqual(out.returncode, 0)
        self.assertIn("Reveal report for", out.stdout)
        self.assertGreater(self.report()["run"]["frames"], 0)

    def test_a_stderr_that_nobody_reads_any_more(self):
        process = self.start(*self.run_words, "--", "sh", "-c",
                             f"sleep {LONG_ENOUGH_S}; echo still here; exit 3")
        process.stderr.close()
        process.stderr = None
        out = self.finish(process)
        self.assertEqual((out.stdout, out.returncode), ("still here\n", 3))
        self.assertGreater(self.report()["run"]["frames"], 0)

    def test_a_stdout_that_nobody_reads_any_more(self):
        process = self.start(*self.run_words, "--duration", f"{LONG_ENOUGH_S}s")
        process.stdout.close()
        process.stdout = None
        out = self.finish(process)
        self.assertEqual(out.returncode, 1, shown(out))
        self.assertIn("the report: cannot write: Broken pipe", out.stderr)
        self.assertGreater(self.report()["run"]["frames"], 0)

    def test_a_full_stdout_is_an_error_and_the_file_is_there(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            out = self.reveal(*self.run_words, "-q", "--duration", f"{LONG_ENOUGH_S}s",
                              capture_output=False, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(out.returncode, 1)
        self.assertEqual(out.stderr, "reveal: the report: cannot write: No space left on device\n")
        self.assertGreater(self.report()["run"]["frames"], 0)


class Stopped(SignalTest):
    def test_time_asleep_is_a_marked_gap(self):
        process = self.start(*self.run_words)
        wait_recording(self.folder / "r")
        time.sleep(LONG_ENOUGH_S / 2)
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)
        process.send_signal(signal.SIGCONT)
        time.sleep(LONG_ENOUGH_S / 2)
        process.send_signal(signal.SIGINT)
        out = self.finish(process)
        self.assert_status(out, 0)
        run = self.report()["run"]
        self.assertGreaterEqual(run["ticks_missed"]["late"], 28)
        self.assertIn(f"{run['ticks_missed']['late']} late", out.stdout)
        # Every tick of the time recorded has a frame or is counted as missed.
        ticks = (run["end"]["ns"] - run["begin"]["ns"]) / run["interval_ns"]
        self.assertAlmostEqual(run["frames"] + run["ticks_missed"]["late"] - 1, ticks, delta=3)


if __name__ == "__main__":
    unittest.main()
