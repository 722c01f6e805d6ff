"""Which process did it: recorded from a host made of files, and told by the report of a finding.

A real process that burns CPU time on a machine that tests keep busy need not be a finding, so the
finding is that of a recording of the lab, to which events of processes are added by hand.
docs/processes.md has the commands that try it for real.
"""

import csv
import io
import json
import pathlib
import shutil
import unittest

from moving_host import Moving
from reveal_process import FIXTURES, REPOSITORY, RevealTest, host_roots, shown

RECORDING = REPOSITORY / "tests" / "recordings" / "storage" / "host0"
SECRET = "--password=hunter2"


class LivingProcesses(Moving):
    """A copy of a fixture host with two processes; one uses a core from the beginning."""

    def __init__(self, folder):
        super().__init__()
        self.path = pathlib.Path(folder)
        for tree in ("proc", "sys"):
            shutil.copytree(FIXTURES / "vm-2cpu-linux-6.18" / tree, self.path / tree)
        self.roots = host_roots(self.path)
        self.write(700, "sleep", 0)
        self.write(812, "a (b) c", 0)

    def write(self, pid, name, ticks):
        folder = self.path / "proc" / str(pid)
        if not folder.exists():
            folder.mkdir()
            (folder / "cgroup").write_text("0::/system.slice/cron.service\n", encoding="utf-8")
            for private in ("cmdline", "environ"):
                (folder / private).write_text(SECRET, encoding="utf-8")
        line = f"{pid} ({name}) R 1 {pid} {pid} 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0 1 0 100 4096 100 0\n"
        # A reader never meets half a line.
        (folder / "stat.new").write_text(line, encoding="utf-8")
        (folder / "stat.new").rename(folder / "stat")

    def _move(self):
        ticks = 0
        while not self._stop.wait(0.02):
            ticks += 2
            self.write(812, "a (b) c", ticks)


class Recorded(RevealTest):
    def record(self, name, *options):
        with LivingProcesses(self.folder / f"{name}_host") as host:
            out = self.reveal("record", "-o", name, "--duration", "3500ms", "-q", *options, *host.roots)
        self.assert_status(out, 0)
        exported = self.reveal("export", name, "-o", f"{name}.jsonl")
        self.assert_status(exported, 0)
        lines = (self.folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        notes = [note for line in lines for note in json.loads(line).get("notes", [])]
        return [note for note in notes if note["source"] == "process"], "\n".join(lines)

    def test_the_busy_are_recorded_by_name_and_the_idle_are_not(self):
        notes, text = self.record("run")
        events = [note for note in notes if note["kind"] == "event"]
        self.assertEqual({note["subject"] for note in events}, {"a (b) c"}, notes)
        for note in events:
            self.assertRegex(note["text"], r"^pid=812 start=100 s=[\d.]+ cpu=[\d.]+ ")
        # Its group is looked up once it is known to be among the largest.
        self.assertRegex(events[-1]["text"], r" cg=/system.slice/cron.service$")
        self.assertEqual([note["subject"] for note in notes if note["kind"] == "fact"], ["processes"])
        self.assertNotIn(SECRET, text)

    def test_it_can_be_turned_off(self):
        notes, _ = self.record("off", "--processes", "off")
        self.assertEqual(notes, [])
        (self.folder / "reveal.toml").write_text('[record]\nprocesses = "off"\n', encoding="utf-8")
        notes, _ = self.record("file", "--config", str(self.folder / "reveal.toml"))
        self.assertEqual(notes, [])
        out = self.reveal("record", "-o", "x", "--processes", "maybe")
        self.assert_complains(out, 2, "--processes", "on or off")


class Told(RevealTest):
    """The recording of the lab has no processes; those that a finding names are added to it."""

    def analyze(self, name):
        self.assert_status(self.reveal("analyze", name, "--no-html"), 0)
        return json.loads((self.folder / name / "report.json").read_text(encoding="utf-8"))

    def with_processes(self, begin_ns, end_ns):
        self.assert_status(self.reveal("export", RECORDING, "-o", "plain.jsonl"), 0)
        lines = (self.folder / "plain.jsonl").read_text(encoding="utf-8").splitlines()
        out, second = [], None
        for line in lines:
            entry = json.loads(line)
            time_ns = entry.get("time_ns")
            if time_ns is not None and time_ns // 10**9 != second:
                second = time_ns // 10**9
                inside = begin_ns <= time_ns <= end_ns
                entry.setdefault("notes", []).extend(self.notes(out, inside))
            out.append(json.dumps(entry, separators=(",", ":"), ensure_ascii=False))
        (self.folder / "more.jsonl").write_text("\n".join(out) + "\n", encoding="utf-8")
        self.assert_status(self.reveal("import", "more.jsonl", "-o", "more"), 0)

    @staticmethod
    def notes(before, inside):
        def event(name, text):
            return {"kind": "event", "source": "process", "subject": name, "text": text}
        first = not any('"process"' in line for line in before)
        fact = [{"kind": "fact", "source": "process", "subject": "processes", "text": "recorded"}]
        mib = 50_000_000 if inside else 0
        return (fact if first else []) + [
            event("train", "pid=10 start=5 s=1.00 cpu=1.50 read=0 written=300000 resident=90000000"),
            event("dd \x1b[31m", f"pid=4242 start=900 s=1.00 cpu={0.9 if inside else 0.03} read=0 written={mib} "
                  "resident=4000000")]

    def test_a_finding_names_the_process(self):
        shutil.copytree(RECORDING, self.folder / "plain")
        plain = self.analyze("plain")
        finding = plain["findings"][0]
        self.assertEqual(finding["process"], "")
        self.assertEqual(finding["who_process"], "")
        self.assertEqual(finding["process_unknown"], "processes were not recorded")
        self.assertIsNone(finding["process_id"])

        self.with_processes(finding["begin"]["ns"], finding["end"]["ns"])
        told = self.analyze("more")
        same = told["findings"][0]
        self.assertEqual(same["claim"], finding["claim"])
        self.assertEqual(same["process"], "dd \x1b[31m")
        self.assertEqual(same["process_id"], 4242)
        self.assertEqual(same["processes"], 1)
        self.assertEqual(same["process_unknown"], "")
        self.assertGreater(same["process_share"], 0.99)
        self.assertGreater(same["process_observed"], same["process_usual"])
        self.assertEqual([note for note in told["notes"] if note["kind"] == "event" and note["source"] == "process"], [])
        self.assertEqual(told["notes_left_out"], plain["notes_left_out"])

        printed = self.reveal("analyze", "more", "--no-html")
        self.assertIn("Process: dd", printed.stdout, shown(printed))
        self.assertIn("(pid 4242)", printed.stdout)
        self.assertNotIn("\x1b", printed.stdout)
        table = self.reveal("analyze", "more", "--no-html", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(table.stdout)))
        self.assertEqual(rows[0]["process_id"], "4242", shown(table))


if __name__ == "__main__":
    unittest.main()
