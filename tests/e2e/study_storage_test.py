"""reveal study storage: its bytes are those of the files and of reveal info, and its gzip is Python's."""

import gzip
import json
import unittest

import numpy as np

from made_telemetry import TelemetryTest, noise
from reveal_process import REPOSITORY

TOO_LITTLE = 3
FIXTURE = REPOSITORY / "tests" / "recordings" / "steady" / "host0"


class Storage(TelemetryTest):
    def storage(self, *words):
        return json.loads(self.printed("study", "storage", *words, "--json"))["tables"]

    def info(self, recording):
        return json.loads(self.printed("info", recording, "--json"))

    def check(self, recording):
        tables, info = self.storage(recording), self.info(recording)
        seconds = info["span_ns"] / 1e9
        files = sum(file.stat().st_size for file in recording.iterdir() if file.suffix in (".rvs", ".rvj"))
        (row,) = tables["recordings"]
        self.assertEqual((row["bytes"], row["channels"], row["samples"]), (files, info["channels"], info["samples"]))
        self.assertEqual(files, info["segment_bytes"] + info["journal_bytes"])
        gzipped = tables["ways"][1]["bytes"]
        np.testing.assert_allclose(
            [row[key] for key in ("seconds", "bytes_per_second", "bytes_per_sample", "bytes_per_channel_second",
                                  "of_raw", "of_gzip", "of_paper")],
            [seconds, files / seconds, files / info["samples"], files / seconds / info["channels"],
             files / (8 * info["samples"]), files / gzipped, files / seconds / 42_000])
        self.assertEqual([way["bytes"] for way in tables["ways"]], [8 * info["samples"], gzipped, files])
        for way in tables["ways"]:
            np.testing.assert_allclose([way["bytes_per_second"], way["bytes_per_sample"]],
                                       [way["bytes"] / seconds, way["bytes"] / info["samples"]])
        self.check_groups(tables["sources"], info["bytes_by_source"], files, seconds)
        self.assertAlmostEqual(sum(one["bytes"] for one in tables["sources"]), files)
        self.assertAlmostEqual(sum(one["share"] for one in tables["sources"]), 1)
        metrics = {}
        for one in info["bytes_by_channel"]:
            name = one["name"].split("{")[0]
            metrics[name] = metrics.get(name, 0) + one["bytes"]
        self.check_groups(tables["metrics"], [{"name": name, "bytes": of} for name, of in metrics.items()], files, seconds)
        self.assertEqual(sum(one["channels"] for one in tables["metrics"]), info["channels"])
        return tables

    def check_groups(self, rows, wanted, files, seconds):
        key = "source" if "source" in rows[0] else "metric"
        found = {row[key]: row for row in rows if row[key][0] != "("}
        self.assertEqual(set(found), {one["name"] for one in wanted})
        for one in wanted:
            row = found[one["name"]]
            np.testing.assert_allclose([row["bytes"], row["share"], row["bytes_per_second"]],
                                       [one["bytes"], one["bytes"] / files, one["bytes"] / seconds], atol=1e-9)

    def test_a_recording_of_a_host(self):
        tables = self.check(FIXTURE)
        self.assertGreater(len(tables["sources"]), 10)
        samples = {row["metric"]: row["bytes"] / row["bytes_per_sample"] for row in tables["metrics"]
                   if row["bytes_per_sample"]}
        frames = self.info(FIXTURE)["frames"]
        channels = {row["metric"]: row["channels"] for row in tables["metrics"]}
        self.assertTrue(all(number <= frames * channels[name] + 1e-6 for name, number in samples.items()))

    def test_gzip_is_pythons(self):
        samples = np.round(noise(1, 300), 1)
        tables = self.check(self.record("r", samples))
        want = len(gzip.compress(samples.astype("<f8").tobytes(), 6))
        self.assertAlmostEqual(tables["ways"][1]["bytes"] / want, 1, delta=0.002)

    def test_several_recordings_have_rows_each_and_are_summed_by_source(self):
        recordings = [self.record("r", noise(1, 60)), self.record("s", noise(2, 60))]
        together, apart = self.storage(*recordings), [self.storage(one) for one in recordings]
        for table in ("recordings", "ways"):
            self.assertEqual(together[table], [row for one in apart for row in one[table]])
        for table, key in (("sources", "source"), ("metrics", "metric")):
            files = sum(one["recordings"][0]["bytes"] for one in apart)
            for row in together[table]:
                own = [other for one in apart for other in one[table] if other[key] == row[key]]
                self.assertAlmostEqual(row["bytes"], sum(other["bytes"] for other in own))
                self.assertAlmostEqual(row["share"], row["bytes"] / files)
                self.assertAlmostEqual(row["bytes_per_second"], row["bytes"] / 118)

    def test_one_frame_has_no_rate(self):
        one = self.folder / "one"
        self.printed("record", "--quiet", "--interval", "2s", "--duration", "100ms", "-o", one)
        self.assertEqual(self.info(one)["frames"], 1)
        self.assert_complains(self.reveal("study", "storage", one), TOO_LITTLE, str(one), "record longer")

    def test_the_page_draws_the_ways(self):
        recording = self.record("r", noise(1, 60))
        self.printed("study", "storage", recording, "-o", "out")
        page = (self.folder / "out" / "storage.html").read_text(encoding="utf-8")
        self.assertIn("r these by gzip", page)

    def test_the_document_names_every_field(self):
        text = (REPOSITORY / "docs" / "how_to" / "study.md").read_text(encoding="utf-8")
        self.assertIn("`storage`", text)
        for table, rows in self.storage(self.record("r", noise(1, 60))).items():
            for word in (table, *rows[0]):
                self.assertIn(f"`{word}`", text)


if __name__ == "__main__":
    unittest.main()
