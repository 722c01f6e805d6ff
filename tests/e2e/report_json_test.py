"""report.json is what docs/report.md says: each field that the document names is there, and each
field that is there is named."""

import json
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, PATIENCE_S, REPOSITORY, REVEAL, WINDOWS

DOCUMENT = REPOSITORY / "docs" / "report.md"
FIELDS = REPOSITORY / "docs" / "reference" / "findings.md"
SETTINGS = REPOSITORY / "docs" / "reference" / "settings.md"
NAME = re.compile(r"`([a-z][a-z0-9_.]*)`")
# Words in the text of a table that are other programs' or values', not fields.
# Words of the prose, and what a run has whose work rate is known: this one's is not.
NOT_FIELDS = {"maximum", "saturation", "rate", "block_error", "bias_error", "period_seconds",
              "channels", "error_seconds", "why",
              # what a finding has beside which channels of other subsystems moved: in this one none did
              "moved_with", "correlation", "usual_correlation", "lag_seconds", "usual"}


def tables(text):
    """Returns, by heading ("" before the first "## "), the rows of each section's table."""
    out = {}
    for section in re.split(r"^## ", "\n" + text, flags=re.M):
        heading, _, body = section.partition("\n")
        rows = re.findall(r"^\| (.+?) \| (.+) \|$", body, flags=re.M)
        out[heading.strip()] = [row for row in rows if row[0] not in ("field", "---")]
    return out


def keys_of(value):
    """All keys at any depth."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield key
            yield from keys_of(below)
    elif isinstance(value, list):
        for below in value:
            yield from keys_of(below)


def resolve(value, path):
    for part in path.split("."):
        value = value[part]
    return value


class ReportJson(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """One run with a burst, which all tests look at."""
        # What is tested is the document: a machine too busy to move the host in time gets more tries.
        for _ in range(3):
            cls.report = cls.report_of_a_burst()
            if cls.report["findings"]:
                break
        cls.text = DOCUMENT.read_text(encoding="utf-8")
        # The column of names in report.json.
        cls.settings = re.findall(r"^\| `\w+` \| [^|]* \| `(\w+)` \|",
                                  SETTINGS.read_text(encoding="utf-8"), flags=re.M)
        cls.tables = tables(cls.text)
        cls.fields = {heading: [row for row in rows if "tables only" not in row[1]] for heading, rows
                      in tables(FIELDS.read_text(encoding="utf-8")).items()}

    @staticmethod
    def report_of_a_burst():
        with tempfile.TemporaryDirectory(prefix="reveal_e2e_") as folder, \
             MovingHost(pathlib.Path(folder) / "host") as host:
            out = pathlib.Path(folder) / "r"
            process = subprocess.Popen([REVEAL, "run", "-q", "-o", out, *INTERVAL, *WINDOWS,
                                        *host.roots, "--", "sleep", "4.5"],
                                       stderr=subprocess.DEVNULL)
            time.sleep(2.5)
            host.burst.set()
            time.sleep(0.6)
            host.burst.clear()
            assert process.wait(timeout=PATIENCE_S) == 0
            return json.loads((out / "report.json").read_text(encoding="utf-8"))

    def test_the_run_and_the_document_are_what_this_test_takes_them_for(self):
        # What reports have of a saved baseline is for baseline_test.py, and what only tables have for sql_test.py.
        self.assertEqual(set(self.tables), {"", "A finding", "Severity", "A pattern", "Evidence", "A saved baseline"})
        self.assertEqual(set(self.fields),
                         {"", "Lists of findings", "A finding", "Evidence", "Where evidence was seen"})
        self.assertEqual(self.fields["Where evidence was seen"], [])  # columns of tables alone
        self.assertGreaterEqual(len(self.report["findings"]), 1)

    def assert_table(self, section, value, rows):
        self.assertGreater(len(rows), 1)
        for first, _ in rows:
            for path in NAME.findall(first):
                with self.subTest(section=section, path=path):
                    try:
                        resolve(value, path)
                    except (KeyError, TypeError):
                        self.fail(f"docs/report.md names `{path}`; no report has it")

    def test_the_document_names_nothing_that_is_not_there(self):
        finding = self.report["findings"][0]
        self.assert_table("report", self.report, self.tables[""])
        self.assert_table("lists", self.report, self.fields["Lists of findings"])
        self.assert_table("A finding", finding, self.tables["A finding"] + self.fields["A finding"])
        for item in (finding["evidence"][0], finding["windows"][0]["detectors"][0]["evidence"][0]):
            self.assert_table("Evidence", item, self.fields["Evidence"])
        known = set(keys_of(self.report))
        for rows in self.tables.values():
            for _, meaning in rows:
                for name in NAME.findall(meaning):
                    self.assertTrue(name in known or name in NOT_FIELDS,
                                    f"docs/report.md names `{name}`; no report has it")

    def test_every_field_is_in_the_document(self):
        named = {part for name in NAME.findall(self.text) for part in name.split(".")}
        named |= set(re.findall(r'"([a-z_]+)": …', self.text))
        named |= {name for rows in self.fields.values() for first, _ in rows
                  for name in NAME.findall(first)}
        named |= set(self.report["findings"][0]["subsystem_shares"])
        named |= set(self.settings)
        self.assertEqual(set(keys_of(self.report)) - named, set())

    def test_the_configuration_has_the_settings_of_the_reference(self):
        self.assertEqual(set(self.settings), set(self.report["configuration"]))

    def test_each_section_is_in_the_order_of_the_document(self):
        order = []
        for first, _ in self.tables[""]:
            for path in NAME.findall(first):
                if path.split(".")[0] not in order:
                    order.append(path.split(".")[0])
        self.assertEqual(list(self.report), ["schema", "schema_version", *order])

    def test_numbers_mean_what_the_document_says(self):
        report = self.report
        self.assertEqual((report["schema"], report["schema_version"]), ("reveal.report", 4))
        self.assertEqual(report["run"]["command"], ["sleep", "4.5"])
        self.assertEqual(report["run"]["interval_ns"], 10_000_000)
        self.assertEqual(report["analyzed"]["windows"], len(report["windows"]["id"]))
        self.assertEqual(len(report["windows"]["id"]), len(report["windows"]["begin_ns"]))
        for detector in report["detectors"]:
            self.assertEqual(len(detector["scores"]), report["analyzed"]["windows"])
            self.assertLessEqual(set(detector["windows_flagged"]), set(report["windows"]["id"]))
        for finding in report["findings"] + report["changes"]:
            self.check_finding(finding)

    def check_finding(self, finding):
        shares = finding["subsystem_shares"]
        self.assertEqual(set(shares), {"cpu", "gpu", "memory", "network", "storage", "unknown"})
        self.assertAlmostEqual(sum(shares.values()), 1, places=9)
        self.assertEqual(shares[finding["subsystem"]], max(shares.values()))
        self.assertEqual(finding["windows"][0]["id"], finding["first_window"])
        self.assertEqual(finding["windows"][-1]["id"], finding["last_window"])
        votes = {d["name"]: d["votes"] for d in self.report["detectors"]}
        self.assertEqual(votes.get("saturation", 2), 2)
        self.assertEqual(max(sum(votes[d["name"]] for d in w["detectors"]) for w in finding["windows"]),
                         finding["agreement"])
        self.assertEqual({d["name"] for w in finding["windows"] for d in w["detectors"]},
                         set(finding["detectors"]))
        flagged = {d["name"]: set(d["windows_flagged"]) for d in self.report["detectors"]}
        for window in finding["windows"]:
            for detector in window["detectors"]:
                self.assertIn(window["id"], flagged[detector["name"]])
        self.assertIn(finding["claim_channel"].partition("_")[0], finding["subsystem"])
        for item in finding["evidence"]:
            self.assertGreaterEqual(item["contribution"], 0)
            self.assertLessEqual(item["contribution"], 1)


if __name__ == "__main__":
    unittest.main()
