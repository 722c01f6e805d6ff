"""The report for people: in which characters and time zone it is, and what it says is not seen."""

import datetime
import json
import os
import re
import unittest

from reveal_process import REPOSITORY, RevealTest

# Has a finding: swapping, at 16:45:06 UTC.
RECORDING = REPOSITORY / "tests" / "recordings" / "memory" / "host0"
STEADY = REPOSITORY / "tests" / "recordings" / "steady" / "host0"


class ReportText(RevealTest):
    def analyzed(self, *options, recording=RECORDING, **environment):
        """The text, and the bytes of report.json but for the cost, with these variables set."""
        kept = {name: value for name, value in os.environ.items()
                if name not in ("LC_ALL", "LC_CTYPE", "LANG", "TZ")}
        out = self.reveal("analyze", recording, "-o", self.folder, "--no-html", *options,
                          env={**kept, **environment})
        self.assert_status(out, 0)
        report = (self.folder / "report.json").read_text(encoding="utf-8")
        return out.stdout, report.split('"cost"')[0]

    def test_is_ascii_only_if_the_locale_asks(self):
        text, json = self.analyzed(LC_ALL="C.UTF-8")
        self.assertRegex(text, "█+░+ ")
        plain, same = self.analyzed(LC_ALL="C")
        self.assertTrue(plain.isascii())
        self.assertRegex(plain, r"memory +#+\.+ ")
        self.assertRegex(plain, r"\(\+- \d+\)")
        self.assertEqual(same, json)
        unset, _ = self.analyzed()
        self.assertFalse(unset.isascii())

    def test_local_times_are_in_the_text_alone(self):
        utc, json = self.analyzed()
        local, same = self.analyzed("--local", TZ="XST-5:45")
        self.assertEqual(same, json)
        begins = []
        for text, zone in ((utc, "UTC"), (local, "local time")):
            found = re.search(rf"  (\d\d:\d\d:\d\d\.\d) to \d\d:\d\d:\d\d\.\d {zone} \(", text)
            self.assertTrue(found, text)
            begins.append(datetime.datetime.strptime(found[1], "%H:%M:%S.%f"))
        self.assertEqual((begins[1] - begins[0]).total_seconds(), (5 * 60 + 45) * 60)
        self.assertRegex(local, r"Recorded .* at 2026-11-22T22:29:\d\d\.\d+\+05:45, ")

    def test_tells_the_day_if_it_lasts_longer_than_one(self):
        begin = datetime.datetime(2023, 11, 14, 22, 13, 20)
        table = self.folder / "week.csv"
        with open(table, "w", encoding="utf-8") as out:
            out.write("time,load\n")
            for i in range(400):
                value = 90 if 200 <= i < 240 else 10 + i % 7 / 7
                out.write(f"{begin + i * datetime.timedelta(minutes=30)},{value}\n")
        recording = self.folder / "week"
        self.assert_status(self.reveal("import", table, "-o", recording), 0)
        text, _ = self.analyzed(recording=recording)
        self.assertRegex(text, r"  2023-11-\d\d \d\d:\d\d:20\.0 to 2023-11-\d\d \d\d:\d\d:20\.0 UTC \(")
        explained = self.reveal("explain", recording, "1")
        self.assert_status(explained, 0)
        self.assertRegex(explained.stdout.splitlines()[0], r", 2023-11-\d\d [\d:.]+ to 2023-11-\d\d ")
        short, _ = self.analyzed()
        self.assertNotRegex(short, r"\d\d\d\d-\d\d-\d\d \d\d:")

    def test_tells_what_moved_along(self):
        text, _ = self.analyzed()
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        swapping = next(one for one in report["findings"] if "swap" in one["claim"])
        (disk,) = [one for one in swapping["companions"] if one["subsystem"] == "storage"]
        self.assertRegex(disk["channel"], "^storage_(written|writes)")
        self.assertGreater(disk["correlation"], 0.8)
        self.assertLess(disk["usual_correlation"], 0.5)
        self.assertGreater(disk["observed"], 10 * disk["usual"])
        sentences = swapping["moved_along"].split("Along with it: ")[1:]
        self.assertEqual(len(sentences), len(swapping["companions"]))
        explained = self.reveal("explain", RECORDING, str(swapping["finding"]))
        self.assert_status(explained, 0)
        for words in (text, explained.stdout):
            for sentence in sentences:
                self.assertIn(" ".join(sentence.split()), " ".join(words.split()))

    def test_says_why_what_is_not_seen_is_not_seen(self):
        text, _ = self.analyzed()
        rows = re.search(r"\nNot seen  (\d+) metrics of (\d+) sources; .*\n((?:  .*\n)+)", text)
        self.assertTrue(rows, text)
        self.assertIn("127  no NVIDIA driver on this host\n", rows[3])
        # Four sources with 2 + 19 + 29 + 3 metrics have this reason.
        self.assertIn("53  no InfiniBand or RoCE adapter\n", rows[3])
        self.assertEqual(text.count("Not seen"), 1)

    def test_says_what_its_counts_and_votes_are(self):
        text, json = self.analyzed()
        self.assertRegex(text, r"\n +\d+ of \d+ channels\. The others tell nothing more: \d+ never moved\.\n"
                               r" +\d+ metric-feature pairs, such as a channel's mean in a window\.\n")
        self.assertRegex(text, r"\nA healthy run of this kind, [\d.]+ (s|min)( [\d.]+ s)? long, has .* by chance\.\n")
        voters = re.search(r"\n +\d of 6 votes: (Saturation .*)\.\n", text)
        self.assertTrue(voters, text)
        self.assertNotIn("_", voters[1])
        legend = re.search(r"\nVotes are of detectors.* A finding takes 2\.\n((?:  .+\n)+)", text)
        self.assertTrue(legend, text)
        told = [line[2:19].strip() for line in legend[1].splitlines()]
        self.assertEqual([re.sub(r" \(.*", "", one) for one in voters[1].split(", ")], told)
        self.assertIn('"saturation"', json)  # programs go by names that stay

    def test_does_not_say_that_what_is_compared_with_a_baseline_tells_nothing(self):
        baseline = self.folder / "good.rvb"
        self.assert_status(self.reveal("baseline", "save", STEADY, "-o", baseline), 0)
        text, _ = self.analyzed("--baseline", baseline, recording=STEADY)
        self.assertRegex(text, r"\n +\d+ of \d+ channels, those that the baseline knows: \d+ never moved\.\n")

    def test_has_one_curve_and_only_of_findings(self):
        text, _ = self.analyzed()
        self.assertEqual(len(re.findall("^  .*[▁▂▃▄▅▆▇█]{40}", text, flags=re.M)), 1)
        quiet, _ = self.analyzed(recording=STEADY)
        self.assertIn("No anomaly", quiet)
        self.assertNotRegex(quiet, "[▁▂▃▄▅▆▇█]")


if __name__ == "__main__":
    unittest.main()
