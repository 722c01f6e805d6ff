"""reveal sql and Parquet: what they say is what the other commands say of the same recording."""

import csv
import io
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from reveal_process import INTERVAL, REPOSITORY, REVEAL, RevealTest, fixture, shown

PAGE = (REPOSITORY / "docs" / "how_to" / "sql.md").read_text(encoding="utf-8")
# Columns of evidence that JSON says by where it stands.
IN_TABLES = {"place", "metric", "instance", "window_id", "window_begin_ns", "window_begin_utc", "window_end_ns",
             "window_end_utc", "detectors", "claim"}
SKIPPED = 77  # what tests/e2e/CMakeLists.txt takes for "skipped"


def why_skipped():
    """Returns what to install where DuckDB is not there; nothing where it is, or is broken."""
    with tempfile.TemporaryDirectory(prefix="reveal_e2e_") as folder:
        subprocess.run([REVEAL, "record", "-q", "-o", "r", "--duration", "200ms", *fixture()],
                       cwd=folder, check=True)
        out = subprocess.run([REVEAL, "sql", "r", "SELECT 1"], cwd=folder, text=True,
                             capture_output=True, check=False)
    return out.stderr if "is not installed" in out.stderr else None


def write_telemetry(path):
    """A host's telemetry of 100 s whose network counters run wild from 60 s to 66 s."""
    chance = random.Random(3)
    counters = [f"network_quantity{i}_packets_total" for i in range(12)]
    gauges = [f"{subsystem}_quantity{i}_bytes" for subsystem in ("cpu", "memory", "storage")
              for i in range(8)]
    levels = dict.fromkeys(counters, 2 ** 60)
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["time", *counters, *gauges])
        for tick in range(1000):
            burst = 600 <= tick < 660
            for place, name in enumerate(counters):
                levels[name] += chance.randint(10, 20) * (1 + burst * 10 * (place + 1))
            out.writerow([1_700_000_000_000 + 100 * tick, *levels.values(),
                          *(round(chance.gauss(1000, 10), 3) for _ in gauges)])


class Shared(RevealTest):
    """One recording, made once, which no test may change."""

    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="reveal_e2e_"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.recording = cls.home / "r"
        write_telemetry(cls.home / "telemetry.csv")
        for words in (["import", "telemetry.csv", "-o", "r", "--host", "h7"],
                      ["analyze", "r", "-o", "."]):
            subprocess.run([REVEAL, *words], cwd=cls.home, check=True, capture_output=True)
        cls.report = json.loads((cls.home / "report.json").read_text(encoding="utf-8"))

    def sql(self, statement, *words, **options):
        out = self.reveal("sql", self.recording, statement, *words, **options)
        self.assert_status(out, 0)
        self.assertEqual(out.stderr, "", shown(out))
        return out.stdout

    def rows(self, statement, *words):
        return json.loads(self.sql(statement, "--format", "json", *words))


class Tables(Shared):
    def test_the_run_is_what_this_test_takes_it_for(self):
        self.assertEqual([f["subsystem"] for f in self.report["findings"]], ["network"])

    def test_the_page_asks_for_the_channels_that_deviated_most(self):
        (statement,) = re.findall(r'reveal sql [^"\n]*"\n(SELECT channel.*?)"\n', PAGE, flags=re.S)
        parts = {}
        for finding in self.report["findings"]:
            if finding["subsystem"] != "network":
                continue
            for item in finding["evidence"]:
                parts.setdefault(item["channel"], []).append(item["contribution"])
        largest = sorted(parts, key=lambda name: -sum(parts[name]))[:10]
        got = self.rows(statement)
        self.assertEqual([row["channel"] for row in got], largest)
        for row in got:
            self.assertAlmostEqual(row["contribution"], sum(parts[row["channel"]]), delta=0.0006)

    def test_every_column_that_is_printed_can_be_asked_for(self):
        schema = self.reveal("sql", self.recording)
        self.assert_status(schema, 0)
        tables = re.findall(r"^(\w+): .*\n((?:  \w+ .*\n)+)", schema.stdout, flags=re.M)
        self.assertEqual(len(tables), schema.stdout.count("\n\n") + 1)
        for table, lines in tables:
            columns = re.findall(r"^  (\w+) +([A-Z]+) +\S", lines, flags=re.M)
            got = self.rows(f"SELECT {', '.join(name for name, _ in columns)} FROM {table}")
            self.assertTrue(got or table in ("notes", "changes", "low_confidence"), table)
            described = self.rows(f"DESCRIBE {table}")
            self.assertEqual([(row["column_name"], row["column_type"]) for row in described],
                             columns)
            if got:
                self.assertEqual({row["recording"] for row in got}, {1})
                self.assertEqual({row["host"] for row in got}, {"h7"})

    def test_the_page_names_every_table(self):
        schema = self.reveal("sql", self.recording).stdout
        self.assertEqual(re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.M),
                         re.findall(r"^(\w+): ", schema, flags=re.M))

    def test_samples_are_those_that_export_writes(self):
        text = self.reveal("export", self.recording, "--layout", "long", "--format", "csv").stdout
        exported = {(row["sequence"], row["metric"], row["instance"]): row
                    for row in csv.DictReader(io.StringIO(text))}
        asked = csv.DictReader(io.StringIO(self.sql(
            "SELECT sequence, metric, instance, wall_ns, mono_ns, raw, value, validity FROM samples",
            "--format", "csv")))
        count = 0
        for row in asked:
            count += 1
            want = exported[row["sequence"], row["metric"], row["instance"]]
            self.assertEqual((row["wall_ns"], row["mono_ns"], row["validity"]),
                             (want["time_ns"], want["mono_ns"], want["validity"]))
            if row["raw"]:
                self.assertEqual(row["raw"], want["value"])
            else:
                self.assertEqual(float(row["value"]), float(want["value"]))
        self.assertEqual(count, len(exported))
        self.assertEqual(count, 36 * 1000)

    def test_counters_above_two_to_the_53_are_exact(self):
        with open(self.home / "telemetry.csv", encoding="utf-8") as file:
            last = list(csv.DictReader(file))[-1]
        (row,) = self.rows("SELECT max(raw) AS most FROM samples "
                           "WHERE metric = 'network_quantity11_packets_total'")
        self.assertEqual(row["most"], int(last["network_quantity11_packets_total"]))
        self.assertGreater(row["most"], 2 ** 60)

    def test_windows_scores_and_findings_are_those_of_the_report(self):
        windows = self.rows("SELECT window_id, epoch_us(begin_utc) AS us, flagged FROM windows")
        self.assertEqual([row["window_id"] for row in windows], self.report["windows"]["id"])
        self.assertEqual([row["us"] for row in windows],
                         [ns // 1000 for ns in self.report["windows"]["begin_ns"]])
        flagged = {w["id"] for f in self.report["findings"] for w in f["windows"]}
        self.assertEqual({row["window_id"] for row in windows if row["flagged"]}, flagged)
        for detector in self.report["detectors"]:
            scores = self.rows("SELECT score, flagged, window_id, quantile FROM scores "
                               f"WHERE detector = '{detector['name']}' ORDER BY window_id")
            self.assertEqual([row["score"] for row in scores], detector["scores"])
            self.assertEqual([row["window_id"] for row in scores if row["flagged"]],
                             detector["windows_flagged"])
            for row in scores:
                below = sum(score <= row["score"] for score in detector["scores"])
                self.assertAlmostEqual(row["quantile"], below / len(scores))
        findings = self.rows("SELECT * FROM findings ORDER BY finding")
        self.assertEqual([row["claim"] for row in findings],
                         [finding["claim"] for finding in self.report["findings"]])
        self.assertEqual([row["subsystem_shares_network"] for row in findings],
                         [f["subsystem_shares"]["network"] for f in self.report["findings"]])

    def flat(self, item, nested):
        """A finding or a piece of evidence as a row: a column is called as the path in JSON."""
        out = {}
        for key, value in item.items():
            if key in nested:
                continue
            if isinstance(value, dict):
                out.update({f"{key}_{inner}": below for inner, below in value.items()})
            elif isinstance(value, list):
                out[key] = ", ".join(one["name"] if isinstance(one, dict) else one for one in value)
            else:
                out[key] = value
        return out

    def assert_same_row(self, got, want):
        for name, value in want.items():
            if name.endswith("_utc"):
                self.assertEqual(re.sub("[^0-9]", "", str(got[name]))[:14],
                                 re.sub("[^0-9]", "", value)[:14], name)
            elif isinstance(value, bool):
                self.assertEqual(str(got[name]).lower(), str(value).lower(), name)
            elif isinstance(value, (int, float)):
                self.assertEqual(float(got[name]), value, name)
            else:
                self.assertEqual(got[name] or "", value or "", name)

    def test_sql_csv_and_json_have_the_same_columns_and_values(self):
        found = {name: self.report[name] for name in ("findings", "changes", "low_confidence")}
        found["evidence"] = [{"finding": number, **item}
                             for number, finding in enumerate(self.report["findings"], start=1)
                             for item in finding["evidence"]]
        for table, items in found.items():
            in_sql = self.rows(f"SELECT * EXCLUDE (recording, host) FROM {table}")
            text = self.reveal("export", self.recording, "--table", table, "--format", "csv").stdout
            header = text.splitlines()[0].split(",")
            described = [row["column_name"] for row in self.rows(f"DESCRIBE {table}")]
            self.assertEqual(described, ["recording", "host", *header])
            in_csv = list(csv.DictReader(io.StringIO(text)))
            want = [self.flat(item, ("evidence", "windows", "onsets", "companions")) for item in items]
            self.assertEqual(len(want), len(in_sql))
            self.assertEqual(len(want), len(in_csv))
            for row, by_sql, by_csv in zip(want, in_sql, in_csv):
                if table == "evidence":
                    self.assertEqual(set(header) - set(row), IN_TABLES)
                else:
                    self.assertEqual(header, list(row))
                self.assert_same_row(by_sql, row)
                self.assert_same_row(by_csv, row)
        self.assertGreater(len(found["findings"]), 0)

    def test_evidence_says_in_which_window_it_was_seen_and_who_flags_that(self):
        own = "f.channel = e.channel AND f.feature = e.feature"
        rows = self.rows(
            f"SELECT e.*, (SELECT value FROM features f WHERE {own} AND f.window_id = e.window_id) AS there, "
            "(SELECT max(abs(f.value - e.baseline_median)) FROM features f JOIN windows w USING (window_id) "
            f"WHERE {own} AND w.finding = e.finding) AS farthest FROM evidence e")
        self.assertGreater(len(rows), 5)
        for row in rows:
            finding = self.report["findings"][row["finding"] - 1]
            window = next(one for one in finding["windows"] if one["id"] == row["window_id"])
            self.assertEqual((row["window_begin_ns"], row["window_end_ns"]), (window["begin"]["ns"], window["end"]["ns"]))
            self.assertEqual(row["detectors"], ", ".join(one["name"] for one in window["detectors"]))
            self.assertEqual(row["there"], row["observed"])
            self.assertEqual(row["farthest"], abs(row["observed"] - row["baseline_median"]))
        self.assertEqual(rows[0]["claim"], self.report["findings"][0]["claim"])
        self.assertEqual(rows[0]["channel"], self.report["findings"][0]["claim_channel"])

    def test_evidence_of_each_window_is_that_of_the_report(self):
        want = [(number, window["id"], detector["name"], item["channel"], item["feature"],
                 item["observed"], item["contribution"])
                for number, finding in enumerate(self.report["findings"], start=1)
                for window in finding["windows"]
                for detector in window["detectors"]
                for item in detector["evidence"]]
        got = self.rows("SELECT finding, window_id, detector, channel, feature, observed, "
                        "contribution FROM window_evidence")
        self.assertEqual([tuple(row.values()) for row in got], want)

    def test_a_feature_is_what_can_be_computed_from_the_samples(self):
        # A gauge's maximum over a window, by DuckDB from the samples and by Reveal.
        self.assertEqual(self.rows(
            "SELECT count(*) AS n, count(*) FILTER (f.value = s.most) AS same FROM "
            "(SELECT window_id, max(value) AS most FROM samples JOIN windows ON "
            " sequence >= first_sequence AND sequence < first_sequence + 30 "
            " WHERE metric = 'memory_quantity3_bytes' GROUP BY window_id) s "
            "JOIN features f USING (window_id) "
            "WHERE f.channel = 'memory_quantity3_bytes' AND feature = 'maximum'"),
            [{"n": 98, "same": 98}])

    def test_views_and_common_table_expressions(self):
        self.assertEqual(self.rows(
            "CREATE VIEW worst AS SELECT * FROM scores ORDER BY score DESC LIMIT 3; "
            "WITH w AS (SELECT * FROM worst) SELECT count(*) AS n FROM w"), [{"n": 3}])

    def test_several_recordings_are_told_apart(self):
        out = self.reveal("sql", self.recording, self.recording,
                          "SELECT recording, count(*) FROM samples GROUP BY ALL ORDER BY ALL",
                          "--format", "csv")
        self.assertEqual(out.stdout, "recording,count_star()\n1,36000\n2,36000\n")

    def test_the_recording_stays_as_it_was(self):
        def state():
            return {path.name: (path.stat().st_mtime_ns, path.stat().st_size)
                    for path in self.recording.iterdir()}
        before = state()
        self.sql("SELECT count(*) FROM evidence")
        self.assertEqual(state(), before)


class Output(Shared):
    STATEMENT = ("SELECT 1 AS one, 'a,\"b\"\n' AS text, NULL AS nothing, '' AS empty, true AS yes, "
                 "'nan'::DOUBLE AS x, 1.5 AS y, 1 AS one")

    def test_csv_json_and_table_say_the_same(self):
        (header, row) = csv.reader(io.StringIO(self.sql(self.STATEMENT, "--format", "csv"),
                                               newline=""))
        self.assertEqual(header, ["one", "text", "nothing", "empty", "yes", "x", "y", "one"])
        self.assertEqual(row, ["1", 'a,"b"\n', "", "", "true", "nan", "1.5", "1"])
        self.assertEqual(self.rows(self.STATEMENT), [
            {"one": 1, "text": 'a,"b"\n', "nothing": None, "empty": "", "yes": True, "x": None,
             "y": 1.5, "one_2": 1}])
        self.assertEqual(self.sql(self.STATEMENT), (
            "one  text     nothing  empty  yes     x    y  one\n"
            "---  -------  -------  -----  ----  ---  ---  ---\n"
            "  1  a,\"b\"\\n     NULL         true  nan  1.5    1\n(1 row)\n"))

    def test_no_rows(self):
        nothing = "SELECT 1 AS a WHERE false"
        self.assertEqual(self.sql(nothing), "a\n-\n(0 rows)\n")
        self.assertEqual(self.sql(nothing, "--format", "csv"), "a\n")
        self.assertEqual(self.sql(nothing, "--format", "json"), "[]\n")
        self.assertEqual(self.sql("CREATE TABLE t (x INTEGER)"), "")

    def test_a_terminal_is_not_commanded(self):
        self.assertIn("\\x1b[31m", self.sql("SELECT chr(27) || '[31m' AS a"))

    def test_into_a_file(self):
        self.assertEqual(self.sql("SELECT 7 AS a", "--format", "csv", "-o", "out.csv"), "")
        self.assertEqual((self.folder / "out.csv").read_bytes(), b"a\n7\n")
        self.assertEqual(self.sql("SELECT 7 AS a", "-o", "/dev/null"), "")
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())

    def test_from_standard_input(self):
        out = self.reveal("sql", self.recording, "-", input="SELECT 7 AS a")
        self.assertEqual(out.stdout, "a\n-\n7\n(1 row)\n", shown(out))

    def test_a_full_stdout_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = self.start("sql", self.recording, "SELECT 1", stdout=full)
            self.assert_complains(self.finish(process), 1, "No space left on device")

    def test_files_only_where_they_are_allowed(self):
        (self.folder / "jobs.csv").write_text("job,node\n17,h7\n", encoding="utf-8")
        statement = ("SELECT DISTINCT job FROM findings JOIN read_csv('jobs.csv') "
                     "ON node = host")
        self.assertEqual(self.rows(statement, "--files"), [{"job": 17}])
        out = self.reveal("sql", self.recording, statement)
        self.assert_status(out, 1)
        self.assertIn("disabled by configuration", out.stderr)


class Mistakes(Shared):
    def test_a_mistake_is_shown_in_its_place(self):
        out = self.reveal("sql", self.recording, "SELECT nonsense\nFROM samples")
        self.assert_status(out, 2)
        lines = out.stderr.splitlines()
        self.assertRegex(lines[0], '^reveal: SQL: Binder Error: .*"nonsense"')
        self.assertEqual(lines[-2:], ["LINE 1: SELECT nonsense", "               ^"])

    def test_an_unknown_table(self):
        out = self.reveal("sql", self.recording, "SELECT * FROM sample")
        self.assert_status(out, 2)
        self.assertIn('Did you mean "samples"', out.stderr)

    def test_wrong_words(self):
        self.assert_complains(self.reveal("sql", self.recording, "nowhere"), 2,
                              "nowhere: is neither a directory nor a statement")
        self.assert_complains(self.reveal("sql", "SELECT 1"), 2, "no recording was given")
        self.assert_complains(self.reveal("sql", "nowhere"), 1, "nowhere: no such directory")
        self.assert_complains(self.reveal("sql", "nowhere", "SELECT 1"), 1, "no such directory")

    def test_a_sum_without_totals_counts_each_part_once(self):
        self.reveal("record", "-q", "-o", "parts", "--duration", "400ms", *INTERVAL, *fixture())
        asked = lambda statement: json.loads(self.reveal("sql", "parts", statement, "--format", "json").stdout)
        told = {row["channel"]: row["total"] for row in asked("SELECT channel, total FROM channels")}
        self.assertIs(told["cpu_user_seconds_total"], True)
        self.assertIs(told["cpu_user_seconds_total{cpu=0}"], False)
        self.assertIs(told["memory_free_bytes"], False)
        sums = asked("""SELECT sequence, sum(value) AS sum FROM samples JOIN channels USING (recording, channel_id)
                        WHERE channels.metric = 'cpu_user_seconds_total' AND NOT total GROUP BY sequence""")
        text = self.reveal("export", "parts", "--layout", "long", "--channels", "cpu_user_seconds_total*").stdout
        by_hand = {}
        for row in csv.DictReader(io.StringIO(text)):
            if row["instance"]:
                by_hand[row["sequence"]] = by_hand.get(row["sequence"], 0) + int(row["value"])
        self.assertTrue(by_hand)
        self.assertEqual({str(row["sequence"]): row["sum"] for row in sums},
                         {sequence: ticks / 100 for sequence, ticks in by_hand.items()})

    def test_too_little_is_recorded_for_scores_but_not_for_samples(self):
        self.reveal("record", "-q", "-o", "short", "--duration", "400ms", *INTERVAL, *fixture())
        out = self.reveal("sql", "short", "SELECT count(*) > 0 AS some FROM samples", "--format",
                          "csv")
        self.assertEqual(out.stdout, "some\ntrue\n", shown(out))
        self.assert_complains(self.reveal("sql", "short", "SELECT * FROM scores"), 3, "too few")

    def test_damage_is_told(self):
        damaged = self.folder / "damaged"
        shutil.copytree(self.recording, damaged)
        segment = sorted(damaged.glob("*.rvs"))[0]
        content = bytearray(segment.read_bytes())
        content[len(content) // 2] ^= 0xFF
        segment.write_bytes(content)
        out = self.reveal("sql", damaged, "SELECT count(*) AS n FROM samples", "--format", "csv")
        self.assert_status(out, 0)
        self.assertIn("are unreadable", out.stderr)


class Parquet(Shared):
    def export(self, *words):
        out = self.reveal("export", *words)
        self.assert_status(out, 0)

    def test_export_import_export_is_the_same_file(self):
        for layout in ("wide", "long"):
            first, second = f"{layout}1.parquet", f"{layout}2.parquet"
            self.export(self.recording, "-o", first, "--layout", layout)
            self.assert_status(self.reveal("import", first, "-o", layout), 0)
            self.export(layout, "-o", second, "--layout", layout)
            self.assertEqual((self.folder / first).read_bytes(),
                             (self.folder / second).read_bytes())

    def test_what_parquet_holds_is_what_csv_holds(self):
        self.export(self.recording, "-o", "wide.parquet")
        self.export(self.recording, "-o", "wide.csv")
        with open(self.folder / "wide.csv", newline="", encoding="utf-8") as file:
            want = list(csv.DictReader(file))
        got = csv.DictReader(io.StringIO(self.sql("SELECT * FROM 'wide.parquet'", "--files",
                                                  "--format", "csv")))
        count = 0
        for row, expected in zip(got, want, strict=True):
            count += 1
            for name, text in expected.items():
                if name.startswith("network"):
                    self.assertEqual(int(row[name]), int(text))
                elif "quantity" in name:
                    self.assertEqual(float(row[name]), float(text))
                else:
                    self.assertEqual(row[name], text, name)
        self.assertEqual(count, 1000)

    def test_anybodys_parquet_is_imported_as_its_csv_is(self):
        self.sql("COPY (SELECT * REPLACE (make_timestamp_ms(time) AS time) FROM "
                 f"read_csv('{self.home}/telemetry.csv')) TO 'theirs.parquet'", "--files")
        self.assert_status(self.reveal("import", "theirs.parquet", "-o", "p", "--host", "h7"), 0)
        self.export("p", "-o", "p.csv", "--format", "csv")
        self.export(self.recording, "-o", "c.csv", "--format", "csv")
        self.assertEqual((self.folder / "p.csv").read_bytes(), (self.folder / "c.csv").read_bytes())

    def test_tables_are_what_csv_has(self):
        for table in ("windows", "scores", "findings", "evidence", "features"):
            layout = ("--layout", "long", "--agreement", "1")
            for end in ("parquet", "csv"):
                self.export(self.recording, "--table", table, "-o", f"{table}.{end}", *layout)
            with open(self.folder / f"{table}.csv", newline="", encoding="utf-8") as file:
                want = list(csv.reader(file))
            got = list(csv.reader(io.StringIO(self.sql(f"SELECT * FROM '{table}.parquet'",
                                                       "--files", "--format", "csv"))))
            self.assertGreater(len(want), 1, table)
            self.assertEqual(got[0], want[0])
            self.assertEqual(len(got), len(want))
            for row, expected in zip(got, want):
                for cell, text in zip(row, expected):
                    self.assertTrue(cell == text or float(cell) == float(text), (cell, text))

    def test_not_to_standard_output(self):
        self.assert_complains(self.reveal("export", self.recording, "--format", "parquet"), 2,
                              "-o FILE.parquet")


if __name__ == "__main__":
    REASON = why_skipped()
    if REASON:
        print("skipped:", REASON)
        sys.exit(SKIPPED)
    unittest.main()
