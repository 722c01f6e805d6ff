"""Analyzing a recording says what watching it live has said, byte for byte except the cost."""

import difflib
import itertools
import json
import pathlib
import shutil
import tempfile
import time
import unittest

from moving_host import MovingHost
from reveal_process import INTERVAL, WINDOWS, RevealTest, shown

# Live runs beside a burst; the last takes the plan that the first one has saved.
VARIANTS = {
    "plain": [],
    "by_rank": ["--threshold", "off", "--agreement", "1"],
    "pruned": ["--select", "prune"],
    "planned": ["--select", "plan.json"],
}


def before_cost(text):
    head, mark, _ = text.partition('  "cost": {')
    assert mark, "a report without a cost section"
    return head


def differences(live, replayed):
    """The first lines that differ; a whole report would drown them."""
    lines = difflib.unified_diff(live.splitlines(), replayed.splitlines(), "live", "replayed",
                                 lineterm="", n=0)
    return "\n".join(itertools.islice(lines, 40))


class LiveEqualsReplay(RevealTest):
    def setUp(self):
        super().setUp()
        self.host = MovingHost(self.folder / "host")

    def start_run(self, name, options):
        return self.start("run", "-q", "-o", name, "--duration", "4500ms", *INTERVAL, *WINDOWS,
                          *options, *self.host.roots)

    def watch(self, names):
        """Runs these variants at once beside a burst; returns what each printed."""
        running = {name: self.start_run(name, VARIANTS[name]) for name in names}
        time.sleep(2.5)
        self.host.burst.set()
        time.sleep(0.6)
        self.host.burst.clear()
        return {name: self.finish(process) for name, process in running.items()}

    def assert_replays(self, name, live, options):
        self.assert_status(live, 0)
        saved = self.folder / name / "report.json"
        live_json = saved.read_text()
        replayed = self.reveal("analyze", name, *WINDOWS, *options)
        self.assert_status(replayed, 0)
        self.assertEqual(replayed.stderr, "")
        replayed_json = saved.read_text()
        self.assertTrue(before_cost(replayed_json) == before_cost(live_json),
                        differences(live_json, replayed_json))
        one, two = json.loads(live_json), json.loads(replayed_json)
        self.assertEqual(one.pop("cost").keys(), two.pop("cost").keys())
        self.assertTrue(one == two, differences(live_json, replayed_json))
        self.assertEqual(replayed.stdout.splitlines()[:-1], live.stdout.splitlines()[:-1])
        self.assertTrue(live.stdout.splitlines()[-1].startswith("Cost: "), shown(live))
        return one

    def test_every_variant(self):
        with self.host:
            live = self.watch(["plain", "by_rank", "pruned"])
            shutil.copy(self.folder / "plain" / "selection.json", self.folder / "plan.json")
            live |= self.watch(["planned"])
        reports = {}
        for name in VARIANTS:
            with self.subTest(variant=name):
                reports[name] = self.assert_replays(name, live[name], VARIANTS[name])
        with self.subTest("what the variants are for"):
            self.assertIn("storage", [f["subsystem"] for f in reports["plain"]["findings"]],
                          shown(live["plain"]))
            self.assertGreaterEqual(len(reports["by_rank"]["findings"]), 1)
            self.assertLess(reports["pruned"]["analyzed"]["channels_analyzed"],
                            reports["plain"]["analyzed"]["channels_analyzed"])
            self.assertEqual(reports["planned"]["configuration"]["selection"], "plan")

    def test_a_run_in_which_nothing_happens(self):
        # A busy machine may disturb the ticks themselves, so one calm run of three is enough.
        calm = ["--agreement", "3"]
        self.enterContext(self.host)
        for name in ("first", "second", "third"):
            live = self.finish(self.start_run(name, calm))
            report = self.assert_replays(name, live, calm)
            self.assertEqual(report["findings"] == [], "No anomaly" in live.stdout, shown(live))
            if not report["findings"]:
                return
        self.fail("three runs in which nothing happened, and findings in each" + shown(live))

    def test_the_cost_of_a_replay_has_a_wall_time(self):
        with self.host:
            live = self.watch(["plain"])["plain"]
        self.assert_status(live, 0)
        self.reveal("analyze", "plain", *WINDOWS)
        cost = json.loads((self.folder / "plain" / "report.json").read_text())["cost"]
        self.assertGreater(cost["cpu_seconds"], 0)
        # One thread does the work, so it cannot have computed for longer than it has run.
        self.assertGreaterEqual(cost["wall_seconds"], 0.5 * cost["cpu_seconds"])

    def test_json_on_stdout_is_the_file(self):
        with self.host:
            self.watch(["plain"])
        elsewhere = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        before = (self.folder / "plain" / "report.json").read_text()
        out = self.reveal("analyze", "plain", *WINDOWS, "--json", "-o", elsewhere)
        self.assert_status(out, 0)
        self.assertEqual(out.stdout, (elsewhere / "report.json").read_text())
        self.assertTrue((elsewhere / "selection.json").exists())
        self.assertEqual((self.folder / "plain" / "report.json").read_text(), before)


if __name__ == "__main__":
    unittest.main()
