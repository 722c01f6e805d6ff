"""reveal study overhead: the figures are those of overhead.py's file, and a file that is none is told where."""

import json
import re
import sys
import unittest

import numpy as np

from reveal_process import REPOSITORY, RevealTest

sys.path.insert(0, str(REPOSITORY / "studies" / "overhead"))

import overhead  # noqa: E402
from overhead import Load, Taken  # noqa: E402

FAILED, USAGE = 1, 2
INTERVALS_MS = (100, 10, 600, 200)
CPU_S = {"reveal": {10: 0.30, 100: 0.12, 200: 0.05, 600: 0.04}, "perf": {10: 0.10, 100: 0.06, 200: 0.03, 600: 0.01}}
FIELDS = ("rounds", "cores", "cores_least", "cores_most", "seconds", "seconds_least", "seconds_most", "slower")


def made(by=("reveal", "perf")):
    """Three rounds of ten seconds each, as the script would have taken them."""
    loads = [Load("none")] + [Load(name, ms) for name in by for ms in INTERVALS_MS]
    taken = [Taken(load, 10 + turn + load.interval_ms / 1e3, turn * CPU_S.get(load.by, {}).get(load.interval_ms, 0),
                   0 if load.by == "none" else 10) for turn in (1, 2, 3) for load in loads]
    rows = [overhead.row(load, taken) for load in loads]
    return overhead.document(["train.py", "--epochs", "1"], rows, taken), rows


class Overhead(RevealTest):
    def file(self, text, name="costs.json"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def studied(self, text):
        out = self.reveal("study", "overhead", self.file(text), "-o", "out", "--json")
        self.assert_status(out, 0)
        return json.loads(out.stdout)

    def test_figures_are_those_of_the_file(self):
        text, rows = made()
        found = self.studied(text)["tables"]["costs"]
        names = {"none": "nothing", "reveal": "reveal record", "perf": "perf stat -a"}
        order = list(names)
        want = sorted(rows, key=lambda row: (order.index(row["by"]), row["interval_ms"]))
        self.assertEqual([row["beside"] for row in found], [names[row["by"]] for row in want])
        for row, of in zip(found, want):
            alone = of["by"] == "none"
            self.assertEqual(row["interval_seconds"], None if alone else of["interval_ms"] / 1e3)
            for field in FIELDS:
                self.assertEqual(row[field], None if alone and field.startswith("cores") else of[field], field)

    def test_text_is_in_shares_of_a_core(self):
        out = self.reveal("study", "overhead", self.file(made()[0]))
        self.assert_status(out, 0)
        self.assertRegex(out.stdout, r"reveal record +100 ms +3 +2\.4 % +1\.2 % +3\.6 % ")
        self.assertIn("CMD: train.py --epochs 1", out.stdout)

    def test_the_interval_from_which_on_it_costs_no_more_than_perf_stat_is_told(self):
        self.assertIn("every 100 ms takes 1.2 % of a core. reveal record takes no more from 200 ms on.",
                      " ".join(self.studied(made()[0])["notes"]))
        uneven = json.loads(made()[0])
        for row in uneven["rows"]:
            if (row["by"], row["interval_ms"]) in (("reveal", 10), ("reveal", 100), ("reveal", 600)):
                row["cores"] = 0.001
            elif row["by"] == "reveal":
                row["cores"] = 0.5
        self.assertIn("no more from 600 ms on", " ".join(self.studied(json.dumps(uneven))["notes"]))
        dear = json.loads(made()[0])
        for row in dear["rows"]:
            row["cores"] *= 10 if row["by"] == "reveal" else 1
        self.assertIn("takes more at each of these intervals", " ".join(self.studied(json.dumps(dear))["notes"]))
        alone = self.studied(made(by=("reveal",))[0])
        self.assertIn("perf stat did not work there", " ".join(alone["notes"]))
        self.assertEqual(len(alone["tables"]["costs"]), 5)

    def test_the_page_draws_both_curves(self):
        costs = self.studied(made()[0])["tables"]["costs"]
        page = (self.folder / "out" / "overhead.html").read_text(encoding="utf-8")
        drawn = {name: np.array([[float(word) for word in point.split(",")] for point in points.split()])
                 for name, points in re.findall(r'<title>([^<]*)</title><polygon [^>]*/><polyline points="([^"]*)"', page)}
        self.assertEqual(set(drawn), {"reveal record", "perf stat -a"})
        most = max(row["cores_most"] or 0 for row in costs)
        for name, points in drawn.items():
            # 780 wide from 90 on for 600 ms, 210 high from 230 on.
            want = [(90 + 780 * row["interval_seconds"] / 0.6, 230 - 210 * row["cores"] / most)
                    for row in costs if row["beside"] == name]
            np.testing.assert_allclose(points, want, atol=0.06)
        self.assertNotIn("<ul>", page)  # no recordings

    def test_a_file_that_is_none_is_told_where(self):
        cases = [("", "is not JSON"), ("{", "is not JSON"), ("[]", "the document is not an object"),
                 ("[" * 1000, "is not JSON"), ("{}", "command is missing"),
                 ('{"command": [], "rows": []}', "rows has none of reveal")]
        for change, said in ((lambda row: row.pop("cores"), "rows[1].cores is missing"),
                             (lambda row: row.update(cores=None), "rows[1].cores is not a number"),
                             (lambda row: row.update(seconds="1"), "rows[1].seconds is neither a number nor null"),
                             (lambda row: row.update(seconds=-1), "rows[1].seconds is below 0"),
                             (lambda row: row.update(interval_ms=0), "rows[1].interval_ms is 0"),
                             (lambda row: row.update(by="top"), "rows[1].by is neither none, reveal nor perf")):
            document = json.loads(made()[0])
            change(document["rows"][1])
            cases.append((json.dumps(document), said))
        for text, said in cases:
            with self.subTest(said=said):
                self.assert_complains(self.reveal("study", "overhead", self.file(text)), FAILED, "costs.json", said,
                                      "overhead.py --json FILE")
        self.assert_complains(self.reveal("study", "overhead", "nowhere"), FAILED, "nowhere")
        self.assert_complains(self.reveal("study", "overhead", self.file(made()[0]), "more"), USAGE, "more", "one file")

    def test_the_document_names_every_field(self):
        text = (REPOSITORY / "docs" / "how_to" / "study.md").read_text(encoding="utf-8")
        self.assertIn("`overhead`", text)
        for table, rows in self.studied(made()[0])["tables"].items():
            for word in (table, *rows[0]):
                self.assertIn(f"`{word}`", text)


if __name__ == "__main__":
    unittest.main()
