"""Whatever is wrong is said in one line, with the right exit status, and costs nothing recorded."""

import json
import os
import shutil
import signal
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, WINDOWS, RevealTest, fixture, shown, wait_recording

FAILED, USAGE, TOO_LITTLE = 1, 2, 3


class UnreadableSource(RevealTest):
    def test_pressure_that_is_there_but_not_counted_has_the_remedy_of_none(self):
        (self.folder / "proc" / "pressure" / "cpu").mkdir(parents=True)  # read() fails, as it does with psi=0
        (self.folder / "sys").mkdir()
        out = self.reveal("doctor", "--proc-root", self.folder / "proc", "--sys-root", self.folder / "sys")
        self.assert_status(out, 0)
        remedied = next(part for part in out.stdout.split("\n\n") if "psi=1" in part)
        self.assertIn("proc/pressure/cpu: cannot be read", remedied)
        self.assertIn("cpu_pressure_some_seconds_total", remedied)


class WrongCommandLine(RevealTest):
    def test_words_that_make_no_sense(self):
        record = ["record", "-o", "r", *fixture()]
        cases = [
            ([], "--help"),
            (["watch"], "watch"),
            (["record"], "--output"),
            (["analyze"], "DIR"),
            ([*record, "--no-such-flag"], "--no-such-flag"),
            ([*record, "--interval", "3x"], "unknown unit"),
            ([*record, "--interval", "3"], "no unit"),
            ([*record, "--interval", ""], "--interval"),
            ([*record, "--interval", "nan"], "--interval"),
            ([*record, "--interval", "1ms"], "10ms to 60s"),
            ([*record, "--interval", "0s"], "--interval 0s"),
            ([*record, "--interval=-1s"], "--interval -1s"),
            ([*record, "--interval", "61s"], "10ms to 60s"),
            ([*record, "--interval", "1e300h"], "--interval 1e300h"),
            ([*record, "--duration", "soon"], "--duration soon"),
            ([*record, "--duration", "0s"], "--duration 0s"),
            ([*record, "--min-free=-1"], "--min-free"),
            ([*record, "--min-free", "99999999999999999"], "--min-free"),
            ([*record, "word"], "word"),
            ([*record, "--"], "nothing follows --"),
            (["run", *fixture(), "--contamination", "2"], "--contamination"),
            (["run", *fixture(), "--contamination", "0"], "--contamination"),
            (["run", *fixture(), "--threshold", "x"], "--threshold x"),
            (["run", *fixture(), "--threshold", "nan"], "--threshold nan"),
            (["run", *fixture(), "--agreement", "7"], "--agreement"),
            (["run", *fixture(), "--seed", "one"], "--seed"),
            (["run", *fixture(), "--correlation", "1.5"], "--correlation"),
            (["run", *fixture(), "--window", "250ms"], "whole multiple"),
            (["run", *fixture(), "--window", "100ms"], "--window"),
            (["run", *fixture(), "--stride", "4s"], "--stride"),
            (["metrics", "--available", "--missing"], "--missing"),
            (["metrics", "--format", "xml"], "--format"),
            (["metrics", "--", "true"], "takes no -- CMD"),
            (["analyze", "r", "--", "true"], "takes no -- CMD"),
        ]
        for words, mark in cases:
            with self.subTest(words=words):
                self.assert_complains(self.reveal(*words), USAGE, mark)
                self.assertEqual(list(self.folder.iterdir()), [], "something was made")

    def test_a_selection_that_is_none(self):
        (self.folder / "bad.json").write_text("{")
        for name in ("absent.json", "bad.json", "."):
            with self.subTest(name=name):
                out = self.reveal("run", *fixture(), "--select", name)
                self.assertIn(out.returncode, (FAILED, USAGE))
                self.assert_complains(out, out.returncode, name)

    def test_help_and_version_are_no_errors(self):
        for words in (["--help"], ["--version"], ["run", "--help"], ["doctor", "--help"]):
            out = self.reveal(*words)
            self.assert_status(out, 0)
            self.assertEqual(out.stderr, "")
            self.assertTrue(out.stdout)


class WrongDirectory(RevealTest):
    def test_directories_that_hold_no_recording(self):
        (self.folder / "file").write_text("text")
        (self.folder / "empty").mkdir()
        (self.folder / "foreign").mkdir()
        (self.folder / "foreign" / "notes.txt").write_text("mine")
        (self.folder / "posing").mkdir()
        (self.folder / "posing" / "000001.rvs").write_text("not a segment, whatever its name says")
        (self.folder / "hollow").mkdir()
        (self.folder / "hollow" / "000001.rvs").touch()
        (self.folder / "nested").mkdir()
        (self.folder / "nested" / "000001.rvs").mkdir()
        cases = [("absent", FAILED, "no such directory"), ("file", USAGE, "not a directory"),
                 ("empty", USAGE, "not a Reveal recording"),
                 ("foreign", USAGE, "not a Reveal recording"), ("posing", FAILED, "posing"),
                 ("hollow", None, "hollow"), ("nested", None, "nested")]
        for name, status, mark in cases:
            with self.subTest(name=name):
                out = self.reveal("analyze", name)
                self.assertIn(out.returncode, (FAILED, USAGE, TOO_LITTLE), shown(out))
                self.assert_complains(out, status or out.returncode, mark)
                self.assertEqual(out.stdout, "")
        self.assertEqual((self.folder / "foreign" / "notes.txt").read_text(), "mine")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_directory_that_may_not_be_read(self):
        (self.folder / "closed").mkdir(mode=0)
        self.assert_complains(self.reveal("analyze", "closed"), FAILED, "Permission denied")

    def test_places_where_nothing_can_be_recorded(self):
        (self.folder / "file").write_text("text")
        for place in ("file", "file/below", "/proc/reveal", "/dev/null"):
            with self.subTest(place=place):
                out = self.reveal("record", *fixture(), "-o", place, "--duration", "1s")
                self.assert_complains(out, FAILED, place)

    def test_a_directory_that_holds_a_recording_or_is_in_use(self):
        first = self.start("record", "-q", "-o", "r", *fixture())
        wait_recording(self.folder / "r")
        for _ in range(2):  # in use, then merely full
            second = self.reveal("record", "-o", "r", "--duration", "1s", *fixture())
            self.assert_complains(second, USAGE, "r: ", "another directory")
            if first.poll() is None:
                first.send_signal(signal.SIGTERM)
                self.assert_status(self.finish(first), 0)
        self.assertEqual(os.listdir(self.folder / "r"), ["000001.rvs"])

    def test_two_seconds_are_too_little(self):
        self.assert_status(self.reveal("record", "-q", "-o", "r", "--duration", "2s", *fixture()), 0)
        out = self.reveal("analyze", "r")
        self.assert_complains(out, TOO_LITTLE, "2.0 s of recording", "22.1 s", "record longer")
        out = self.reveal("run", "-q", "-o", "r2", "--duration", "200ms", *fixture())
        self.assert_complains(out, TOO_LITTLE, "22.1 s")


class DamagedRecording(RevealTest):
    @classmethod
    def setUpClass(cls):
        cls.maker = RevealTest("reveal")
        cls.maker.setUp()
        with MovingHost(cls.maker.folder / "host") as host:
            process = cls.maker.start("record", "-q", "-o", "r", *INTERVAL, "--duration", "4s",
                                      *host.roots)
            time.sleep(2)
            out = cls.maker.finish(process)
        assert out.returncode == 0, shown(out)

    @classmethod
    def tearDownClass(cls):
        cls.maker.doCleanups()

    def setUp(self):
        super().setUp()
        shutil.copytree(self.maker.folder / "r", self.folder / "r")
        self.segment = self.folder / "r" / "000001.rvs"

    def frames(self):
        return json.loads((self.folder / "r" / "report.json").read_text())["run"]

    def analyze(self):
        return self.reveal("analyze", "r", *WINDOWS)

    def record_and_kill(self):
        """Leaves frames in a journal, where each can be damaged by itself."""
        with MovingHost(self.folder / "host") as host:
            process = self.start("record", "-q", "-o", "killed", *INTERVAL, *host.roots)
            wait_recording(self.folder / "killed")
            time.sleep(4)
            process.kill()
            process.wait()
        shutil.rmtree(self.folder / "r")
        (self.folder / "killed").rename(self.folder / "r")
        return self.folder / "r" / "000001.rvj"

    def test_flipped_bytes_are_told_and_cost_only_their_frames(self):
        journal = self.record_and_kill()
        self.assert_status(self.analyze(), 0)
        whole = self.frames()
        content = bytearray(journal.read_bytes())
        middle = len(content) // 2
        for at in range(middle, middle + 16):
            content[at] ^= 0xFF
        journal.write_bytes(content)
        out = self.analyze()
        self.assert_complains(out, 0, "000001.rvj", "unreadable")
        self.assertIn("Reveal report for", out.stdout)
        damaged = self.frames()
        self.assertGreater(damaged["ticks_missed"]["damage"], 0, shown(out))
        # Ticks that were late are missed as well, and may lie among those.
        self.assertGreaterEqual(damaged["ticks_missed"]["damage"],
                                whole["frames"] - damaged["frames"])
        self.assertIn("unreadable", out.stdout)

    def test_a_cut_journal_gives_what_is_left(self):
        journal = self.record_and_kill()
        self.assert_status(self.analyze(), 0)
        whole = self.frames()["frames"]
        with open(journal, "r+b") as file:
            file.truncate(journal.stat().st_size * 9 // 10)
        out = self.analyze()
        self.assert_status(out, 0)
        self.assertLess(self.frames()["frames"], whole)
        self.assertGreater(self.frames()["frames"], whole // 2)

    def test_a_flipped_block_is_told(self):
        content = bytearray(self.segment.read_bytes())
        content[len(content) * 9 // 10] ^= 0xFF
        self.segment.write_bytes(content)
        out = self.analyze()
        self.assertIn("000001.rvs", out.stderr)
        self.assertIn("unreadable", out.stderr)
        self.assert_status(out, TOO_LITTLE)

    def test_a_cut_anywhere_never_crashes(self):
        content = self.segment.read_bytes()
        for part in range(0, 20):
            with self.subTest(part=part):
                self.segment.write_bytes(content[:len(content) * part // 20])
                out = self.analyze()
                self.assertIn(out.returncode, (0, FAILED, TOO_LITTLE), shown(out))
                if out.returncode != 0:
                    self.assert_complains(out, out.returncode)

    def test_a_report_that_cannot_be_written_is_still_printed(self):
        (self.folder / "r" / "report.json").mkdir()
        out = self.analyze()
        self.assert_complains(out, FAILED, "report.json")
        self.assertIn("Reveal report for", out.stdout)
        self.assertEqual(list((self.folder / "r").glob("*.new")), [])

    def test_an_output_that_is_not_there(self):
        out = self.reveal("analyze", "r", *WINDOWS, "-o", "absent")
        self.assert_complains(out, FAILED, "absent")
        self.assertIn("Reveal report for", out.stdout)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_recording_that_may_only_be_read(self):
        (self.folder / "r").chmod(0o555)
        out = self.analyze()
        self.assert_complains(out, FAILED, "report.json")
        self.assertIn("Reveal report for", out.stdout)


if __name__ == "__main__":
    unittest.main()
