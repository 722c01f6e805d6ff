"""reveal export --format trace: what a viewer of traces would show is what the recording and its
report hold. Read by Python's json, as the Trace Event Format is described."""

import csv
import gzip
import json
import re
import subprocess
import sys
import unittest
from decimal import Decimal

import numpy as np

from made_telemetry import START_S, TelemetryTest, noise
from reveal_process import REPOSITORY

PAGE = REPOSITORY / "docs" / "how_to" / "trace.md"

FIXED = 7  # columns before the channels
SECOND_US = 10**6
BURST = slice(200, 215)


def planted():
    """Noise with a burst in two channels, and a channel that moves every 25 ticks."""
    samples = noise(1)
    samples[BURST, 2] += 40
    samples[BURST, 5] += 40
    samples[:, 6] = np.arange(300) // 25
    return samples


class Trace:
    """A trace as a viewer takes it; times in us, exact."""

    def __init__(self, text):
        self.whole = json.loads(text, parse_float=Decimal)
        events = self.whole["traceEvents"]
        self.counters = {}
        for event in events:
            if event["ph"] == "C":
                ((_, value),) = event["args"].items()
                self.counters.setdefault(event["name"], []).append((event["ts"], float(value)))
        self.slices = [event for event in events if event["ph"] == "X"]
        self.threads = {event["tid"]: event["args"]["name"] for event in events
                        if event["ph"] == "M" and event["name"] == "thread_name"}
        self.processes = {event["pid"]: event["args"]["name"] for event in events
                          if event["ph"] == "M" and event["name"] == "process_name"}

    def row(self, name):
        """(begin, end, name, args) of the slices of a thread."""
        return [(e["ts"], e["ts"] + e["dur"], e["name"], e["args"]) for e in self.slices
                if self.threads[e["tid"]] == name]


def held(events, times):
    """The value that holds at each time; None before the first event."""
    out, place = [], -1
    for time in times:
        while place + 1 < len(events) and events[place + 1][0] <= time:
            place += 1
        out.append(events[place][1] if place >= 0 else None)
    return out


class TraceTest(TelemetryTest):
    def setUp(self):
        super().setUp()
        self.recording = self.record("burst", planted())

    def analyze(self):
        return json.loads(self.printed("analyze", self.recording, "--json"))

    def trace(self, *words):
        return Trace(self.printed("export", self.recording, "--format", "trace", *words))

    def table(self, *words):
        header, *rows = csv.reader(self.printed("export", self.recording, "--derived",
                                                *words).splitlines())
        return header[FIXED:], rows


class Counters(TraceTest):
    def assert_holds(self, trace, names, rows, clock=0):
        times = [Decimal(row[clock]) / 1000 for row in rows]
        shown = {name.partition(": ")[2]: events for name, events in trace.counters.items()}
        self.assertEqual(set(shown), {name for i, name in enumerate(names)
                                      if any(row[FIXED + i] for row in rows)})
        for i, name in enumerate(names):
            cells = [row[FIXED + i] for row in rows]
            for cell, value in zip(cells, held(shown.get(name, []), times)):
                if cell != "":
                    self.assertEqual(value, float(cell), name)

    def test_hold_the_channels_values_at_every_tick(self):
        names, rows = self.table()
        self.assertEqual(len(rows), 300)
        self.assert_holds(self.trace(), names, rows)

    def test_hold_them_on_the_monotonic_clock(self):
        names, rows = self.table()
        trace = self.trace("--clock", "monotonic")
        self.assert_holds(trace, names, rows, clock=1)
        self.assertEqual(trace.whole["otherData"]["clock"], "monotonic")
        self.assertEqual(trace.whole["baseTimeNanoseconds"], int(rows[0][0]) - int(rows[0][1]))

    def test_are_written_only_when_a_value_changes_and_at_the_end(self):
        counters = self.trace().counters
        (still,) = [events for name, events in counters.items() if name.endswith(": load_6")]
        at = lambda tick: (START_S + tick) * SECOND_US
        self.assertEqual(still, [(at(25 * i), i) for i in range(12)] + [(at(299), 11)])
        (moving,) = [events for name, events in counters.items() if name.endswith(": load_0")]
        self.assertEqual(len(moving), 300)

    def test_say_subsystem_and_unit(self):
        for event in self.trace().whole["traceEvents"]:
            if event["ph"] == "C":
                subsystem, _, name = event["name"].partition(": ")
                self.assertEqual(subsystem, event["cat"])
                self.assertRegex(name, r"^load_\d$")

    def test_a_part_is_chosen_by_time_and_channel(self):
        part = ["--from", "+50s", "--to", "-50s", "--channels", "load_[26]"]
        names, rows = self.table(*part)
        self.assertEqual(len(rows), 200)
        trace = self.trace(*part)
        self.assert_holds(trace, names, rows)
        times = [time for events in trace.counters.values() for time, _ in events]
        self.assertEqual(min(times), (START_S + 50) * SECOND_US)
        self.assertEqual(max(times), (START_S + 249) * SECOND_US)

    def test_hold_them_where_ticks_are_missing_and_on_this_host(self):
        self.recording = self.record("gap", noise(3), without=(100, 101, 102))
        names, rows = self.table()
        self.assertEqual(len(rows), 297)
        self.assert_holds(self.trace(), names, rows)
        self.assert_status(self.reveal("record", "-q", "-o", "live", "--interval", "20ms",
                                       "--duration", "1s"), 0)
        self.recording = self.folder / "live"
        names, rows = self.table()
        self.assertGreater(len(names), 50)
        self.assert_holds(self.trace(), names, rows)


class Findings(TraceTest):
    def test_are_those_of_the_report(self):
        report = self.analyze()
        self.assertGreater(len(report["findings"]), 0)
        trace = self.trace()
        shown = [(name, slice_) for name in set(trace.threads.values())
                 if name.startswith("findings: ") for slice_ in trace.row(name)]
        self.assertEqual(len(shown), len(report["findings"]))
        for finding in report["findings"]:
            row = trace.row("findings: " + finding["subsystem"])
            (args,) = [args for begin, end, name, args in row
                       if (begin, end, name) == (Decimal(finding["begin"]["ns"]) / 1000,
                                                 Decimal(finding["end"]["ns"]) / 1000,
                                                 finding["claim"])]
            self.assertEqual(args["agreement"], finding["agreement"])
            self.assertEqual(args["detectors"], finding["detectors"])
            self.assertEqual([(e["metric"], e["feature"], float(e["observed"]), float(e["usual"]))
                              for e in args["evidence"]],
                             [(e["channel"], e["feature"], e["observed"], e["baseline_median"])
                              for e in finding["evidence"]])

    def test_flagged_windows_cover_what_each_detector_flagged_and_no_more(self):
        report = self.analyze()
        begin_of = dict(zip(report["windows"]["id"], report["windows"]["begin_ns"]))
        length = report["configuration"]["window_ns"]
        trace = self.trace()
        flags = 0
        for detector in report["detectors"]:
            row = trace.row("flagged by " + detector["label"])
            flagged = [(begin_of[i], begin_of[i] + length) for i in detector["windows_flagged"]]
            self.assertEqual(sum(args["windows"] for *_, args in row), len(flagged))
            for begin, end, _, _ in row:
                inside = [w for w in flagged if begin * 1000 <= w[0] and w[1] <= end * 1000]
                self.assertEqual((min(w[0] for w in inside), max(w[1] for w in inside)),
                                 (begin * 1000, end * 1000))
            for (_, end, *_), (begin, *_) in zip(row, row[1:]):
                self.assertLess(end, begin)  # viewers drop slices that overlap
            flags += len(flagged)
        self.assertGreater(flags, 3)

    def test_of_another_time_are_left_out(self):
        self.analyze()
        self.assertEqual(self.trace("--to", "+100s").slices, [])
        self.assertEqual(len(self.trace("--from", "+205s", "--to", "+206s").slices),
                         len(self.trace().slices))

    def test_stand_at_the_same_ticks_on_the_monotonic_clock(self):
        self.analyze()
        wall, mono = self.trace(), self.trace("--clock", "monotonic")
        base = Decimal(mono.whole["baseTimeNanoseconds"]) / 1000
        self.assertEqual([(e["ts"], e["dur"], e["name"]) for e in wall.slices],
                         [(e["ts"] + base, e["dur"], e["name"]) for e in mono.slices])

    def test_without_a_report_there_are_counters_and_a_hint(self):
        outcome = self.reveal("export", self.recording, "--format", "trace")
        self.assert_complains(outcome, 0, f"reveal analyze {self.recording}")
        trace = Trace(outcome.stdout)
        self.assertEqual((trace.slices, trace.threads), ([], {}))
        self.assertEqual(len(trace.counters), 8)

    def test_no_hint_where_there_is_no_recording(self):
        self.assert_complains(self.reveal("export", "nowhere", "--format", "trace"), 1, "nowhere")

    def test_a_broken_report_is_refused(self):
        for text in ("{", '{"schema": "reveal.report", "schema_version": 4, "findings": [{}]}'):
            (self.recording / "report.json").write_text(text)
            outcome = self.reveal("export", self.recording, "--format", "trace", "-o", "x.json")
            self.assert_complains(outcome, outcome.returncode, "report.json", "analyze")
            self.assertNotEqual(outcome.returncode, 0)
            self.assertFalse((self.folder / "x.json").exists())


class File(TraceTest):
    def test_is_what_standard_output_gets(self):
        self.analyze()
        text = self.printed("export", self.recording, "--format", "trace", "-o", "-")
        for name, words in (("x.trace.json", []), ("x.trace.json.gz", []),
                            ("x.json", ["--format", "trace"]), ("y.json.gz", ["--format", "trace"]),
                            ("y.gz", ["--format", "trace.gz"]), ("y", ["--format", "trace.gz"])):
            self.printed("export", self.recording, "-o", name, *words)
            data = (self.folder / name).read_bytes()
            packed = name.endswith(".gz") or "trace.gz" in words
            self.assertEqual((gzip.decompress(data) if packed else data).decode(), text, name)

    def test_has_one_process_the_host_and_every_event_is_of_it(self):
        trace = self.trace()
        self.assertEqual(list(trace.processes.values()), ["node7"])
        self.assertEqual({event["pid"] for event in trace.whole["traceEvents"]},
                         set(trace.processes))
        self.assertEqual(trace.whole["displayTimeUnit"], "ms")
        self.assertEqual(trace.whole["baseTimeNanoseconds"], 0)
        self.assertEqual(trace.whole["otherData"]["host"], "node7")

    def test_times_have_the_digits_of_nanoseconds(self):
        text = self.printed("export", self.recording, "--format", "trace")
        times = re.findall(r'"ts":([^,]*)', text)
        self.assertGreater(len(times), 1000)
        for time in times:
            self.assertRegex(time, r"^\d{16}\.\d{3}$")

    def test_names_of_any_characters_do_not_break_it(self):
        names = ['q{dev="},{\\', "e\u00e9\u4e2d\U0001f600", "n\nl\tt", "</script>"]
        self.recording = self.record("odd", noise(4)[:, :4], names)
        trace = self.trace()
        self.assertEqual(len(trace.counters), 4)
        names, rows = self.table()
        self.assertEqual({name.partition(": ")[2] for name in trace.counters}, set(names))

    def test_what_does_not_fit_is_refused(self):
        for words, parts in ((["--format", "csv", "--clock", "wall"], ["--clock", "trace"]),
                             (["--format", "trace", "--clock", "tai"], ["--clock", "tai"]),
                             (["--format", "trace", "--table", "findings"],
                              ["--format trace", "csv, csv.gz, jsonl, parquet"]),
                             (["-o", "x.json"], ["x.json", "trace"])):
            self.assert_complains(self.reveal("export", self.recording, *words), 2, *parts)
        self.printed("export", self.recording, "-o", "x.trace.json")
        self.assert_complains(self.reveal("import", "x.trace.json", "-o", "back"), 2,
                              "not of a format that can be read")


class BesideAJob(TraceTest):
    def test_the_documents_program_joins_both_on_one_clock(self):
        (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
        (self.folder / "join.py").write_text(program, encoding="utf-8")
        self.printed("export", self.recording, "-o", "host.trace.json.gz")
        alone = self.trace()
        base_ns = 1_794_000_000_123_456_000
        at_us = START_S * SECOND_US + 200 * SECOND_US - base_ns / 1000  # when the burst begins
        job = {"baseTimeNanoseconds": base_ns, "traceEvents": [
            {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "python"}},
            {"ph": "X", "pid": 1, "tid": 1, "name": "step", "ts": at_us, "dur": 5.0}]}
        (self.folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        joined = subprocess.run([sys.executable, "join.py", "host.trace.json.gz", "job.json"],
                                cwd=self.folder, capture_output=True, text=True, check=True)
        both = Trace(joined.stdout)
        (step,) = both.slices
        self.assertEqual(float(step["ts"]), at_us)
        self.assertEqual(set(both.counters), set(alone.counters))
        for name, events in both.counters.items():
            for (time, value), (time_alone, value_alone) in zip(events, alone.counters[name]):
                self.assertEqual(value, value_alone)
                self.assertAlmostEqual(float(time) + base_ns / 1000, float(time_alone), delta=1)
        burst = held(both.counters[next(n for n in both.counters if n.endswith(": load_2"))],
                     [step["ts"] - 1, step["ts"] + 1])
        self.assertGreater(burst[1] - burst[0], 20)


if __name__ == "__main__":
    unittest.main()
