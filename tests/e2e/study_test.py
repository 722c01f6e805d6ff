"""reveal study: the figures of each study are what numpy and scipy make of the same samples, or of the windows and
the evidence that the other commands print."""

import html.parser
import json
import unittest
from collections import defaultdict

import numpy as np
import scipy.stats

from made_telemetry import TelemetryTest, noise
from paper_rule import correlated, kept_by_rule
from reveal_process import REPOSITORY

USAGE = 2
TOO_LITTLE = 3


class StudyTest(TelemetryTest):
    def studied(self, name, *words):
        return json.loads(self.printed("study", name, *words, "--json"))

    def tables(self, name, *words):
        return self.studied(name, *words)["tables"]


class Pruning(StudyTest):
    def r_squared(self, samples, target, by):
        x = samples[:, by] - samples[:, by].mean(axis=0)
        y = samples[:, target] - samples[:, target].mean()
        rest = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
        return 1 - rest @ rest / (y @ y)

    def test_figures_are_numpys(self):
        runs = [correlated(seed) for seed in (1, 2, 3)]
        recordings = [self.record(f"r{i}", samples) for i, samples in enumerate(runs)]
        rows = self.tables("pruning", *recordings)["thresholds"]
        names = [f"load_{i}" for i in range(12)]
        r = np.mean([np.corrcoef(samples.T) for samples in runs], axis=0)
        self.assertEqual(len(rows), 9)
        for i, row in enumerate(rows):
            threshold = (i + 1) / 10
            kept = kept_by_rule(r, names, threshold)
            removed = [c for c in range(12) if c not in kept]
            self.assertAlmostEqual(row["threshold"], threshold)
            self.assertEqual(row["kept"], len(kept))
            self.assertAlmostEqual(row["share_kept"], len(kept) / 12)
            apart = np.abs(r - np.eye(12))
            if len(kept) > 1:
                among = apart[np.ix_(kept, kept)].max(axis=1).mean()
                self.assertAlmostEqual(row["mean_max_r_of_kept"], among, places=10)
            self.assertAlmostEqual(row["mean_max_r_to_kept"], apart[:, kept].max(axis=1).mean(), places=10)
            if removed:
                want = np.mean([self.r_squared(samples, c, kept) for samples in runs for c in removed])
                self.assertAlmostEqual(row["multiple_r2_of_removed"], want, places=9)
        self.assertGreater(rows[8]["kept"], rows[4]["kept"])
        self.assertGreater(rows[4]["kept"], 1)

    def test_a_sum_of_kept_channels_is_told_wholly(self):
        samples = np.random.default_rng(4).normal(50, 1, (200, 4))
        samples[:, 3] = samples[:, 0] + samples[:, 1] + 4 * samples[:, 2]
        last = self.tables("pruning", self.record("sum", samples))["thresholds"][8]
        self.assertEqual(last["kept"], 3)
        self.assertAlmostEqual(last["multiple_r2_of_removed"], 1, places=12)

    def test_kept_channels_that_depend_on_one_another(self):
        source = np.random.default_rng(5)
        samples = source.normal(50, 1, (200, 6))
        samples[:, 4] = samples[:, :4].sum(axis=1)
        samples[:, 5] = samples[:, 0] + source.normal(0, 0.3, 200)
        last = self.tables("pruning", self.record("dependent", samples))["thresholds"][8]
        self.assertEqual(last["kept"], 5)
        r = np.corrcoef(samples.T)
        (removed,) = set(range(6)) - set(kept_by_rule(r, [f"load_{i}" for i in range(6)], 0.9))
        self.assertIn(removed, (0, 5))
        want = self.r_squared(samples, removed, [c for c in range(6) if c != removed])
        self.assertAlmostEqual(last["multiple_r2_of_removed"], want, places=9)
        self.assertLess(want, 0.99)

    def test_nothing_is_removed(self):
        last = self.tables("pruning", self.record("apart", noise(1)))["thresholds"][8]
        self.assertEqual((last["kept"], last["multiple_r2_of_removed"]), (8, None))

    def test_a_short_run_is_noted(self):
        notes = self.studied("pruning", self.record("short", noise(1, 12, 14)))["notes"]
        self.assertIn("multi-R2 says nothing", " ".join(notes))


def warped(x, y, band):
    """Dynamic time warping by its recurrence."""
    n = len(x)
    cost = np.full((n + 1, n + 1), np.inf)
    cost[0, 0] = 0
    for i in range(n):
        for j in range(max(0, i - band), min(n, i + band + 1)):
            cost[i + 1, j + 1] = abs(x[i] - y[j]) + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    return cost[n, n]


class Reproducibility(StudyTest):
    def runs(self, count, ticks=240):
        """load_0 has a peak in the middle of each run, load_1 one anywhere, load_2 noise, load_3 nothing."""
        out = []
        for seed in range(count):
            source = np.random.default_rng(seed + 20)
            samples = source.normal(50, 1, (ticks, 4))
            at = np.arange(ticks)
            for channel, place in ((0, ticks / 2), (1, source.uniform(0.1, 0.9) * ticks)):
                samples[:, channel] += 8 * np.exp(-((at - place - source.normal(0, 2)) / 12) ** 2)
            samples[:, 3] = 7
            out.append(samples)
        return out

    def wanted(self, runs, per_point):
        """By channel: mean distance, p against zero, mean distance to others and to these shifted, p."""
        points = min(len(run) for run in runs) // per_point
        band = max(1, points // 10)
        out = {}
        for channel in range(3):
            courses = np.array([run[:points * per_point, channel].reshape(points, per_point).mean(axis=1)
                                for run in runs])
            courses = (courses - courses.mean()) / courses.std()
            distances, others, shifted = [], [], []
            for i, course in enumerate(courses):
                rest = np.median(np.delete(courses, i, axis=0), axis=0)
                distances.append(warped(course, np.median(courses, axis=0), band) / points)
                others.append(warped(course, rest, band) / points)
                shifted.append(np.mean([warped(course, np.roll(rest, -(points * quarter // 4)), band) / points
                                        for quarter in (1, 2, 3)]))
            out[f"load_{channel}"] = (
                np.mean(distances), scipy.stats.wilcoxon(distances).pvalue, np.mean(others), np.mean(shifted),
                scipy.stats.wilcoxon(np.subtract(shifted, others)).pvalue)
        return out

    def compared(self, runs, per_point):
        found = self.studied("reproducibility", *(self.record(f"r{i}", run) for i, run in enumerate(runs)))
        want = self.wanted(runs, per_point)
        self.assertEqual({row["channel"] for row in found["tables"]["channels"]}, set(want))  # load_3 is constant
        for row in found["tables"]["channels"]:
            fields = ("distance", "p_zero", "distance_to_others", "distance_to_shifted", "p_shifted")
            np.testing.assert_allclose([row[key] for key in fields], want[row["channel"]], rtol=1e-9)
        return found["tables"], want

    def test_figures_are_scipys(self):
        tables, want = self.compared(self.runs(7), 1)
        by_channel = {row["channel"]: row for row in tables["channels"]}
        self.assertLess(by_channel["load_0"]["p_shifted"], 0.05)
        self.assertGreater(by_channel["load_2"]["p_shifted"], 0.05)
        distances = [one[0] for one in want.values()]
        agree = [p < 0.05 and shifted > others for _, _, others, shifted, p in want.values()]
        fields = ("channels", "mean_distance", "median_distance", "share_by_distance", "share_that_agree")
        np.testing.assert_allclose(
            [tables["subsystems"][0][key] for key in fields],
            [3, np.mean(distances), np.median(distances), np.mean([one[1] < 0.05 for one in want.values()]),
             np.mean(agree)], rtol=1e-9)

    def test_long_runs_are_averaged_and_cut_to_the_shortest(self):
        runs = self.runs(3, 500)
        runs[1] = runs[1][:455]
        self.compared(runs, 2)

    def test_few_runs_cannot_be_significant(self):
        recordings = [self.record(f"r{i}", run) for i, run in enumerate(self.runs(2))]
        self.assertIn("six are needed", " ".join(self.studied("reproducibility", *recordings)["notes"]))

    def test_runs_that_cannot_be_compared(self):
        one, other = self.record("one", noise(1)), self.record("other", noise(2), interval_s=2)
        short = self.record("short", noise(1, 9))
        for recordings, status, said in (([one], TOO_LITTLE, "one run"), ([one, other], USAGE, "interval"),
                                         ([one, short], TOO_LITTLE, "ticks")):
            self.assert_complains(self.reveal("study", "reproducibility", *recordings), status, said)


SETTINGS = {"3 s / 1 s": ("3s", "1s"), "1.5 s / 0.5 s": ("1500ms", "500ms"), "5 s / 2 s": ("5s", "2s")}
BURSTS = (slice(400, 430), slice(700, 712), slice(900, 960))


def bursts(seed, only=BURSTS):
    samples = noise(seed, 1200)
    for burst in only:
        samples[burst, 1:6] += 40
    return samples


class Granularity(StudyTest):
    def anomalous(self, recording, length, stride, *options):
        """By 10 ms since the first window: whether a flagged window covers it. And the numbers of windows and flags."""
        table = self.scores(recording, "--window", length, "--stride", stride, *options)
        begin = table["begin_ns"].min()
        cells = np.zeros(20_000, dtype=bool)
        for first, last, flag in zip(table["begin_ns"], table["end_ns"], table["flag"]):
            if flag:
                cells[round((first - begin) / 1e7):round((last - begin) / 1e7)] = True
        return cells, len(table["flag"]), int(table["flag"].sum())

    def stretches(self, cells):
        steps = np.diff(np.concatenate(([0], cells.astype(int), [0])))
        return list(zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)))

    def check_setting(self, row, cells, windows, flagged):
        stretches = self.stretches(cells)
        self.assertEqual([row[key] for key in ("windows", "anomalous_windows", "stretches")],
                         [windows, flagged, len(stretches)])
        self.assertAlmostEqual(row["anomalous_seconds"], cells.sum() / 100)
        if stretches:
            lengths = [(last - first) / 100 for first, last in stretches]
            self.assertAlmostEqual(row["median_seconds"], np.median(lengths))

    def wanted(self, a, b):
        """IoU, by count and by length of cells; None if undefined."""
        own = self.stretches(a)
        return {"iou": (a & b).sum() / (a | b).sum() if (a | b).any() else None,
                "by_count": np.mean([b[first:last].any() for first, last in own]) if own else None,
                "by_length": (a & b).sum() / a.sum() if own else None}

    def check(self, recordings, *options):
        tables = self.tables("granularity", *recordings, *options)
        cells = {}
        self.assertEqual(len(tables["settings"]), 3 * len(recordings))
        for row in tables["settings"]:
            key = row["recording"], row["setting"]
            cells[key], windows, flagged = self.anomalous(row["recording"], *SETTINGS[row["setting"]], *options)
            self.check_setting(row, cells[key], windows, flagged)
        values = defaultdict(list)
        for row in tables["runs"]:
            a, b = (cells[row["recording"], setting] for setting in row["pair"].split(" vs. "))
            for measure, want in self.wanted(a, b).items():
                if want is None:
                    self.assertIsNone(row[measure])
                    continue
                self.assertAlmostEqual(row[measure], want)
                values[row["pair"], {"iou": "IoU"}.get(measure, measure.replace("_", " "))].append(want)
        self.assertEqual(len(tables["pairs"]), 9)
        for row in tables["pairs"]:
            of = values[row["pair"], row["measure"]]
            self.assertEqual(row["runs"], len(of))
            np.testing.assert_allclose([row["mean"], row["median"], row["standard_deviation"]],
                                       [np.mean(of), np.median(of), np.std(of)], atol=1e-12)

    def test_figures_are_those_of_the_flagged_windows(self):
        samples = {"a": bursts(1), "b": bursts(2, BURSTS[:2]), "calm": noise(3, 1200)}
        recordings = [self.record(name, of, interval_s=0.1) for name, of in samples.items()]
        for options in ((), ("--method", "paper")):
            self.check(recordings, *options)

    def test_a_saved_baseline_has_its_own_windows(self):
        recording = self.record("calm", noise(3, 1200), interval_s=0.1)
        self.printed("baseline", "save", recording, "-o", "b", "--accept-findings")
        self.assert_complains(self.reveal("study", "granularity", recording, "--baseline", "b"), USAGE,
                              "--baseline", "windows of its own")


PATTERN_FIELDS = ("evidence", "share_of_evidence", "share_of_contribution", "seconds", "share_of_seconds")


class Blame(StudyTest):
    def setUp(self):
        super().setUp()
        self.recordings = [self.record("a", bursts(1), interval_s=0.1),
                           self.record("b", bursts(2, BURSTS[:2]), interval_s=0.1)]
        self.blames = {}  # by recording, window, detector, channel and feature: contribution, begin, end
        for recording in self.recordings:
            self.printed("analyze", recording, "--no-html")
            report = json.loads((recording / "report.json").read_text(encoding="utf-8"))
            for finding in report["findings"] + report["changes"] + report["low_confidence"]:
                for window in finding["windows"]:
                    for detector in window["detectors"]:
                        for one in detector["evidence"]:
                            key = (str(recording), window["id"], detector["name"], one["channel"], one["feature"])
                            self.blames[key] = (one["contribution"], window["begin"]["ns"], window["end"]["ns"])

    def covered(self, blames):
        """Seconds that the windows cover."""
        cells = {(key[0], cell) for key, (_, begin, end) in blames.items()
                 for cell in range(begin // 10**8, end // 10**8)}
        return len(cells) / 10

    def test_patterns_are_those_of_the_reports(self):
        tables = self.tables("patterns", *self.recordings)
        count, weight = len(self.blames), sum(one[0] for one in self.blames.values())
        self.assertGreater(count, 100)
        (row,) = tables["subsystems"]  # of made telemetry all is one subsystem
        np.testing.assert_allclose([row[key] for key in PATTERN_FIELDS], [count, 1, 1, self.covered(self.blames), 1])
        metrics = {row["metric"]: row for row in tables["metrics"]}
        self.assertEqual(set(metrics), {key[3] for key in self.blames})
        for metric, row in metrics.items():
            own = {key: one for key, one in self.blames.items() if key[3] == metric}
            np.testing.assert_allclose(
                [row[key] for key in PATTERN_FIELDS],
                [len(own), len(own) / count, sum(one[0] for one in own.values()) / weight, self.covered(own),
                 self.covered(own) / self.covered(self.blames)])
        counts = [row["evidence"] for row in tables["metrics"]]
        self.assertEqual(counts, sorted(counts, reverse=True))

    def test_causes_are_those_of_the_reports(self):
        tables = self.tables("causes", *self.recordings)
        fields = ("recording", "window", "detector", "channel", "feature")
        found = {tuple(row[key] for key in fields): row["contribution"] for row in tables["windows"]}
        self.assertEqual(found.keys(), self.blames.keys())
        for key, contribution in found.items():
            self.assertAlmostEqual(contribution, self.blames[key][0])
        windows = {key[:2] for key in self.blames}
        causes = {(row["metric"], row["feature"]): row for row in tables["causes"]}
        self.assertEqual(set(causes), {key[3:] for key in self.blames})
        for cause, row in causes.items():
            own = {key: one for key, one in self.blames.items() if key[3:] == cause}
            in_windows = {key[:2] for key in own}
            np.testing.assert_allclose(
                [row[key] for key in ("windows", "share_of_windows", "seconds", "mean_contribution")],
                [len(in_windows), len(in_windows) / len(windows), self.covered(own),
                 np.mean([one[0] for one in own.values()])])

    def test_nothing_found_is_said(self):
        calm = self.record("calm", noise(3, 600), interval_s=0.1)
        for name, said in (("causes", "No window is anomalous"), ("patterns", "none")):
            self.assertIn(said, self.printed("study", name, calm, "--threshold", "90"))


class Page(html.parser.HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, path):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


class ThePage(StudyTest):
    def page(self, name, *words):
        self.printed("study", name, *words, "-o", "out")
        tables = json.loads((self.folder / "out" / f"{name}.json").read_text(encoding="utf-8"))["tables"]
        return Page(self.folder / "out" / f"{name}.html"), tables

    def test_lines_go_through_the_figures(self):
        page, tables = self.page("pruning", self.record("r", correlated(1)))
        drawn = [[[float(number) for number in point.split(",")] for point in line["points"].split()]
                 for line in page.all("polyline")]
        fields = ("share_kept", "mean_max_r_of_kept", "mean_max_r_to_kept", "multiple_r2_of_removed")
        self.assertEqual(len(drawn), len(fields))
        for line, field in zip(drawn, fields):
            rows = [row for row in tables["thresholds"] if row[field] is not None]
            # Shares of 280 from below, on a ground at 290; thresholds of 820 from 50 on.
            want = [(50 + 820 * row["threshold"], 290 - 280 * row[field]) for row in rows]
            np.testing.assert_allclose(line, want, atol=0.06)

    def test_bars_are_as_long_as_the_figures(self):
        page, tables = self.page("patterns", self.record("r", bursts(1), interval_s=0.1))
        first = [bar for bar in page.all("rect") if bar["class"] == "c0"][1:]  # of the metrics
        shares = np.array([row["share_of_evidence"] for row in tables["metrics"]][:len(first)])
        widths = np.array([float(bar["width"]) for bar in first])
        np.testing.assert_allclose(widths / widths[0], shares / shares[0], atol=0.002)

    def test_spans_are_where_the_stretches_are(self):
        samples = {"a": bursts(1), "b": bursts(2, BURSTS[:2])}
        recordings = [self.record(name, of, interval_s=0.1) for name, of in samples.items()]
        page, tables = self.page("granularity", *recordings)
        spans = [row for row in tables["stretches"] if row["begin_seconds"] is not None]
        self.assertEqual(len(page.all("svg")), 2)
        bars = page.all("rect")
        self.assertEqual(len(bars), len(spans))
        for bar, row in zip(bars, spans):
            self.assertAlmostEqual(float(bar["x"]), 330 + 550 * row["begin_seconds"] / 119.9, delta=0.1)

    def test_causes_have_a_row_each(self):
        page, tables = self.page("causes", self.record("r", bursts(1), interval_s=0.1))
        labels = {row["metric"] + " " + row["feature"] for row in tables["windows"]}
        self.assertGreater(len(labels), 20)
        self.assertEqual(len({bar["y"] for bar in page.all("rect")}), 20)

    def test_it_is_whole_and_names_are_inert_in_it(self):
        recording = self.record("r", correlated(1), host="<script>a&b")
        page, _ = self.page("reproducibility", recording, self.record("s", correlated(2)))
        self.assertFalse(page.all("script") or page.all("link") or page.all("img"))
        self.assertIn("<script>a&b", page.text)
        self.assertEqual([row for row in page.all("svg") if not row["aria-label"]], [])


class TheCommand(StudyTest):
    def test_text_and_files_say_the_same(self):
        recording = self.record("r", correlated(1))
        text = self.printed("study", "pruning", recording, "-o", "out")
        saved = json.loads((self.folder / "out" / "pruning.json").read_text(encoding="utf-8"))
        self.assertEqual((saved["schema"], saved["version"], saved["study"]), ("reveal.study", 1, "pruning"))
        self.assertEqual(saved, self.studied("pruning", recording))
        self.assertEqual(saved["runs"][0]["host"], "node7")
        lines = text.split("By threshold on |r|\n")[1].splitlines()
        self.assertEqual(lines[0].split()[:3], ["threshold", "kept", "share"])
        for line, row in zip(lines[1:10], saved["tables"]["thresholds"]):
            self.assertEqual([float(word) for word in line.split()[:2]], [row["threshold"], row["kept"]])

    def test_wrong_use(self):
        self.assert_complains(self.reveal("study", "prunning", "r"), USAGE, "prunning")
        self.assert_complains(self.reveal("study", "pruning", "nowhere"), 1, "nowhere")
        for name in ("granularity", "patterns", "causes"):
            short = self.record(name, noise(1, 40), interval_s=0.1)
            self.assert_complains(self.reveal("study", name, short), TOO_LITTLE, str(short), "record longer")
        slow = self.record("slow", noise(1))
        self.assert_complains(self.reveal("study", "granularity", slow), USAGE, str(slow), "100 ms")

    def test_the_document_names_every_study_and_field(self):
        text = (REPOSITORY / "docs" / "how_to" / "study.md").read_text(encoding="utf-8")
        recordings = [self.record(f"r{i}", bursts(i), interval_s=0.1) for i in (1, 2, 3)]
        workloads = [f"{name}={recording}" for name, recording in zip(("one", "one", "other"), recordings)]
        for name in ("pruning", "reproducibility", "cv", "variance", "anova", "granularity", "patterns", "causes"):
            self.assertIn(f"`{name}`", text)
            for table, rows in self.tables(name, *(workloads if name == "anova" else recordings)).items():
                self.assertIn(f"`{table}`", text)
                for field in rows[0]:
                    self.assertIn(f"`{field}`", text)


if __name__ == "__main__":
    unittest.main()
