"""The harness on made-up telemetry: what it reads, what Reveal is given, what it prints."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

import numpy as np

import nearest
import reference
from run_reveal import REFERENCE_FEATURES, START_S, Reveal, channel, read_scores
from series import SETS, BadData, read_all, unpack

HERE = pathlib.Path(__file__).parent
REVEAL = pathlib.Path(os.environ["REVEAL"]).resolve()
SAMPLES = 3000
EVENTS = [(700, 760), (1800, 1850)]
CAUSES = [[2], [4, 5]]


def made_up(folder: pathlib.Path, seed: int) -> None:
    """Six metrics of noise, two of them with a common cause; in an event its metrics swing."""
    draw = np.random.default_rng(seed)
    folder.mkdir(parents=True)
    for part in ("train", "test"):
        samples = draw.normal(0, 1, (SAMPLES, 6))
        samples[:, 5] += 3 * samples[:, 4]
        if part == "test":
            for (begin, end), metrics in zip(EVENTS, CAUSES):
                for metric in metrics:
                    samples[begin:end, metric] += 15
        np.save(folder / f"{part}.npy", samples.astype(np.float32))
    (folder / "events.json").write_text(json.dumps(EVENTS), encoding="utf-8")
    # As some sets have it, with the last sample of an event as its end.
    (folder / "root_cause.json").write_text(json.dumps(
        [{"start": begin, "end": end - 1, "metrics": metrics}
         for (begin, end), metrics in zip(EVENTS, CAUSES)]), encoding="utf-8")


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reveal_evaluate_test_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.labeled = self.folder / "labeled"
        for name in ("one", "two"):
            made_up(self.labeled / "part" / "SMD" / name, len(name))
        (self.labeled / "part" / "SMD" / "metrics.txt").write_text(
            "user,cpu\nsystem,cpu\nfree,memory\nread,storage\nsent,network\ndropped,network\n",
            encoding="utf-8")

    def evaluate(self, *words):
        return subprocess.run([sys.executable, "-B", HERE / "evaluate.py", *map(str, words)],
                              capture_output=True, text=True, check=False, timeout=600)


class Reading(Case):
    def test_labels(self):
        one, two = read_all(self.labeled, ["SMD"])
        self.assertEqual((one.name, two.name), ("one", "two"))
        self.assertEqual(one.events, EVENTS)
        self.assertEqual(one.causes, [{2}, {4, 5}])
        self.assertEqual(one.blamed, [{"memory"}, {"network"}])
        self.assertEqual(one.metrics[3], "read")
        self.assertEqual((one.interval_s, one.days), (60.0, SAMPLES / 1440))
        self.assertEqual(len(read_all(self.labeled, list(SETS), "t*")), 1)

    def test_injected_faults_that_overlap_are_one_event(self):
        run = self.labeled / "HPAS" / "app" / "run"
        run.mkdir(parents=True)
        np.save(run / "data.npy", np.zeros((100, 2)))
        (run.parents[1] / "metrics.txt").write_text("mem.MemFree\ncpu.user\n", encoding="utf-8")
        (run / "events.json").write_text(json.dumps(
            [{"kind": "CC", "start": 60, "end": 120}, {"kind": "CO", "start": 10, "end": 30},
             {"kind": "ML", "start": 20, "end": 40}]), encoding="utf-8")
        (series,) = read_all(self.labeled, ["HPAS"])
        self.assertEqual(series.name, "app/run")
        self.assertIsNone(series.train)
        self.assertEqual(series.events, [(10, 40), (60, 100)])
        self.assertEqual(series.blamed, [{"cpu", "memory"}, {"cpu"}])
        self.assertEqual(series.subsystems, ["memory", "cpu"])

    def test_no_series_is_an_error(self):
        with self.assertRaisesRegex(BadData, "no series 'x\\*' of SMD"):
            read_all(self.labeled, ["SMD"], "x*")

    def test_broken_data_is_an_error_that_names_it(self):
        (self.labeled / "part" / "SMD" / "one" / "test.npy").write_bytes(b"not an array")
        with self.assertRaisesRegex(BadData, "SMD/one"):
            read_all(self.labeled, ["SMD"])
        (self.folder / "x.tar").write_bytes(b"not an archive")
        with self.assertRaisesRegex(BadData, "x.tar cannot be unpacked"):
            unpack(self.folder / "x.tar", self.folder)

    def test_names_that_lead_out_of_an_archive_are_refused(self):
        archive = self.folder / "x.tar.xz"
        with tarfile.open(archive, "w:xz") as tar:
            tar.add(HERE / "series.py", arcname="../stray")
        with self.assertRaisesRegex(BadData, "leads out"):
            unpack(archive, self.folder / "unpacked")
        self.assertFalse((self.folder / "stray").exists())


class Given(Case):
    def test_reveal_gets_every_value_as_it_is(self):
        series = read_all(self.labeled, ["SMD"], "one")[0]
        # What import would take for a counter, for missing, for whole numbers.
        series.test[:, 0] = np.arange(SAMPLES)
        series.test[:, 1] = 1e300 / np.arange(1, SAMPLES + 1)
        series.test[:, 3] = 0.0
        series.test[100:110, 2] = np.nan
        recording = Reveal(REVEAL, "paper", []).imported(series.test, 60.0, self.folder / "test")
        outcome = subprocess.run([REVEAL, "export", recording, "--derived"], capture_output=True,
                                 text=True, check=False)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        header, *rows = csv.reader(outcome.stdout.splitlines())
        columns = [header.index(channel(metric)) for metric in range(6)]
        got = np.array([[float(row[column] or "nan") for column in columns] for row in rows])
        np.testing.assert_array_equal(got, series.test)
        times = [int(row[header.index("time_ns")]) for row in rows]
        self.assertEqual(times, [(START_S + 60 * t) * 10**9 for t in range(SAMPLES)])

    def test_scores_are_read_by_the_names_of_their_columns(self):
        series = read_all(self.labeled, ["SMD"], "one")[0]
        table = self.folder / "scores.csv"
        start = START_S * 10**9
        table.write_text("flag,window,begin_ns,end_ns,score,agreement,x,x_quantile,y,y_quantile,"
                         "share:m004,share:m002\n"
                         f"0,0,{start},{start + 1800 * 10**9},0.25,0,5,0.5,6,0,0,1\n"
                         f"1,1,{start + 600 * 10**9},{start + 2400 * 10**9},3.5,3,7,0.5,8,0.5,"
                         "0.75,0.25\n",
                         encoding="utf-8")
        scores = read_scores(table, series)
        np.testing.assert_array_equal(scores.windows, [[0, 30], [10, 40]])
        np.testing.assert_array_equal(scores.score, [0.25, 3.5])
        np.testing.assert_array_equal(scores.flag, [False, True])
        np.testing.assert_array_equal(scores.detectors, [[5, 6], [7, 8]])
        np.testing.assert_array_equal(scores.mean_quantile, [0.25, 0.5])
        np.testing.assert_array_equal(scores.shares,
                                      [[0, 0, 1, 0, 0, 0], [0, 0, 0.25, 0, 0.75, 0]])


class Reference(Case):
    def test_features_agree_with_reveal(self):
        series = read_all(self.labeled, ["SMD"], "two")[0]
        series.test[300:400, 1] = 7.0  # constant windows
        # Steps on either side of the limits below which nothing counts as moving.
        for place, step in enumerate((1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)):
            begin = 1000 + 100 * place
            series.test[begin:begin + 100, 0] = 0.0
            series.test[begin + 50, 0] = step
        recording = Reveal(REVEAL, "paper", []).imported(series.test, 60.0, self.folder / "test")
        outcome = subprocess.run(
            [REVEAL, "features", recording, "--window", "30", "--stride", "10", "--features",
             "paper"], capture_output=True, text=True, check=False)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        rows = list(csv.DictReader(outcome.stdout.splitlines()))
        begins = np.arange(0, SAMPLES - 29, 10)
        expected = reference.features(series.test, begins, limits=True)
        self.assertEqual(len(rows), len(begins) * 6)
        for row in rows:
            values = [float(row[name] or "nan") for name in REFERENCE_FEATURES]
            np.testing.assert_allclose(
                values, expected[int(row["window"]), int(row["channel"][1:])], rtol=1e-7,
                atol=1e-9, err_msg=f"{row['window']} {row['channel']}")

    def test_of_metrics_that_move_together_one_is_kept(self):
        samples = read_all(self.labeled, ["SMD"], "one")[0].train
        self.assertEqual(reference.selected(samples, "first"), [0, 1, 2, 3, 4])
        # 4 and 5 correlate; means near 0 make the variation large, so say which is larger.
        samples[:, 4] += 100
        self.assertEqual(sorted(reference.selected(samples, "variation")), [0, 1, 2, 3, 5])

    def test_finds_what_is_there(self):
        series = read_all(self.labeled, ["SMD"], "one")[0]
        for conventions in (reference.MEASURED, reference.REVEAL):
            scores = reference.scores(series, conventions, causal=False)
            inside = [scores.score[b:e].max() for b, e in EVENTS]
            outside = np.concatenate([scores.score[:650], scores.score[900:1700]])
            self.assertGreater(min(inside), outside.max())


class TheNearest(Case):
    def test_distances_by_hand(self):
        # Every 10 samples a window of 30: a neighbor counts from the third on.
        points = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [100.0], [-5.0]])
        own = points[:6]
        np.testing.assert_allclose(nearest.distances(own, points, 1), [3, 6, 7, 3, 9, 9])
        np.testing.assert_allclose(nearest.distances(own, points, 2), [5, 9, 9, 8, 10, 10])

    def test_finds_what_is_there(self):
        series = read_all(self.labeled, ["SMD"], "one")[0]
        for trained in (False, True):
            scores = nearest.scores(series, causal=False, trained=trained)
            inside = [scores.score[b:e].max() for b, e in EVENTS]
            outside = np.concatenate([scores.score[:650], scores.score[900:1700]])
            self.assertGreater(min(inside), outside.max())
            self.assertAlmostEqual(scores.flag.mean(), 0.01, delta=0.005)


def knows_scores() -> bool:
    outcome = subprocess.run([REVEAL, "scores", "--help"], capture_output=True, check=False)
    return outcome.returncode == 0 and b"--method" in outcome.stdout


@unittest.skipUnless(knows_scores(), "this reveal has no command scores")
class AgainstTheReference(Case):
    def test_paper_scores_every_window_as_numpy_does(self):
        for series in read_all(self.labeled, ["SMD"]):
            Reveal(REVEAL, "paper", ["--features", ",".join(REFERENCE_FEATURES)]).scores(series, self.folder / series.name)
            with open(self.folder / series.name / "scores.csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            kept = reference.selected(series.train, "variation")
            begins = np.arange(0, SAMPLES - 29, 10)
            values = reference.features(series.test[:, kept], begins, limits=True)
            z, _ = reference.standardized(values, "mean")
            for name, expected in (("zscore", np.abs(z).mean(1)),
                                   ("pca_mahalanobis", reference.mahalanobis(z))):
                scores = [float(row[name]) for row in rows]
                np.testing.assert_allclose(scores, expected, rtol=1e-9, err_msg=name)

    def test_both_methods_find_what_is_there(self):
        for method in ("default", "paper"):
            figures = self.folder / f"{method}.json"
            outcome = self.evaluate(self.labeled, "--reveal", REVEAL, "--method", method,
                                    "--json", figures)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            means = json.loads(figures.read_text(encoding="utf-8"))["means"]["SMD"]
            for measure in ("event_recall_1", "top_metric", "top_subsystem"):
                self.assertEqual(means[measure], 1.0, f"{method} {measure}")


class Whole(Case):
    def test_directory_and_archive_give_the_same_figures(self):
        archive = self.folder / "labeled.tar.xz"
        with tarfile.open(archive, "w:xz") as tar:
            tar.add(self.labeled / "part", arcname="part")
        tables = []
        for source in (self.labeled, archive):
            figures = self.folder / "figures.json"
            outcome = self.evaluate(source, "--method", "reference", "--json", figures)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            self.assertEqual(outcome.stderr, "")
            tables.append((outcome.stdout, json.loads(figures.read_text(encoding="utf-8"))))
        self.assertEqual(tables[0], tables[1])
        printed, figures = tables[0]
        self.assertIn("SMD one", printed)
        self.assertIn("reference, mean of 2 series", printed)
        self.assertEqual([series["series"] for series in figures["series"]], ["one", "two"])
        means = figures["means"]["SMD"]
        for measure in ("event_recall_1", "top_metric", "top_subsystem"):
            self.assertEqual(means[measure], 1.0, measure)
        self.assertGreater(means["auc_roc"], 0.95)
        for name, value in means.items():
            self.assertAlmostEqual(value, sum(s[name] for s in figures["series"]) / 2, msg=name)

    def test_causal_scores_come_later(self):
        figures = []
        for words in ([], ["--causal"]):
            file = self.folder / "figures.json"
            outcome = self.evaluate(self.labeled, "--method", "reference", "--json", file, *words)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            figures.append(json.loads(file.read_text(encoding="utf-8"))["means"]["SMD"])
        self.assertLess(figures[1]["auc_pr"], figures[0]["auc_pr"])

    def test_wrong_words(self):
        for words, told in (([self.folder / "nowhere"], "nowhere does not exist"),
                            ([self.labeled, "--sets", "SMD,XYZ"], "no set XYZ"),
                            ([self.labeled, "--reveal", "nowhere"], "no program nowhere"),
                            ([], "labeled")):
            outcome = self.evaluate(*words)
            self.assertEqual(outcome.returncode, 2)
            self.assertIn(told, outcome.stderr)

    def test_what_fails_is_told_with_its_command(self):
        outcome = self.evaluate(self.labeled, "--reveal", REVEAL, "--options=--no-such-option")
        self.assertEqual(outcome.returncode, 1)
        self.assertIn("evaluate: $ ", outcome.stderr)
        self.assertIn("--no-such-option", outcome.stderr)
        self.assertIn("ended with status 2", outcome.stderr)


if __name__ == "__main__":
    unittest.main()
