"""reveal select: the plan is what numpy makes of the same samples by the paper's rule, and the recorder and the
analysis keep what it keeps."""

import csv
import io
import json
import sys
import unittest

import numpy as np
from scipy import stats

from made_telemetry import TelemetryTest, noise
from paper_rule import clusters_by_rule, correlated
from reveal_process import REPOSITORY, fixture

sys.path.insert(0, str(REPOSITORY / "tools"))
import read_recording  # noqa: E402

USAGE = 2
TOO_LITTLE = 3
LAB = REPOSITORY / "tests" / "recordings"


class SelectTest(TelemetryTest):
    def selected(self, *words, said=()):
        """The plan: representative -> members with their r; constant channels; and the table's rows."""
        printed = self.printed("select", *words, "-o", "plan.json")
        plan = json.loads((self.folder / "plan.json").read_text(encoding="utf-8"))
        clusters = {one["representative"]: {member["channel"]: member["r"] for member in one["members"]}
                    for one in plan["clusters"]}
        table = printed.split("kept in the union\n")[1].split("\n\n")[0]
        rows = {line.split()[0]: [int(word) for word in line.split()[1:]] for line in table.splitlines()}
        for text in said:
            self.assertIn(text, printed)
        return clusters, plan, rows


def varied(seed, ticks=200):
    """Another workload: load_0 to load_8 by other weights, of which one stands still, and two of its own."""
    source = np.random.default_rng(seed)
    base = source.normal(0, 1, (ticks, 3))
    weights = np.random.default_rng(7).normal(0, 1, (3, 11))
    samples = 50 + base @ weights + source.normal(0, 0.7, (ticks, 11))
    samples[:, 4] = 9
    return samples


CHANNELS = [f"load_{i}" for i in range(9)] + ["own_0", "own_1"]


class Plan(SelectTest):
    def setUp(self):
        super().setUp()
        self.runs = {"bert": [correlated(seed) for seed in (1, 2, 3)], "vit": [varied(4), varied(5, 300)]}
        for samples in self.runs["bert"]:
            samples[:, 10] = 3  # moves in neither
        for workload, runs in self.runs.items():
            (self.folder / workload).mkdir()
            for i, samples in enumerate(runs):
                names = CHANNELS if workload == "vit" else None
                self.record(f"{workload}/{i}", samples, channels=names)

    def wanted(self, threshold):
        """By workload: the channels that vary, and cluster by cluster who is kept and who is not, with r."""
        out = {}
        for workload, runs in self.runs.items():
            names = CHANNELS if workload == "vit" else [f"load_{i}" for i in range(12)]
            moving = [i for i in range(len(names)) if np.ptp(runs[0][:, i]) > 0]
            names = [names[i] for i in moving]
            r = np.mean([np.corrcoef(samples[:, moving].T) for samples in runs], axis=0)
            clusters = {names[i]: {names[j]: r[i, j] for j in members}
                        for i, members in clusters_by_rule(r, names, threshold).items()}
            out[workload] = names, clusters
        return out

    def test_what_any_workload_keeps_is_kept(self):
        for threshold in (0.5, 0.8):
            wanted = self.wanted(threshold)
            clusters, plan, rows = self.selected("bert/0", "bert/1", "bert/2", "vit/0", "vit/1", "--correlation", threshold)
            union = set().union(*(own for _, own in wanted.values()))
            self.assertEqual(set(clusters), union)
            self.assertEqual(plan["threshold"], threshold)
            self.assertEqual(plan["constant"], ["load_10"])
            dropped = {}
            for _, own in wanted.values():
                for representative, members in own.items():
                    for channel, r in members.items():
                        if channel not in union and abs(r) > abs(dropped.get(channel, ("", 0))[1]):
                            dropped[channel] = representative, r
            found = {channel: (representative, r) for representative, members in clusters.items()
                     for channel, r in members.items()}
            self.assertEqual(found.keys(), dropped.keys())
            for channel, (representative, r) in dropped.items():
                self.assertEqual(found[channel][0], representative)
                self.assertAlmostEqual(found[channel][1], r, places=10)
            every = set().union(*(names for names, _ in wanted.values()))
            self.assertEqual(rows, {
                "bert": [3, 11, len(wanted["bert"][1]), len(union & set(wanted["bert"][0]))],
                "vit": [2, 10, len(wanted["vit"][1]), len(union & set(wanted["vit"][0]))],
                "(union)": [5, len(every), len(union), len(union)]})
            self.assertGreater(len(union), max(len(own) for _, own in wanted.values()))
            self.assertGreater(len(dropped), 0)

    def not_chosen(self, most_cv, most_p):
        """The varying channels whose runs' means are unsteady by the median over workloads, or do not differ."""
        means = {}
        for workload, runs in self.runs.items():
            names = CHANNELS if workload == "vit" else [f"load_{i}" for i in range(12)]
            for i, name in enumerate(names):
                means.setdefault(name, {})[workload] = [run[:, i].mean() for run in runs]
        out = set()
        for name, by_workload in means.items():
            if name == "load_10":  # constant
                continue
            cvs = [np.std(values) / abs(np.mean(values)) for values in by_workload.values()]
            p = stats.f_oneway(*by_workload.values()).pvalue if len(by_workload) > 1 else np.nan
            if np.median(cvs) > most_cv or not p <= most_p:
                out.add(name)
        return out

    def test_channels_are_left_out_that_are_not_steady_or_do_not_differ(self):
        words = ["bert/0", "bert/1", "bert/2", "vit/0", "vit/1"]
        seen = set()
        for most_cv, most_p in ((1e9, 0.05), (0.002, 1), (0.003, 0.2)):
            wanted = self.not_chosen(most_cv, most_p)
            said = f"{len(wanted)} channels left out: not steady enough, or not known to differ."
            clusters, plan, rows = self.selected(*words, "--steady", most_cv, "--differs", most_p, said=[said])
            self.assertEqual(set(plan["left_out"]), wanted)
            kept = set(clusters) | {channel for members in clusters.values() for channel in members}
            varying = ({f"load_{i}" for i in range(12)} | set(CHANNELS)) - {"load_10"}
            self.assertEqual(kept, varying - wanted)
            seen.add(frozenset(wanted))
        self.assertEqual(len(seen), 3)
        _, plan, _ = self.selected(*words)
        self.assertNotIn("left_out", plan)
        for wrong, said in ((["bert/0", "vit/0", "--steady", "1"], "each workload has one run"),
                            (["bert/0", "bert/1", "--differs", ".05"], "one workload has nothing to differ from"),
                            ([*words, "--differs", "0"], "no channel is steady and differs")):
            self.assert_complains(self.reveal("select", *wrong, "-o", "none.json"), TOO_LITTLE, said)

    def test_a_name_before_the_directory_is_the_workload(self):
        by_folder = self.selected("bert/0", "bert/1", "vit/0")
        by_name = self.selected("a=bert/0", "a=bert/1", "b=vit/0")
        self.assertEqual(by_folder[:2], by_name[:2])
        self.assertEqual(set(by_name[2]), {"a", "b", "(union)"})
        together = self.selected("a=bert/0", "a=bert/1", "a=vit/0")
        self.assertNotEqual(by_folder[0], together[0])

    def test_wrong_use(self):
        for words, status, said in ((["bert/0", "./bert/0/"], USAGE, "given twice"), (["=bert/0"], USAGE, "NAME=DIR"),
                                    (["bert/0", "--correlation", "2"], USAGE, "--correlation"), (["nowhere"], 1, "nowhere"),
                                    ([self.record("still", np.full((40, 3), 7.0))], TOO_LITTLE, "no channel varies")):
            self.assert_complains(self.reveal("select", *words, "-o", "none.json"), status, said)
            self.assertFalse((self.folder / "none.json").exists())
        self.assert_complains(self.reveal("select", "bert/0"), USAGE, "--output")


class OnRecordingsOfTheLab(SelectTest):
    def correlations(self, recording):
        """The signals' names, and r of each pair over the ticks at which both were read."""
        header, *rows = csv.reader(io.StringIO(self.printed("export", recording, "--derived")))
        begin = header.index("read_ns") + 1
        samples = np.array([[float(cell) if cell else np.nan for cell in row[begin:]] for row in rows])
        has = np.isfinite(samples)
        moving = [i for i in range(samples.shape[1]) if has[:, i].any() and np.nanmax(samples[:, i]) > np.nanmin(samples[:, i])]
        samples, m = samples[:, moving], has[:, moving].astype(float)
        x = np.where(m > 0, samples - np.nanmean(samples, axis=0), 0)
        x /= np.abs(x).max(axis=0)
        n = m.T @ m
        with np.errstate(all="ignore"):
            covariance = x.T @ x - (x.T @ m) * (m.T @ x) / n
            variance = (x * x).T @ m - (x.T @ m) ** 2 / n  # of the row's channel, where the column's is there
            r = covariance / np.sqrt(variance * variance.T)
        defined = (n >= 8) & (variance > 1e-9) & (variance.T > 1e-9)
        return [header[begin + i] for i in moving], np.where(defined, r, 0)

    def test_missing_samples_and_ranks(self):
        recordings = [LAB / name / "host0" for name in ("pause", "steady")]
        clusters, plan, _ = self.selected(*(f"lab={path}" for path in recordings))
        sums, counts = {}, {}
        for recording in recordings:
            names, r = self.correlations(recording)
            for i, one in enumerate(names):
                for j, other in enumerate(names):
                    sums[one, other] = sums.get((one, other), 0) + r[i, j]
                    counts[one, other] = counts.get((one, other), 0) + 1
        mean = {pair: total / counts[pair] for pair, total in sums.items()}
        everything = {pair[0] for pair in mean}
        members = {channel: one for one, own in clusters.items() for channel in own}
        self.assertEqual(everything, set(clusters) | set(members))
        self.assertGreater(len(members), 100)
        for channel, representative in members.items():
            r = mean[representative, channel]
            self.assertAlmostEqual(clusters[representative][channel], r, places=6)
            self.assertGreater(abs(r), 0.5 - 1e-6)
        for one in clusters:
            for other in clusters:
                if one != other:
                    self.assertLessEqual(abs(mean.get((one, other), 0)), 0.5 + 1e-6, (one, other))
        ranks = {}
        for recording in recordings:
            reader = read_recording.open(recording)
            ranks |= {metric.name: metric.rank for metric in reader.metrics}
        both = [(ranks.get(channel.partition("{")[0]), ranks.get(one.partition("{")[0]))
                for channel, one in members.items()]
        both = [pair for pair in both if None not in pair]  # derived metrics are not in a recording
        self.assertGreater(len(both), 50)
        for own, of_kept in both:
            self.assertLessEqual(of_kept, own)

    def test_recorder_and_analysis_keep_what_the_plan_keeps(self):
        recording = LAB / "pause" / "host0"
        clusters, plan, _ = self.selected(recording)
        dropped = {channel for one in plan["clusters"] for channel in (m["channel"] for m in one["members"])}
        words = ("record", "-q", *fixture(), "--interval", "10ms", "--duration", "500ms")
        self.assert_status(self.reveal(*words, "-o", "all"), 0)
        self.assert_status(self.reveal(*words, "-o", "few", "--select", "plan.json"), 0)
        names = {}
        for name in ("all", "few"):
            reader = read_recording.open(self.folder / name)
            names[name] = {reader.name(channel) for channel in reader.channels}
        gone = names["all"] - names["few"]
        self.assertGreater(len(gone), 30)
        self.assertLessEqual(gone, dropped | set(plan["constant"]))
        self.assertLessEqual(set(clusters) & names["all"], names["few"])
        self.printed("analyze", recording, "--select", "plan.json", "--no-html", "-o", self.folder)
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        self.assertEqual(report["configuration"]["selection"], "plan")


if __name__ == "__main__":
    unittest.main()
