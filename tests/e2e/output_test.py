"""What is printed where: colors only on a terminal, nothing but the report when told to be quiet,
and a catalog that adds up."""

import json
import os
import time
import unittest

from moving_host import MovingHost
from reveal_process import FIXTURES, INTERVAL, WINDOWS, RevealTest, fixture, host_roots, shown
from terminal import Terminal

ESCAPE = "\x1b"
ROW_KEYS = {"name", "unit", "kind", "subsystem", "source", "available"}
SUBSYSTEMS = {"cpu", "gpu", "memory", "network", "storage"}
KINDS = {"counter", "gauge", "event", "static"}
HOSTS = [fixture(path.name) for path in sorted(FIXTURES.iterdir()) if path.is_dir()] + [[]]


class Colors(RevealTest):
    def setUp(self):
        super().setUp()
        self.host = self.enterContext(MovingHost(self.folder / "host"))
        process = self.start("record", "-q", "-o", "r", *INTERVAL, "--duration", "3200ms",
                             *self.host.roots)
        self.assert_status(self.finish(process), 0)

    def on_terminal(self, **environment):
        kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
        terminal = Terminal(self, "analyze", "r", "--no-html", *WINDOWS,
                            env={**kept, **environment})
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("Reveal report for", terminal.text)
        return terminal

    def test_only_on_a_terminal_and_only_where_wanted(self):
        colored = self.on_terminal(TERM="xterm")
        self.assertIn(ESCAPE + "[", colored.text)
        self.assertIn(ESCAPE + "[", self.on_terminal(TERM="xterm", NO_COLOR="").text)
        for environment in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn(ESCAPE, self.on_terminal(**environment).text)
        piped = self.reveal("analyze", "r", *WINDOWS, env={**os.environ, "TERM": "xterm"})
        self.assertNotIn(ESCAPE, piped.stdout)
        # The same words, whatever their color.
        self.assertEqual(colored.plain_text().splitlines()[:-1], piped.stdout.splitlines()[:-1])


class WhileRecording(RevealTest):
    def test_a_live_line_on_a_terminal(self):
        terminal = Terminal(self, "record", "-o", "r", "--duration", "1500ms", *fixture())
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertIn("\r" + ESCAPE + "[K" + "recording", terminal.text)
        live, _, rest = terminal.text.rpartition("\r" + ESCAPE + "[K")
        self.assertNotIn("\n", live, "the live line has scrolled")
        self.assertTrue(rest.startswith("reveal: recorded"), terminal.text)

    def test_plain_lines_elsewhere(self):
        began = time.monotonic()
        out = self.reveal("record", "-o", "r", "--duration", "10500ms", *fixture())
        self.assertGreaterEqual(time.monotonic() - began, 10.5)
        lines = out.stderr.splitlines()
        self.assertEqual(len(lines), 2, shown(out))
        self.assertTrue(lines[0].startswith("reveal: recording 10"), shown(out))
        self.assertRegex(lines[1], r"^reveal: recorded 1\d\.\d s", shown(out))
        self.assertNotIn(ESCAPE, out.stderr)
        self.assertEqual(out.stdout, "")

    def test_quiet_says_nothing(self):
        out = self.reveal("record", "-q", "-o", "r", "--duration", "300ms", *fixture())
        self.assertEqual((out.stdout, out.stderr, out.returncode), ("", "", 0))
        terminal = Terminal(self, "record", "-q", "-o", "r2", "--duration", "1200ms", *fixture())
        self.assertEqual((terminal.wait(), terminal.text), (0, ""))


class Catalog(RevealTest):
    def rows(self, *words):
        out = self.reveal("metrics", "--format", "json", *words)
        self.assert_status(out, 0)
        self.assertEqual(out.stderr, "")
        return json.loads(out.stdout)

    def test_every_row_is_whole(self):
        for host in HOSTS:
            rows = self.rows(*host)
            self.assertGreater(len(rows), 100)
            for row in rows:
                with self.subTest(host=host, row=row):
                    self.assertLessEqual(ROW_KEYS, row.keys())
                    self.assertIn(row["kind"], KINDS)
                    self.assertIn(row["subsystem"], SUBSYSTEMS)
                    self.assertTrue(row["name"].startswith(row["subsystem"] + "_"))
                    self.assertTrue(row["source"])
                    self.assertEqual(row["available"], len(row["instances"]) > 0)
                    self.assertEqual("reason" in row, not row["available"])
                    self.assertTrue(row.get("reason", "there"))
            self.assertEqual(len({row["name"] for row in rows}), len(rows))

    def test_available_and_missing_part_the_whole(self):
        for host in HOSTS:
            every = {row["name"] for row in self.rows(*host)}
            there = {row["name"] for row in self.rows("--available", *host)}
            missing = {row["name"] for row in self.rows("--missing", *host)}
            self.assertEqual((there | missing, there & missing), (every, set()))

    def test_text_and_json_agree(self):
        rows = self.rows(*fixture())
        lines = self.reveal("metrics", *fixture()).stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:-1]], [row["name"] for row in rows])
        available = sum(row["available"] for row in rows)
        channels = sum(len(row["instances"]) for row in rows)
        self.assertEqual(lines[-1], f"{available} of {len(rows)} metrics are available, "
                                    f"with {channels} channels.")

    def test_words_choose_and_tell_all(self):
        host = fixture()
        meminfo = dict(line.split(":") for line in
                       (FIXTURES / "vm-2cpu-linux-6.18/proc/meminfo").read_text().splitlines())
        total, free = (int(meminfo[name].split()[0]) * 1024 for name in ("MemTotal", "MemFree"))
        rows = {row["name"]: row for row in self.rows("memory_installed_bytes", "MemFree", "--values", *host)}
        self.assertEqual(rows["memory_installed_bytes"]["values"], {"": total})
        self.assertEqual(rows["memory_free_bytes"]["values"], {"": free})
        self.assertLess(len(rows), 12)
        self.assertNotIn("values", self.rows("MemFree", *host)[0])
        out = self.reveal("metrics", "memory_free_b*", *host)
        self.assert_status(out, 0)
        self.assertTrue(out.stdout.startswith("memory_free_bytes\n  Memory that"), shown(out))
        self.assertRegex(out.stdout, r"\n  now: [\d.]+ [KMGT]?i?B")
        self.assert_complains(self.reveal("metrics", "no_such_thing", *host), 2, "no_such_thing", "matches no metric")

    def test_doctor_for_programs(self):
        host = fixture()
        rows = self.rows(*host)
        found = json.loads(self.reveal("doctor", "--json", *host).stdout)
        self.assertEqual((found["metrics"], found["available"]),
                         (len(rows), sum(row["available"] for row in rows)))
        self.assertEqual(sorted(name for remedy in found["remedies"] for name in remedy["metrics"]),
                         sorted(row["name"] for row in rows
                                if not row["available"] and row["collector"] != "derived"))
        self.assertTrue(all(remedy["reasons"] for remedy in found["remedies"]))

    def test_doctor_on_a_host_without_anything(self):
        (self.folder / "proc").mkdir()
        (self.folder / "sys").mkdir()
        roots = host_roots(self.folder)
        rows = self.rows(*roots)
        missing = [row for row in rows if not row["available"]]
        out = self.reveal("doctor", *roots)
        self.assert_status(out, 0)
        self.assertTrue(out.stdout.startswith(
            f"{len(rows) - len(missing)} of {len(rows)} metrics are available"), shown(out))
        for reason in {row["reason"] for row in missing if row["collector"] != "derived"}:
            self.assertIn("why: " + reason, out.stdout)

    def test_doctor_on_this_host(self):
        out = self.reveal("doctor")
        self.assert_status(out, 0)
        self.assertRegex(out.stdout, r"^\d+ of \d+ metrics are available on this host\.\n")

    def test_a_full_stdout_is_an_error(self):
        for words in (["metrics"], ["metrics", "--format", "json"], ["doctor"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                process = self.start(*words, *fixture(), stdout=full)
                self.assert_complains(self.finish(process), 1, "No space left on device")


class BareEnvironment(RevealTest):
    def test_nothing_is_needed_from_the_environment(self):
        for words in (["metrics"], ["doctor"], ["--help"],
                      ["record", "-q", "-o", "r", "--duration", "100ms"]):
            host = [] if words == ["--help"] else fixture()
            self.assert_status(self.reveal(*words, *host, env={}), 0)
        out = self.reveal("record", "-q", "-o", "r2", *fixture(), "--", "true", env={})
        self.assert_status(out, 0)


if __name__ == "__main__":
    unittest.main()
