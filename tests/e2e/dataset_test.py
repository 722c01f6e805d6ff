"""reveal dataset: what pandas and DuckDB read of the data set of the lab's recordings is what the other commands say of
each of them; windows are joined with truth and steps as a few lines of Python join them."""

import csv
import gzip
import io
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import unittest

import numpy as np
import pandas as pd

from reveal_process import REPOSITORY, REVEAL, RevealTest, shown

LAB = REPOSITORY / "tests" / "recordings"
SCRIPT = REPOSITORY / "tools" / "make_dataset.sh"
KNOWN = ["truth", "truth_share", "work", "step_seconds"]
NOT_INSTALLED = "is not installed"


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


def faults_of(name):
    return read_json(LAB / name / "truth.json")["faults"]


def steps_of(name):
    """Nothing if the job of that recording wrote none."""
    path = LAB / name / "steps0.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()] if path.exists() else []


def share_of(begin, end, faults):
    """The share of the time that is in a fault, by the stretches between all begins and ends."""
    edges = sorted({begin, end, *(edge for one in faults for edge in (one["begin_ns"], one["end_ns"]) if begin < edge < end)})
    inside = sum(b - a for a, b in zip(edges, edges[1:])
                 if any(one["begin_ns"] <= a and b <= one["end_ns"] for one in faults))
    return inside / (end - begin)


class Lab(RevealTest):
    """The data set of all recordings, made once."""

    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="reveal_e2e_"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.set = cls.home / "set"
        done = subprocess.run([SCRIPT, REVEAL, cls.set], capture_output=True, text=True, check=False)
        assert done.returncode == 0, shown(done)
        cls.names = sorted(path.parent.name for path in LAB.glob("*/truth.json"))

    def windows(self, name, **options):
        return pd.read_csv(self.set / name / "windows" / "annotated.csv.gz", **options)

    def table(self, name, table):
        outcome = self.reveal("export", LAB / name / "host0", "--table", table)
        self.assert_status(outcome, 0)
        return pd.read_csv(io.StringIO(outcome.stdout), dtype=str, keep_default_na=False)

    def test_each_recording_has_its_labels_and_settings(self):
        metadata = read_json(self.set / "metadata.json")
        self.assertEqual([one["folder"] for one in metadata["hosts"]], self.names)
        for one in metadata["hosts"]:
            truth = read_json(LAB / one["folder"] / "truth.json")
            wanted = {key: value for key, value in truth.items() if not isinstance(value, (list, dict))}
            self.assertEqual(one["labels"], {**wanted, "environment": "virtual machine, 2 CPUs", "task": "training"})
            report = read_json(self.set / one["folder"] / "report.json")
            self.assertEqual(one["settings"], report["configuration"])
            self.assertEqual(one["settings"]["method"], "default")

    def test_windows_have_scores_and_features_of_the_analysis(self):
        name = "network"
        cells = self.windows(name, dtype=str, keep_default_na=False)
        for table in ("windows", "features"):
            wanted = self.table(name, table)
            self.assertGreater(len(wanted.columns), 10)
            pd.testing.assert_frame_equal(cells[list(wanted.columns)], wanted)
        features = [column for column in self.table(name, "features").columns if "__" in column]
        self.assertEqual(set(cells.columns), {*self.table(name, "windows").columns, *KNOWN, *features})
        numbers = self.windows(name)
        self.assertTrue(all(pd.api.types.is_numeric_dtype(numbers[column]) for column in features))

    def test_windows_are_joined_with_what_was_done(self):
        inside = outside = 0
        for name in self.names:
            faults = faults_of(name)
            for row in self.windows(name).itertuples():
                kinds = [one["fault"] for one in faults if one["begin_ns"] < row.end_ns and row.begin_ns < one["end_ns"]]
                self.assertEqual(row.truth if isinstance(row.truth, str) else "", ";".join(dict.fromkeys(kinds)))
                self.assertAlmostEqual(row.truth_share, share_of(row.begin_ns, row.end_ns, faults), places=12)
                inside += bool(kinds)
                outside += not kinds
            truth = pd.read_csv(self.set / name / "truth.csv.gz")
            self.assertEqual(list(truth["kind"]), [one["fault"] for one in faults])
            self.assertEqual(list(truth["strength"]), [one["strength"] for one in faults])
        self.assertGreater(inside, 50)
        self.assertGreater(outside, 500)

    def test_windows_are_joined_with_steps(self):
        self.assertEqual(steps_of("starts"), [])
        for name in ("network", "pause", "starts"):
            steps = steps_of(name)
            if not steps:
                self.assertFalse((self.set / name / "steps.csv.gz").exists())
                self.assertEqual({"work", "step_seconds"} & set(self.windows(name).columns), set())
                continue
            told = pd.read_csv(self.set / name / "steps.csv.gz")
            np.testing.assert_allclose(told["seconds"], [one["ms"] / 1e3 for one in steps])
            self.assertEqual(list(told["end_ns"]), [one["end_ns"] for one in steps])
            with_steps = 0
            for row in self.windows(name).itertuples():
                ended = [one["ms"] / 1e3 for one in steps if row.begin_ns < one["end_ns"] <= row.end_ns]
                self.assertEqual(row.work, len(ended))
                np.testing.assert_allclose(row.step_seconds, statistics.median(ended) if ended else np.nan)
                with_steps += bool(ended)
            self.assertGreater(with_steps, 50)

    def test_the_schemas_name_each_column(self):
        def columns(name):
            return [one["name"] for one in read_json(self.set / "schema" / name)["columns"]]

        named = columns("windows.json")
        self.assertEqual(named[-1], "CHANNEL__FEATURE")
        have = [column for column in self.windows("network").columns if "__" not in column]
        self.assertEqual(named[:-1], have)
        for name in ("truth", "steps"):
            self.assertEqual(columns(f"{name}.json"), list(pd.read_csv(self.set / "network" / f"{name}.csv.gz").columns))

    def test_duckdb_reads_it(self):
        path = self.set / "*" / "windows" / "annotated.csv.gz"
        statement = ("SELECT count(*) AS windows, sum(truth_share) AS share, count(truth) AS in_truth, sum(work) AS work "
                     f"FROM read_csv('{path}', union_by_name = true)")
        outcome = self.reveal("sql", "--files", "--format", "csv", LAB / "network" / "host0", statement)
        if NOT_INSTALLED in outcome.stderr:
            self.skipTest(outcome.stderr)
        self.assert_status(outcome, 0)
        found = next(csv.DictReader(io.StringIO(outcome.stdout)))
        every = [self.windows(name) for name in self.names]
        self.assertEqual(int(found["windows"]), sum(map(len, every)))
        self.assertEqual(int(found["in_truth"]), sum(one["truth"].notna().sum() for one in every))
        self.assertAlmostEqual(float(found["share"]), sum(one["truth_share"].sum() for one in every), places=6)
        self.assertEqual(float(found["work"]), sum(one["work"].sum() for one in every if "work" in one))


class Choice(RevealTest):
    def test_a_plan_gives_all_recordings_the_same_channels(self):
        recordings = [LAB / name / "host0" for name in ("network", "steady")]
        self.assert_status(self.reveal("select", *recordings, "-o", "plan.json"), 0)
        words = ["dataset", *recordings, "--select", "plan.json", "--method", "paper"]
        self.assert_status(self.reveal(*words, "-o", "set"), 0)
        plan = read_json(self.folder / "plan.json")
        dropped = {member["channel"] for cluster in plan["clusters"] for member in cluster["members"]} | set(plan["constant"])
        metadata = read_json(self.folder / "set" / "metadata.json")
        for one in metadata["hosts"]:
            self.assertEqual((one["settings"]["method"], one["settings"]["selection"]), ("paper", "plan"))
            host = self.folder / "set" / one["folder"]
            self.assertEqual(read_json(host / "selection.json"), plan)
            with gzip.open(host / "filtered" / "samples.csv.gz", "rt", newline="") as file:
                kept = set(next(csv.reader(file))[7:])
            self.assertEqual({one["representative"] for one in plan["clusters"]} - kept, set())
            # Counters of errors that did not move stay: what happens first after the plan must not be hidden.
            self.assertEqual(dropped & kept - set(plan["constant"]), set())
            with gzip.open(host / "windows" / "annotated.csv.gz", "rt", newline="") as file:
                header = next(csv.reader(file))
            self.assertTrue({column.split("__")[0] for column in header if "__" in column} <= kept)
            self.assertFalse(set(KNOWN) & set(header))  # nobody said anything
            self.assertEqual(sorted(path.name for path in host.glob("*.csv.gz")), [])

    def test_complaints(self):
        recording = LAB / "steady" / "host0"
        (self.folder / "truth.json").write_text('[{"kind": "x", "begin_ns": 2, "end_ns": 1}]', encoding="ascii")
        usage = 2
        for status, words, said in (
                (usage, ["--label", "bert"], "KEY=VALUE"),
                (1, ["--truth", "../none.json"], "beside none"),
                (1, ["--truth", self.folder / "truth.json"], "interval 1"),
                (1, ["--steps", self.folder / "truth.json"], "line 1")):
            with self.subTest(words=words):
                self.assert_complains(self.reveal("dataset", recording, "-o", "set", *words), status, said)
                shutil.rmtree(self.folder / "set", ignore_errors=True)
        self.assert_complains(self.reveal("dataset", "=" + str(recording), "-o", "set"), usage, "NAME=DIR")


if __name__ == "__main__":
    unittest.main()
