"""reveal analyze --format: the same analysis as text, as JSON, and as the table of its findings."""

import csv
import json
import unittest

from made_telemetry import TelemetryTest, noise


class AnalyzeFormat(TelemetryTest):
    def setUp(self):
        super().setUp()
        samples = noise(1)
        samples[200:215, (2, 5)] += 40
        self.recording = self.record("burst", samples)

    def without_cost(self, text):
        report = json.loads(text)
        del report["cost"]
        return report

    def test_csv_is_the_table_of_findings(self):
        printed = self.printed("analyze", self.recording, "--format", "csv")
        self.assertEqual(printed, self.printed("export", self.recording, "--table", "findings",
                                               "--format", "csv"))
        self.assertGreater(len(list(csv.DictReader(printed.splitlines()))), 0)
        self.assertTrue((self.recording / "report.json").exists())

    def test_json_is_the_short_form_and_the_file(self):
        long = self.without_cost(self.printed("analyze", self.recording, "--format", "json"))
        self.assertEqual(long, self.without_cost((self.recording / "report.json").read_text()))
        self.assertEqual(long, self.without_cost(self.printed("analyze", self.recording, "--json")))

    def test_text_is_the_default(self):
        lines = self.printed("analyze", self.recording).splitlines()
        named = self.printed("analyze", self.recording, "--format", "text").splitlines()
        self.assertTrue(lines[0].startswith("Reveal report for"))
        self.assertEqual(lines[:-1], named[:-1])  # the last line is the cost

    def test_other_names_are_refused_with_the_list_before_anything_is_read(self):
        for recording in (self.recording, "nowhere"):
            outcome = self.reveal("analyze", recording, "--format", "xml")
            self.assert_complains(outcome, 2, "--format xml", "text, json, csv")
            self.assertEqual(outcome.stdout, "")
        outcome = self.reveal("analyze", self.recording, "--format", "csv", "--json")
        self.assert_complains(outcome, 2, "--json", "--format")


if __name__ == "__main__":
    unittest.main()
