"""reveal report --since: what an agent saw, from the files that it has, in the zone of the host."""

import json
import os
import unittest
from datetime import datetime, timedelta, timezone

from reveal_process import RevealTest

FAILED, USAGE = 1, 2
SECOND = 1_000_000_000
NOON = datetime(2024, 11, 24, 12, tzinfo=timezone.utc)


def ns(moment):
    return int(moment.timestamp()) * SECOND


class LookBackTest(RevealTest):
    def setUp(self):
        super().setUp()
        self.agent = self.folder / "agent"
        (self.agent / "state/watched").mkdir(parents=True)
        self.environment = {**os.environ, "TZ": "XXX-1"}  # an hour east of Greenwich

    def add_finding(self, number, begin, seconds, **more):
        name = f"01{number:024}"
        folder = self.agent / "findings" / begin.strftime("%Y/%m/%d") / name
        folder.mkdir(parents=True)
        begin_ns, end_ns = ns(begin), ns(begin + timedelta(seconds=seconds))
        finding = {"schema": "reveal.finding", "schema_version": 1, "id": name, "revision": 1, "open": False,
                   "host": "n017", "begin_ns": begin_ns, "end_ns": end_ns, "windows_begin_ns": begin_ns,
                   "windows_end_ns": end_ns, "sentences": [], "severity_word": "minor", "claim": "Tasks waited",
                   "subsystem": "storage", "remedy": "", "patterns": [], "culprit": "", "work_lost_seconds": None}
        (folder / "finding.json").write_text(json.dumps({**finding, **more}))
        return name

    def watch(self, day, *spans):
        spans = [{"begin_ns": ns(begin), "end_ns": ns(end), "state": state, "cpu_s": 36.0, "resident_bytes": 50_000_000}
                 for begin, end, state in spans]
        file = self.agent / f"state/watched/{day}.json"
        file.write_text(json.dumps({"schema": "reveal.watched", "schema_version": 1, "host": "n017",
                                    "missing_sources": ["nfs"], "spans": spans}))

    def report(self, *words):
        return self.reveal("report", "--directory", self.agent, *words, env=self.environment)

    def test_joins_counts_and_says_what_it_does_not_know(self):
        first = self.add_finding(1, NOON, 20, severity_word="major", work_lost_seconds=4.5, culprit="backup.service")
        second = self.add_finding(2, NOON + timedelta(seconds=50), 5)
        third = self.add_finding(3, NOON + timedelta(hours=3), 5, open=True, culprit="backup.service")
        self.add_finding(4, NOON + timedelta(days=1), 5)
        self.watch("2024-11-24", (NOON - timedelta(hours=12), NOON, "judging"),
                   (NOON, NOON + timedelta(hours=12), "judging"))
        words = ["--since", "2024-11-24", "--until", "2024-11-25"]
        out = self.report(*words, "--json")
        self.assert_status(out, 0)
        digest = json.loads(out.stdout)
        self.assertEqual(digest["schema"], "reveal.digest")
        self.assertEqual(digest["begin"]["utc"], "2024-11-23T23:00:00.000Z")
        self.assertEqual(digest["end"]["utc"], "2024-11-24T23:00:00.000Z")
        self.assertEqual([[one["id"] for one in incident["findings"]] for incident in digest["incidents"]],
                         [[first, second], [third]])
        self.assertEqual(digest["incidents"][0]["severity_word"], "major")
        self.assertEqual(digest["open"], [third])
        self.assertEqual((digest["work_lost_seconds"], digest["work_lost_unknown"]), (4.5, 2))
        self.assertEqual((digest["judged_seconds"], digest["unwatched_seconds"]), (23 * 3600, 3600))
        self.assertEqual([one["why"] for one in digest["not_judged"]], ["the agent did not run"])
        self.assertAlmostEqual(digest["agent_cpu_seconds"], 36 + 36 * 11 / 12)
        self.assertEqual([(one["culprit"], one["count"]) for one in digest["recurring"]], [("backup.service", 2)])
        self.assertEqual(digest["missing_sources"], ["nfs"])

        text = self.report(*words)
        self.assert_status(text, 0)
        for said in ("n017, 2024-11-24T00:00:00 to 2024-11-25T00:00:00 (local time, 24 h 0 min)",
                     "for 60 min 0 s nobody watched", "3 findings, 2 incidents",
                     "2024-11-24T13:00:00  storage, major", f"reveal explain {first}",
                     "by backup.service: 2 times", "Still open", "nfs"):
            self.assertIn(said, text.stdout)

    def test_is_not_compared_with_a_time_of_which_nothing_is_kept(self):
        self.add_finding(1, NOON, 20)
        self.add_finding(2, NOON - timedelta(days=24), 20)
        self.watch("2024-11-01", (NOON - timedelta(days=23), NOON - timedelta(days=22), "judging"))
        words = ["--since", "2024-11-01", "--until", "2024-11-25"]
        self.assertIn("1 finding, 1 incident; in as long before: not known\n", self.report(*words).stdout)
        digest = json.loads(self.report(*words, "--json").stdout)
        self.assertIsNone(digest["findings_before"])
        self.assertIsNone(digest["judged_before_seconds"])
        self.watch("2024-10-01", (NOON - timedelta(days=54), NOON - timedelta(days=53), "judging"))
        self.assertIn("; in as long before 1, of which nothing was judged\n", self.report(*words).stdout)

    def test_a_finding_that_cannot_be_read_is_counted(self):
        self.add_finding(1, NOON, 20)
        name = self.add_finding(2, NOON, 20)
        (file,) = self.agent.glob(f"findings/*/*/*/{name}/finding.json")
        file.write_text("{")
        out = self.report("--since", "2024-11-24", "--until", "2024-11-25")
        self.assert_status(out, 0)
        self.assertIn("1 finding, 1 incident", out.stdout)
        self.assertIn("1 file cannot be read", out.stdout)

    def test_the_last_day_until_now(self):
        begin = datetime.now(timezone.utc).replace(microsecond=0) - timedelta(hours=1)
        name = self.add_finding(1, begin, 5)
        for since in ("24h", "2h", "yesterday", begin.isoformat()):
            out = self.report("--since", since, "--json")
            self.assert_status(out, 0)
            self.assertEqual(json.loads(out.stdout)["incidents"][0]["findings"][0]["id"], name)
        self.assertEqual(json.loads(self.report("--since", "30m", "--json").stdout)["findings"], 0)

    def test_wrong_words_are_told(self):
        self.assert_complains(self.report("--since", "lately"), USAGE, "--since lately", "is not a time", "yesterday")
        self.assert_complains(self.report("--since", "today", "--until", "x"), USAGE, "--until x", "is not a time")
        self.assert_complains(self.report("--since", "1h", "--until", "2h"), USAGE, "ends before it begins")
        self.assert_complains(self.report("--since", "2000h"), USAGE, "31 days")
        self.assert_complains(self.report("--since", "1h", "r"), USAGE, "--directory")
        self.assert_complains(self.report("--until", "today"), USAGE, "--since")
        self.assert_complains(self.report("--json"), USAGE, "--since")
        self.assert_complains(self.report(), USAGE, "DIR is required")
        self.assert_complains(self.report("--since", "1h", "-o", "x.html"), USAGE, "--output")
        self.assert_complains(self.reveal("report", "--since", "1h", "--directory", "none"), FAILED,
                              "none", "cannot read the agent's folder")
        (self.folder / "empty").mkdir()
        self.assert_complains(self.reveal("report", "--since", "1h", "--directory", "empty"), FAILED,
                              "no agent has worked in this folder")


if __name__ == "__main__":
    unittest.main()
