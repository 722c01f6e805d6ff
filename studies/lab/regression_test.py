"""Recordings of the lab's faults, kept: what was found of them once is found for ever.

`tests/recordings/NAME` has a scenario's truth.json and its recordings; expected.json says, of each,
which faults are found, by their own subsystem first, what they look like, and how many findings are
false. What a change makes better is put there; what it makes worse fails here.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import score

REVEAL = os.environ["REVEAL"]
RECORDINGS = pathlib.Path(__file__).resolve().parents[2] / "tests" / "recordings"


def looks_like(folder: pathlib.Path, truth: dict) -> set[str]:
    """Of each fault, the patterns of the findings that overlap it, where nothing argues against them."""
    out = set()
    for host in range(truth["hosts"]):
        report = json.loads((folder / f"host{host}" / "report.json").read_text(encoding="utf-8"))
        for finding in report["findings"]:
            names = [one["name"] for one in finding["patterns"] if not one["against"]]
            out |= {f"{event['fault']} {event['strength']:g}: {name}" for event in truth["faults"] for name in names
                    if finding["begin"]["ns"] < event["end_ns"] and finding["end"]["ns"] > event["begin_ns"]}
    return out


def outcome_of(folder: pathlib.Path) -> dict:
    """What reveal makes of the scenario, in the form of expected.json."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="reveal_lab_") as scratch:
        copy = pathlib.Path(scratch) / folder.name
        shutil.copytree(folder, copy)
        for host in range(truth["hosts"]):
            subprocess.run([REVEAL, "analyze", "--no-html", copy / f"host{host}"], check=True,
                           stdout=subprocess.DEVNULL)
        tally = score.tally(copy)
        patterns = looks_like(copy, truth)
    return {
        "found": sorted({f"{one.fault} {one.strength:g}" for one in tally.outcomes if one.found}),
        "first": sorted({f"{one.fault} {one.strength:g}" for one in tally.outcomes if one.first}),
        "patterns": sorted(patterns),
        "false": tally.false_findings,
    }


class RegressionTest(unittest.TestCase):
    def test_nothing_is_worse_than_it_was(self):
        expected = json.loads((RECORDINGS / "expected.json").read_text(encoding="utf-8"))
        folders = sorted(path.parent for path in RECORDINGS.glob("*/truth.json"))
        self.assertEqual(sorted(expected), [folder.name for folder in folders])
        for folder in folders:
            with self.subTest(folder.name):
                now, then = outcome_of(folder), expected[folder.name]
                self.assertLessEqual(set(then["found"]), set(now["found"]), now)
                self.assertLessEqual(set(then["first"]), set(now["first"]), now)
                self.assertLessEqual(set(then["patterns"]), set(now["patterns"]), now)
                self.assertLessEqual(now["false"], then["false"], now)


if __name__ == "__main__":
    unittest.main()
