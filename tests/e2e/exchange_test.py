"""reveal export and reveal import, judged by Python's own csv, json and gzip modules: what is
written is what those read, what comes back is what was recorded, and telemetry of other programs
is analyzed like our own."""

import csv
import gzip
import json
import pathlib
import random
import shutil
import subprocess
import tempfile
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, PATIENCE_S, REVEAL, WINDOWS, RevealTest

WIDE = ["time_ns", "mono_ns", "sequence", "cost_ns", "gap", "validity", "read_ns"]


def rows_of(text):
    return list(csv.reader(text.splitlines(keepends=True)))


def validity_of(text, channels):
    """The documented meaning of the column `validity`."""
    out = ["fresh"] * channels
    for word in text.split():
        first, _, last = word[:-1].partition("-")
        for number in range(int(first), int(last or first) + 1):
            out[number] = {"s": "stale", "r": "reset"}[word[-1]]
    return out


class Export(RevealTest):
    @classmethod
    def setUpClass(cls):
        """One recording with a burst, which all tests read."""
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="reveal_e2e_"))
        cls.recording = cls.home / "r"
        with MovingHost(cls.home / "host") as host:
            process = subprocess.Popen([REVEAL, "record", "-q", "-o", cls.recording, *INTERVAL,
                                        *host.roots, "--duration", "4s"])
            time.sleep(2.5)
            host.burst.set()
            time.sleep(0.6)
            host.burst.clear()
            assert process.wait(timeout=PATIENCE_S) == 0

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home, ignore_errors=True)

    def exported(self, *words):
        outcome = self.reveal("export", self.recording, *words)
        self.assert_status(outcome, 0)
        return outcome.stdout

    def report(self, recording):
        outcome = self.reveal("analyze", recording, "-o", self.folder, "--json", *WINDOWS)
        self.assert_status(outcome, 0)
        report = json.loads(outcome.stdout)
        del report["cost"]
        return report

    def test_csv_and_json_lines_hold_the_same_samples(self):
        header, *rows = rows_of(self.exported())
        first, *lines = map(json.loads, self.exported("--format", "jsonl").splitlines())
        self.assertEqual(header[:len(WIDE)], WIDE)
        names = [f"{m}{{{i}}}" if i else m for m, i in first["channels"]]
        self.assertEqual(header[len(WIDE):], names)
        self.assertGreater(len(rows), 100)
        self.assertEqual(len(rows), len(lines))
        for row, line in zip(rows, lines):
            self.assertEqual(row[:5], [str(line[name]) for name in WIDE[:5]])
            cells = dict(zip(names, zip(row[len(WIDE):], validity_of(row[5], len(names)))))
            present = {name: cell for name, cell in cells.items() if cell[0] != ""}
            grouped = {name: (value, group) for group in ("fresh", "stale", "reset")
                       for name, value in line.get(group, {}).items()}
            self.assertEqual(set(present), set(grouped))
            for name, (text, validity) in present.items():
                self.assertEqual(validity, grouped[name][1], name)
                self.assertEqual(float(text), float(grouped[name][0]), name)

    def test_the_long_layout_holds_the_same_samples(self):
        header, *rows = rows_of(self.exported())
        long_header, *samples = rows_of(self.exported("--layout", "long"))
        self.assertEqual(long_header, ["time_ns", "mono_ns", "sequence", "cost_ns", "gap", "metric",
                                       "instance", "value", "validity", "read_ns"])
        expected = {(row[2], name): cell for row in rows
                    for name, cell in zip(header[len(WIDE):], row[len(WIDE):]) if cell != ""}
        got = {(row[2], f"{row[5]}{{{row[6]}}}" if row[6] else row[5]): row[7] for row in samples}
        self.assertEqual(got, expected)

    def test_an_import_gives_the_same_bytes_and_the_same_report(self):
        expected = self.report(self.recording)
        for name, layout in (("a.csv", "wide"), ("a.csv.gz", "long"), ("a.jsonl", "wide")):
            with self.subTest(name=name, layout=layout):
                first = self.folder / name
                again = self.folder / f"again_{name}"
                back = self.folder / f"back_{name}"
                self.exported("--layout", layout, "-o", first)
                self.assert_status(self.reveal("import", first, "-o", back), 0)
                self.assert_status(
                    self.reveal("export", back, "--layout", layout, "-o", again), 0)
                self.assertEqual(first.read_bytes(), again.read_bytes())
                self.assertEqual(self.report(back), expected)

    def test_gz_holds_what_csv_holds(self):
        self.exported("-o", self.folder / "x.csv.gz")
        with gzip.open(self.folder / "x.csv.gz", "rt", newline="") as file:
            self.assertEqual(file.read(), self.exported())
        metadata = json.loads((self.folder / "x.csv.gz.meta.json").read_text())
        self.assertEqual(metadata["schema"], "reveal.samples")

    def test_a_part_is_chosen_by_time_and_channel(self):
        rows = rows_of(self.exported())[1:]
        begin, end = int(rows[0][0]), int(rows[-1][0])
        header, *part = rows_of(self.exported("--from", "+1s", "--to", "-1s",
                                              "--channels", "cpu_pressure_*"))
        self.assertTrue(header[len(WIDE):])
        for name in header[len(WIDE):]:
            self.assertTrue(name.startswith("cpu_pressure_"), name)
        expected = [row[0] for row in rows if begin + 10**9 <= int(row[0]) <= end - 10**9]
        self.assertEqual([row[0] for row in part], expected)
        self.assertEqual(part[0][2], "0")

    def test_derived_metrics_are_rates(self):
        name = "storage_read_sectors_total{dev=vda}"
        raw = rows_of(self.exported("--channels", name))[1:]
        derived = rows_of(self.exported("--channels", name, "--derived"))[1:]
        checked = 0
        for before, after, rate in zip(raw, raw[1:], derived[1:]):
            if before[-1] == "" or after[-1] == "" or after[5] or before[5]:
                continue
            # The one source's reading: mono_ns and the offset in read_ns.
            seconds = (int(after[1]) + int(after[6]) - int(before[1]) - int(before[6])) / 1e9
            self.assertAlmostEqual(float(rate[-1]), (int(after[-1]) - int(before[-1])) / seconds,
                                   delta=1e-6 * (1 + float(rate[-1])))
            checked += float(rate[-1]) > 0
        self.assertGreater(checked, 50)

    def test_tables_hold_what_the_report_says(self):
        report = self.report(self.recording)
        table = lambda name, *more: list(csv.DictReader(
            self.exported("--table", name, *WINDOWS, *more).splitlines(keepends=True)))
        windows = table("windows")
        self.assertEqual([int(w["window"]) for w in windows], report["windows"]["id"])
        self.assertEqual([int(w["begin_ns"]) for w in windows], report["windows"]["begin_ns"])
        scores = table("scores")
        for detector in report["detectors"]:
            mine = [row for row in scores if row["detector"] == detector["name"]]
            self.assertEqual([float(row["score"]) for row in mine], detector["scores"])
            self.assertEqual([int(row["window"]) for row in mine if row["flagged"] == "true"],
                             detector["windows_flagged"])
        findings = table("findings")
        self.assertEqual([row["claim"] for row in findings],
                         [finding["claim"] for finding in report["findings"]])
        evidence = table("evidence")
        self.assertEqual([float(row["contribution"]) for row in evidence],
                         [item["contribution"] for f in report["findings"] for item in f["evidence"]])
        wide = table("features")
        tall = table("features", "--layout", "long")
        self.assertEqual(len(tall), len(wide) * (len(wide[0]) - 3))
        for row in tall[:5000]:
            name = f"{row['metric']}{{{row['instance']}}}" if row["instance"] else row["metric"]
            there = next(w for w in wide if w["window"] == row["window"])
            self.assertEqual(there[f"{name}__{row['feature']}"], row["value"])

    def test_prometheus_takes_what_is_written_for_it(self):
        path = self.folder / "x.prom"
        self.exported("-o", path)
        lines = path.read_text().splitlines()
        self.assertEqual(lines[-1], "# EOF")
        families = [line.split()[2] for line in lines if line.startswith("# TYPE ")]
        self.assertEqual(len(families), len(set(families)))
        if shutil.which("promtool") is None:
            self.skipTest("promtool is not here: apt-get install prometheus")
        blocks = self.folder / "blocks"
        said = self.promtool("create-blocks-from", "openmetrics", path, blocks)
        samples = sum(not line.startswith("#") for line in lines)
        stored = sum(int(line.split()[4]) for line in said.splitlines()[1:])
        self.assertEqual(stored, samples)
        self.imports_what_prometheus_dumps(blocks, [line for line in lines if not line.startswith("#")])

    def imports_what_prometheus_dumps(self, blocks, lines):
        """As of a snapshot, which is such a folder."""
        (blocks / "wal").mkdir()
        (self.folder / "node7.txt").write_text(self.promtool("dump", blocks))
        self.assert_status(self.reveal("import", "node7.txt", "-o", "dumped"), 0)
        out = self.reveal("export", "dumped", "--format", "csv", "--layout", "long")
        self.assert_status(out, 0)
        header, *rows = rows_of(out.stdout)
        metric = header.index("metric")
        kept, told = {row[metric] for row in rows}, {line.split("{")[0] for line in lines}
        # A limit of 2^63 - 1 is none, to an import.
        self.assertLessEqual(kept ^ told, {"memory_open_files_limit"})
        # Two samples that are nearer than a tick are one.
        self.assertLessEqual(len(rows), len(lines))
        self.assertGreater(len(rows), 0.999 * len(lines))

    def promtool(self, *words):
        outcome = subprocess.run(["promtool", "tsdb", *words], capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        return outcome.stdout

    def test_a_data_set_holds_the_samples_the_selection_and_the_windows(self):
        out = self.folder / "set"
        outcome = self.reveal("dataset", self.recording, self.recording, "-o", out, *WINDOWS)
        self.assert_status(outcome, 0)
        report = self.report(self.recording)
        selection = json.loads((self.folder / "selection.json").read_text())
        metadata = json.loads((out / "metadata.json").read_text())
        self.assertEqual(len(metadata["hosts"]), 2)
        host = out / metadata["hosts"][0]["folder"]
        self.assertNotEqual(host, out / metadata["hosts"][1]["folder"])

        with gzip.open(host / "raw/samples.csv.gz", "rt", newline="") as file:
            self.assertEqual(file.read(), self.exported())
        self.assert_status(self.reveal("import", host / "raw/samples.csv.gz", "-o", "back"), 0)
        self.assertEqual(self.report(self.folder / "back"), report)

        with gzip.open(host / "filtered/samples.csv.gz", "rt", newline="") as file:
            kept = set(next(csv.reader(file))[len(WIDE):])
        self.assertEqual(metadata["hosts"][0]["filtered_channels"], len(kept))
        self.assertLessEqual({c["representative"] for c in selection["clusters"]}, kept)
        dropped = {m["channel"] for c in selection["clusters"] for m in c["members"]}
        self.assertFalse(dropped & kept)

        with gzip.open(host / "windows/annotated.csv.gz", "rt", newline="") as file:
            windows = list(csv.DictReader(file))
        self.assertEqual([int(w["window"]) for w in windows], report["windows"]["id"])
        for detector in report["detectors"]:
            self.assertEqual([float(w[f"score_{detector['name']}"]) for w in windows],
                             detector["scores"])
        columns = json.loads((out / "schema/windows.json").read_text())["columns"]
        absent = {c["name"] for c in columns if "absent" in c["meaning"]} - set(windows[0])
        named = [c["name"] for c in columns if c["name"] not in absent | {"CHANNEL__FEATURE"}]
        self.assertEqual(named, [name for name in windows[0] if "__" not in name])
        self.assert_complains(self.reveal("dataset", self.recording, "-o", out), 2, "not empty")

    def cut_before_its_first_frame(self):
        """Returns what export says of a recording that has whole records, but no frame: as after a kill -9 at once."""
        with tempfile.TemporaryDirectory() as folder:
            whole = sorted(self.recording.glob("*.rvs"))[0].read_bytes()
            for size in range(1024, len(whole), 1024):
                (pathlib.Path(folder) / "000001.rvs").write_bytes(whole[:size])
                said = self.reveal("export", folder)
                if "before its first whole record" not in said.stderr:
                    return said
        return said

    def test_complaints_say_what_to_do(self):
        r = self.recording
        for words, expected in (
                (["export", r, "-o", "x.xyz"], "--format"),
                (["export", r, "--format", "prom-json"], "choose --format"),
                (["export", r, "--channels", "nothing"], "no channel has such a name"),
                (["export", r, "--from", "tomorrow"], "is not a time"),
                (["export", r, "--from", "+99h"], "no frame"),
                (["export", r, "--table", "scores", "--derived"], "--derived")):
            with self.subTest(words=words):
                self.assert_complains(self.reveal(*words), 2, expected)
        self.assert_complains(self.reveal("export", self.folder / "none"), 1, "none")
        self.assert_complains(self.cut_before_its_first_frame(), 3, "no frame in this recording", "record for longer")
        self.assertEqual(list(self.folder.iterdir()), [])


class Import(RevealTest):
    """Telemetry of other programs, made here."""

    COLUMNS = ['node_cpu_seconds_total{cpu="0",mode="idle"}', "node_memory_MemFree_bytes",
               "gpu0_utilization", "eth0.rx_bytes", 'node_disk_io_now{device="sda"}',
               'node_disk_read_time_seconds_total{device="sda"}']

    def telemetry(self, fault=True):
        """Ten minutes at 1 s; for twenty seconds the disk is slow. Yields (second, values)."""
        rng = random.Random(1)
        idle = received = slow = 0.0
        for second in range(600):
            bad = fault and 300 <= second < 320
            idle += rng.uniform(0.7, 0.8)
            received += rng.randrange(1000, 2000)
            slow += rng.uniform(0.01, 0.02) * (60 if bad else 1)
            yield second, [f"{idle:.2f}", rng.randrange(10**9, 2 * 10**9), rng.randrange(80, 99),
                           int(received), rng.randrange(3) + (40 if bad else 0), f"{slow:.4f}"]

    def write_csv(self, name, rows, header=None, newline="\n", bom=""):
        path = self.folder / name
        with open(path, "w", newline="", encoding="utf-8") as file:
            file.write(bom)
            writer = csv.writer(file, lineterminator=newline)
            writer.writerow(header or ["time", *self.COLUMNS])
            writer.writerows(rows)
        return path

    def imported(self, path, *words):
        out = self.folder / f"rec_{pathlib.Path(path).name}"
        outcome = self.reveal("import", path, "-o", out, *words)
        self.assert_status(outcome, 0)
        return out

    def findings(self, recording):
        outcome = self.reveal("analyze", recording, "--json")
        self.assert_status(outcome, 0)
        return json.loads(outcome.stdout)["findings"]

    def samples(self, recording):
        """{(time_ns, channel): text} of what a recording holds."""
        outcome = self.reveal("export", recording)
        self.assert_status(outcome, 0)
        header, *rows = rows_of(outcome.stdout)
        return {(int(row[0]), name): cell for row in rows
                for name, cell in zip(header[len(WIDE):], row[len(WIDE):]) if cell != ""}

    def test_a_fault_in_one_column_is_found_and_named(self):
        path = self.write_csv("w.csv", ([f"2026-11-21 10:{s // 60:02}:{s % 60:02}", *values]
                                        for s, values in self.telemetry()))
        findings = self.findings(self.imported(path, "--host", "node7"))
        self.assertEqual(len(findings), 1)
        self.assertEqual(findings[0]["subsystem"], "storage")
        self.assertTrue(findings[0]["evidence"][0]["channel"].startswith("node_disk_"))
        begin = 1795255200 + 300  # date -u -d 2026-11-21T10:00:00Z +%s
        self.assertLessEqual(findings[0]["begin"]["ns"], (begin + 5) * 10**9)
        self.assertGreaterEqual(findings[0]["end"]["ns"], (begin + 20) * 10**9)

    PRESSURE = {  # a program's name of pressure, its units a second, and what it is of
        "node_pressure_cpu_waiting_seconds_total": (1, "cpu"),
        "node_pressure_io_waiting_seconds_total": (1, "storage"),
        "node_pressure_memory_waiting_seconds_total": (1, "memory"),
        "kernel_all_pressure_io_some_total": (10**6, "storage"),
        "container_pressure_memory_waiting_seconds_total": (1, "memory"),
    }

    def test_pressure_tells_what_was_stalled(self):
        """It rises for twenty seconds beside thirty columns of the other subsystems, which only wander."""
        others = [f"{name}_{i}" for i in range(10) for name in ("network_bytes", "memory_used", "disk_reads")]
        for metric, (units, subsystem) in self.PRESSURE.items():
            with self.subTest(metric=metric):
                rng = random.Random(7)
                labels = {"__name__": metric, "instance": "node7:9100"}
                if metric.startswith("container_"):
                    labels["id"] = "/kubepods/pod1"
                waited, values = 0.0, []
                for second in range(180):
                    waited += rng.uniform(0.005, 0.015) + (0.9 if 90 <= second < 110 else 0)
                    values.append([1795255200 + second, f"{waited * units:.6f}"])
                result = [{"metric": labels, "values": values}]
                for name in others:
                    result.append({"metric": {"__name__": name, "instance": "node7:9100"},
                                   "values": [[t, f"{rng.gauss(100, 5):.3f}"] for t, _ in values]})
                path = self.folder / f"{metric}.json"
                path.write_text(json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}}))
                (finding,) = self.findings(self.imported(path))
                self.assertEqual(finding["subsystem"], subsystem)
                self.assertIn("pressure_some_seconds_total", finding["evidence"][0]["channel"])
                self.assertLess(abs(finding["begin"]["ns"] / 1e9 - 1795255290), 6)

    def test_without_a_fault_nothing_is_found(self):
        path = self.write_csv("quiet.csv", ([1795255200 + s, *values]
                                            for s, values in self.telemetry(fault=False)))
        self.assertEqual(self.findings(self.imported(path)), [])

    def test_all_ways_to_write_it_give_the_same_samples(self):
        rows = [(1795255200 + s, v) for s, v in self.telemetry()][:50]
        expected = self.samples(self.imported(self.write_csv("s.csv", ([t, *v] for t, v in rows))))
        self.assertEqual(len(expected), 50 * len(self.COLUMNS))
        ways = {
            "ms.csv": lambda: self.write_csv("ms.csv", ([t * 1000, *v] for t, v in rows)),
            "us.csv": lambda: self.write_csv("us.csv", ([t * 10**6, *v] for t, v in rows)),
            "ns.csv": lambda: self.write_csv("ns.csv", ([t * 10**9, *v] for t, v in rows)),
            "crlf.csv": lambda: self.write_csv("crlf.csv", ([t, *v] for t, v in rows),
                                               newline="\r\n", bom="\ufeff"),
            "shuffled.csv": lambda: self.write_csv(
                "shuffled.csv", ([t, *v] for t, v in random.Random(2).sample(rows, len(rows)))),
            "long.csv": lambda: self.write_csv(
                "long.csv", ([t, name, value] for t, v in rows
                             for name, value in zip(self.COLUMNS, v)),
                header=["timestamp", "channel", "value"]),
            "z.csv.gz": lambda: self.zipped(rows),
            "p.json": lambda: self.prometheus("p.json", rows),
        }
        for name, write in ways.items():
            with self.subTest(way=name):
                self.assertEqual(self.samples(self.imported(write())), expected)

    def zipped(self, rows):
        plain = self.write_csv("z.csv", ([t, *v] for t, v in rows))
        path = self.folder / "z.csv.gz"
        path.write_bytes(gzip.compress(plain.read_bytes()))
        return path

    def prometheus(self, name, rows, host="node7:9100"):
        labels = [
            {"__name__": "node_cpu_seconds_total", "cpu": "0", "mode": "idle"},
            {"__name__": "node_memory_MemFree_bytes"},
            {"__name__": "gpu_utilization", "gpu": "0"},
            {"__name__": "rx_bytes", "dev": "eth0"},
            {"__name__": "node_disk_io_now", "device": "sda"},
            {"__name__": "node_disk_read_time_seconds_total", "device": "sda"},
        ]
        result = [{"metric": {**metric, "instance": host, "job": "node"},
                   "values": [[t, str(v[i])] for t, v in rows]} for i, metric in enumerate(labels)]
        path = self.folder / name
        path.write_text(json.dumps({"status": "success",
                                    "data": {"resultType": "matrix", "result": result}}))
        return path

    def test_a_directory_is_one_host(self):
        rows = [(1795255200 + s, v) for s, v in self.telemetry()][:50]
        folder = self.folder / "d"
        folder.mkdir()
        for i, name in enumerate(self.COLUMNS):
            path = self.write_csv(f"{i}.csv", ([t, v[i]] for t, v in rows), header=["time", name])
            path.rename(folder / path.name)
        whole = self.write_csv("s.csv", ([t, *v] for t, v in rows))
        self.assertEqual(self.samples(self.imported(folder)), self.samples(self.imported(whole)))

    def test_whole_numbers_stay_exact(self):
        big = [2**64 - 1, 2**53 + 1, 2**63]
        path = self.write_csv("big.csv", ([t, v] for t, v in enumerate(big, 1795255200)),
                              header=["time", "a"])
        self.assertEqual([int(text) for text in self.samples(self.imported(path)).values()], big)

    def test_a_mapping_overrules_the_guesses(self):
        (self.folder / "m.toml").write_text(
            '[[channel]]\nmatch = "a"\nmetric = "gpu_power_watts"\ninstance = "gpu=1"\n'
            'kind = "gauge"\nsubsystem = "gpu"\nunit = "watts"\nscale = 0.001\n'
            '[[channel]]\nmatch = "b"\nskip = true\n')
        path = self.write_csv("m.csv", ([t, 5, "x"] for t in range(10)), header=["time", "a", "b"])
        recording = self.imported(path, "--map", self.folder / "m.toml")
        self.assert_status(self.reveal("export", recording, "-o", "o.csv"), 0)
        metadata = json.loads((self.folder / "o.csv.meta.json").read_text())
        self.assertEqual(metadata["channels"], [["gpu_power_watts", "gpu=1"]])
        metric = metadata["metrics"][0]
        self.assertEqual((metric["kind"], metric["subsystem"], metric["unit"], metric["scale"]),
                         ("gauge", "gpu", "watts", 0.001))

    def test_complaints_name_file_line_and_column(self):
        def made(name, text):
            (self.folder / name).write_text(text)
            return self.folder / name

        for path, status, words in (
                (made("ragged.csv", "time,a\n1,2\n3\n"), 1, ["ragged.csv, line 3", "1 cells"]),
                (made("word.csv", "time,a\n1,2\n3,x\n"), 1, ["line 3", "column a", '"x"', "--map"]),
                (made("when.csv", "time,a\nnoon,2\n"), 1, ["line 2", "column time", '"noon"']),
                (made("empty.csv", ""), 3, ["empty.csv", "is empty"]),
                (made("header.csv", "time,a\n"), 3, ["header.csv", "no sample"]),
                (made("one.csv", "time,a\n1,2\n"), 3, ["one.csv", "two different times"]),
                (made("quote.csv", 'time,a\n1,"2\n'), 1, ["line 2", "never closed"]),
                (made("cut.json", '{"status":"succ'), 1, ["cut.json, byte"]),
                (made("x.dat", "time,a\n"), 2, ["x.dat", "choose --format"])):
            with self.subTest(path=path.name):
                outcome = self.reveal("import", path, "-o", self.folder / "out")
                self.assert_complains(outcome, status, *words)
                self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
