"""The page on what is recorded, the list behind it and the program say the same."""

import collections
import csv
import json
import re
import unittest

from reveal_process import REPOSITORY, RevealTest, fixture

LIST = REPOSITORY / "docs" / "reference" / "signals.csv"
PAGE = REPOSITORY / "docs" / "coverage.md"
COLUMNS = ["signal", "source", "recorded as", "why not"]


def lines():
    with LIST.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def parts(line):
    """What a signal is recorded as: (kind, text) with the kinds metric, fact and event."""
    for part in line["recorded as"].split("; "):
        kind, colon, text = part.partition(": ")
        if colon:
            yield kind, text
        else:
            yield from (("metric", name) for name in part.split())


def stem(subject):
    """What the subjects of all instances begin with: "firmware" of "firmware of DEV"."""
    return re.sub(r" (of (gpu )?)?(BUS_ID|CGROUP|DEV|DEVICE|DISK|NAME)( port N)?$", "", subject)


def source_text():
    folders = [REPOSITORY / "src" / name for name in ("collect", "gpu")]
    files = [file for folder in folders for file in sorted(folder.rglob("*.cc"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files
                     if not file.name.endswith("_test.cc"))


class Signals(RevealTest):
    def test_header_and_names(self):
        with LIST.open(encoding="utf-8", newline="") as file:
            self.assertEqual(next(csv.reader(file)), COLUMNS)
        names = [line["signal"] for line in lines()]
        self.assertEqual(len(names), 912)
        repeated = [name for name, count in collections.Counter(names).items() if count > 1]
        self.assertEqual(repeated, [])

    def test_each_has_a_place_or_a_reason(self):
        for line in lines():
            with self.subTest(line["signal"]):
                self.assertNotIn(None, line)  # more columns than the header
                self.assertTrue(line["source"])
                self.assertNotEqual(bool(line["recorded as"]), bool(line["why not"]))

    def test_metrics_are_those_of_the_program(self):
        out = self.reveal("metrics", "--format", "json", *fixture())
        self.assert_status(out, 0)
        known = {metric["name"] for metric in json.loads(out.stdout)}
        for line in filter(lambda line: line["recorded as"], lines()):
            with self.subTest(line["signal"]):
                named = [text for kind, text in parts(line) if kind == "metric"]
                self.assertEqual([name for name in named if name not in known], [])
                self.assertEqual(len(named), len(set(named)))

    def test_notes_are_those_of_the_program(self):
        code = source_text()
        for line in filter(lambda line: line["recorded as"], lines()):
            for kind, text in parts(line):
                if kind == "metric":
                    continue
                with self.subTest(line["signal"]):
                    self.assertIn(kind, ("fact", "event"))
                    self.assertRegex(code, '"' + re.escape(stem(text)) + r'["\s]')


class Page(RevealTest):
    def test_counts_are_those_of_the_list(self):
        counted = collections.Counter()
        for line in lines():
            for source in (line["source"], "all"):
                counted[source, "recorded" if line["recorded as"] else "not"] += 1
        rows = re.findall(r"^\| (\w+) \|.*\| (\d+) \| (\d+) \| (\d+) \|$",
                          PAGE.read_text(encoding="utf-8"), re.MULTILINE)
        shown = {source: tuple(map(int, numbers)) for source, *numbers in rows}
        self.assertEqual(len(rows), len(shown))
        self.assertEqual(set(shown), {source for source, _ in counted})
        for source, (signals, recorded, missing) in shown.items():
            with self.subTest(source):
                self.assertEqual(recorded, counted[source, "recorded"])
                self.assertEqual(missing, counted[source, "not"])
                self.assertEqual(signals, recorded + missing)

    def test_sentences_count_as_the_table_does(self):
        text = " ".join(PAGE.read_text(encoding="utf-8").split())
        recorded = [line for line in lines() if line["recorded as"]]
        kinds = collections.Counter(next(parts(line))[0] for line in recorded)
        self.assertIn(f"It has {len(lines())} signals.", text)
        self.assertIn(f"{len(recorded)} are recorded, {len(lines()) - len(recorded)} are not.", text)
        self.assertIn(f"{kinds['metric']} are numbers, {kinds['fact']} are facts only and "
                      f"{kinds['event']} is an event only.", text)

    def test_what_is_not_recorded_is_listed_with_its_reason(self):
        _, listed = PAGE.read_text(encoding="utf-8").split("\n## Not recorded\n")
        reason_of = {}
        for item in listed.strip().split("\n\n"):
            names, reason = " ".join(item.removeprefix("- ").split()).split(": ", 1)
            for name in re.findall(r"`([^`]+)`", names):
                reason_of[name] = reason.removesuffix(".")
        self.assertEqual(reason_of,
                         {line["signal"]: line["why not"] for line in lines() if line["why not"]})


if __name__ == "__main__":
    unittest.main()
