"""Files that somebody planted in a recording's folder: nothing is followed, nothing hangs, and no
number or size in them ends the program."""

import json
import os
import re
import shutil
import subprocess
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, REVEAL, WINDOWS, RevealTest, fixture, shown

OUTPUTS = ("report.json", "selection.json", "report.html")


class Planted(RevealTest):
    def setUp(self):
        super().setUp()
        host = self.enterContext(MovingHost(self.folder / "host"))
        done = self.reveal("record", "-q", "-o", "r", *INTERVAL, "--duration", "3200ms", *host.roots)
        self.assert_status(done, 0)
        self.victim = self.folder / "victim"
        self.victim.write_text("secret\n")

    def analyze(self, *words, **options):
        return self.reveal("analyze", "r", *WINDOWS, *words, **options)

    def assert_whole(self):
        json.loads((self.folder / "r/report.json").read_text())
        json.loads((self.folder / "r/selection.json").read_text())
        page = self.folder / "r/report.html"
        if page.exists():
            self.assertEqual(page.read_text().count("</html>"), 1)
            self.assertTrue(page.read_text().rstrip().endswith("</html>"))
        self.assertEqual([p.name for p in (self.folder / "r").iterdir() if p.name.endswith(".new")],
                         [])

    def test_links_are_replaced_and_never_followed(self):
        for name in OUTPUTS:
            for suffix in ("", ".new", ".partial", ".tmp"):
                (self.folder / "r" / (name + suffix)).symlink_to(self.victim)
        out = self.analyze()
        self.assert_status(out, 0)
        self.assertEqual(self.victim.read_text(), "secret\n")
        self.assertFalse((self.folder / "r/report.json").is_symlink())
        json.loads((self.folder / "r/report.json").read_text())

    def test_pipes_are_replaced_and_hang_nobody(self):
        for name in OUTPUTS:
            for suffix in ("", ".new"):
                os.mkfifo(self.folder / "r" / (name + suffix))
        self.assert_status(self.analyze(timeout=60), 0)
        json.loads((self.folder / "r/report.json").read_text())

    def test_exports_and_what_stands_beside_them(self):
        for name in ("x.csv.new", "x.csv.meta.json", "x.csv.meta.json.new", "x.csv"):
            (self.folder / name).symlink_to(self.victim)
        self.assert_status(self.reveal("export", "r", "--format", "csv", "-o", "x.csv"), 0)
        self.assertEqual(self.victim.read_text(), "secret\n")
        json.loads((self.folder / "x.csv.meta.json").read_text())

    def test_a_pipe_beside_an_export_hangs_nobody(self):
        os.mkfifo(self.folder / "x.csv.meta.json")
        self.assert_status(self.reveal("export", "r", "--format", "csv", "-o", "x.csv", timeout=60), 0)

    def test_a_pipe_that_nobody_reads_is_an_error(self):
        os.mkfifo(self.folder / "pipe")
        out = self.reveal("export", "r", "--format", "csv", "-o", "pipe", timeout=60)
        self.assert_complains(out, 1, "no program reads this pipe")

    def test_two_analyses_at_once_both_succeed(self):
        for _ in range(5):
            for name in OUTPUTS:
                (self.folder / "r" / name).unlink(missing_ok=True)
            both = [self.start("analyze", "r", *WINDOWS, stdout=subprocess.DEVNULL)
                    for _ in range(2)]
            for process in both:
                self.assert_status(self.finish(process), 0)
            self.assert_whole()

    def test_reports_that_are_devices_or_pipes_are_refused(self):
        for plant in (lambda path: path.symlink_to("/dev/zero"), os.mkfifo):
            path = self.folder / "r/report.json"
            path.unlink(missing_ok=True)
            plant(path)
            for words in (["report", "r"], ["explain", "r", "1"]):
                out = self.reveal(*words, timeout=60)
                self.assertNotEqual(out.returncode, 0, shown(out))
                self.assertGreater(out.returncode, 0, shown(out))
        out = self.reveal("record", "-o", "x", "--duration", "1s", "--config", "/dev/zero", timeout=60)
        self.assert_complains(out, 2, "/dev/zero", "not a regular file")

    def test_numbers_beyond_binary64_are_errors(self):
        self.assert_status(self.analyze("--no-html"), 0)
        plan = self.folder / "r/selection.json"
        text = re.sub(r'"threshold": [0-9.]+', '"threshold": 1e400', plan.read_text())
        (self.folder / "p.json").write_text(text)
        out = self.reveal("record", "-o", "x", "--duration", "1s", "--select", "p.json",
                          *fixture())
        self.assert_complains(out, 1, "p.json")
        report = self.folder / "r/report.json"
        report.write_text(re.sub(r'"interval_ns": \d+', '"interval_ns": 1e400', report.read_text()))
        self.assert_complains(self.reveal("report", "r", "-o", "p.html"), 1, "report.json")

    def test_huge_windows_are_errors(self):
        for words in (["features", "r", "--window", "2000000h"],
                      ["analyze", "r", "--window", "1000000000", "--stride", "1"]):
            out = self.reveal(*words, timeout=60)
            self.assert_complains(out, 2, "--window", "the most of a window")


if __name__ == "__main__":
    unittest.main()
