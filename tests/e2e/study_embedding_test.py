"""reveal study embedding: as good a picture of the windows' features as scikit-learn's t-SNE makes, and its figures
are scikit-learn's."""

import csv
import json
import re
import unittest
from collections import Counter

import numpy as np
from sklearn.manifold import TSNE, trustworthiness
from sklearn.neighbors import NearestNeighbors

from made_telemetry import TelemetryTest, noise
from reveal_process import REPOSITORY

TOO_LITTLE = 3
FIXTURE = REPOSITORY / "tests" / "recordings" / "storage" / "host0"


def bursts(seed):
    samples = noise(seed, 600)
    samples[300:330, 1:6] += 40
    return samples


class Embedding(TelemetryTest):
    def embedding(self, *words):
        return json.loads(self.printed("study", "embedding", *words, "--json"))

    def features(self, *recordings):
        """Windows by columns, standardized as the detectors see them."""
        rows, names = [], {}
        for recording in recordings:
            windows = {}
            for line in csv.DictReader(self.printed("features", recording).splitlines()):
                own = windows.setdefault(int(line["window"]), {})
                for feature, text in list(line.items())[4:]:
                    if text:
                        names[line["channel"], feature] = None
                        own[line["channel"], feature] = float(text)
            rows += [windows[window] for window in sorted(windows)]
        x = np.array([[row.get(name, np.nan) for name in names] for row in rows])
        x[~np.isfinite(x)] = np.nan
        x = x[:, 2 * np.isfinite(x).sum(axis=0) >= len(x)]
        mean, deviation = np.nanmean(x, axis=0), np.nanstd(x, axis=0)
        live = deviation > 1e-10 * np.abs(mean)
        return np.nan_to_num((x[:, live] - mean[live]) / deviation[live])

    def check(self, x, tables):
        (quality,) = tables["quality"]
        points = np.array([[row["x"], row["y"]] for row in tables["points"]])
        self.assertEqual((quality["windows"], quality["features"]), x.shape)
        self.assertEqual(len(points), len(x))
        perplexity = min(30, (len(x) - 1) / 3)
        self.assertAlmostEqual(quality["perplexity"], perplexity)
        self.assertAlmostEqual(quality["trustworthiness"], trustworthiness(x, points, n_neighbors=5), places=6)
        centered = x - x.mean(axis=0)
        u, s, _ = np.linalg.svd(centered, full_matrices=False)
        self.assertAlmostEqual(quality["trustworthiness_of_pca"],
                               trustworthiness(x, u[:, :2] * s[:2], n_neighbors=5), places=6)
        # A drawing is one of many local minima, which one by chance: theirs differ by a tenth and more.
        theirs = [TSNE(method="exact", init="pca", learning_rate="auto", perplexity=perplexity, random_state=seed)
                  for seed in range(5)]
        trusted = [trustworthiness(x, one.fit_transform(x), n_neighbors=5) for one in theirs]
        self.assertLess(quality["kl_divergence"], 1.03 * max(one.kl_divergence_ for one in theirs))
        self.assertGreater(quality["trustworthiness"], min(trusted) - 0.01)
        return points

    def test_a_recording_of_a_host_is_drawn_as_well_as_by_scikit_learn(self):
        self.check(self.features(FIXTURE), self.embedding(FIXTURE)["tables"])

    def test_several_runs(self):
        recordings = [self.record("a", bursts(1), interval_s=0.1), self.record("b", bursts(2) * 1.01, interval_s=0.1)]
        tables = self.embedding(*recordings)["tables"]
        x = self.features(*recordings)
        self.check(x, tables)
        run = np.array([row["recording"] for row in tables["points"]])
        near = NearestNeighbors(n_neighbors=5).fit(x).kneighbors(return_distance=False)
        for row in tables["recordings"]:
            own = run == row["recording"]
            self.assertEqual((row["windows"], row["drawn"]), (own.sum(), own.sum()))
            self.assertAlmostEqual(row["neighbors_of_same"], (run[near[own]] == row["recording"]).mean(), places=9)
            self.assertAlmostEqual(row["by_chance"], (own.sum() - 1) / (len(x) - 1))

    def test_the_divergence_is_that_of_the_points(self):
        recording = self.record("a", bursts(1), interval_s=0.1)
        tables = self.embedding(recording)["tables"]
        x = self.features(recording)
        far = ((x[:, None] - x[None]) ** 2).sum(axis=2)
        perplexity = tables["quality"][0]["perplexity"]
        p = np.zeros_like(far)
        for i, row in enumerate(far):
            others = np.arange(len(x)) != i
            low, high = 0, 100
            for _ in range(100):
                narrow = (low + high) / 2
                share = np.exp(-narrow * (row[others] - row[others].min()))
                share /= share.sum()
                entropy = -(share[share > 0] * np.log(share[share > 0])).sum()
                low, high = (narrow, high) if entropy > np.log(perplexity) else (low, narrow)
            p[i, others] = share
        p = (p + p.T) / (2 * len(x))
        points = np.array([[row["x"], row["y"]] for row in tables["points"]])
        q = 1 / (1 + ((points[:, None] - points[None]) ** 2).sum(axis=2))
        np.fill_diagonal(q, 0)
        q /= q.sum()
        apart = ~np.eye(len(x), dtype=bool)
        want = (p[apart] * np.log(np.maximum(p[apart], 1e-300) / q[apart])).sum()
        self.assertAlmostEqual(tables["quality"][0]["kl_divergence"], want, delta=1e-3 * want)

    def test_windows_of_findings_are_marked(self):
        recording = self.record("a", bursts(1), interval_s=0.1)
        self.printed("analyze", recording, "--no-html")
        report = json.loads((recording / "report.json").read_text(encoding="utf-8"))
        want = {window["id"]: state for key, state in (("low_confidence", "of low confidence"),
                                                       ("changes", "in a change"), ("findings", "in a finding"))
                for finding in report[key] for window in finding["windows"]}
        tables = self.embedding(recording)["tables"]
        found = {row["window"]: row["state"] for row in tables["points"] if row["state"]}
        self.assertTrue(want)
        self.assertEqual(found, want)
        self.assertEqual(tables["recordings"][0]["marked"], len(want))

    def test_it_is_the_same_each_time(self):
        recording = self.record("a", bursts(1), interval_s=0.1)
        self.assertEqual(self.embedding(recording), self.embedding(recording))

    def test_of_many_windows_some_are_drawn(self):
        long = self.record("long", noise(1, 1500, 2), interval_s=1)
        found = self.embedding(long, "--window", "5s", "--stride", "1s")
        (row,) = found["tables"]["recordings"]
        self.assertEqual((row["windows"], row["drawn"]), (1496, 1000))
        windows = [point["window"] for point in found["tables"]["points"]]
        self.assertEqual(set(np.diff(windows)), {1, 2})
        self.assertIn("1000 of 1496 windows are drawn", " ".join(found["notes"]))

    def test_the_page_has_the_points(self):
        recordings = [self.record("a", bursts(1), interval_s=0.1), self.record("b", bursts(2), interval_s=0.1)]
        self.printed("study", "embedding", *recordings, "-o", "out")
        points = json.loads((self.folder / "out" / "embedding.json").read_text(encoding="utf-8"))["tables"]["points"]
        page = (self.folder / "out" / "embedding.html").read_text(encoding="utf-8")
        circles = re.findall(r'<circle class="(p\d)( m\d)?" cx="([\d.]+)" cy="([\d.]+)"', page)
        self.assertEqual(len(circles), len(points))
        self.assertEqual(Counter(color for color, *_ in circles), Counter(
            "p0" if row["recording"] == str(recordings[0]) else "p1" for row in points))
        self.assertEqual(sum(bool(mark) for _, mark, *_ in circles), sum(bool(row["state"]) for row in points))
        # One scale for both axes: distances are drawn in proportion.
        plain = np.array([[float(x), float(y)] for _, mark, x, y in circles if not mark])
        want = np.array([[row["x"], -row["y"]] for row in points if not row["state"]])
        ratio = (plain - plain[0])[1:] / (want - want[0])[1:]
        np.testing.assert_allclose(np.median(ratio, axis=0), np.median(ratio), rtol=0.01)

    def test_wrong_use(self):
        short = self.record("short", noise(1, 40), interval_s=0.1)
        self.assert_complains(self.reveal("study", "embedding", short), TOO_LITTLE, str(short), "record longer")

    def test_the_document_names_every_field(self):
        text = (REPOSITORY / "docs" / "how_to" / "study.md").read_text(encoding="utf-8")
        self.assertIn("`embedding`", text)
        for table, rows in self.embedding(self.record("a", bursts(1), interval_s=0.1))["tables"].items():
            for word in (table, *rows[0]):
                self.assertIn(f"`{word}`", text)


if __name__ == "__main__":
    unittest.main()
