"""reveal baseline: what one run shows to be usual, kept in a file, and others compared with it."""

import json
import pathlib
import re
import shutil
import unittest

import numpy as np

from made_telemetry import START_S, TelemetryTest, noise
from reveal_process import REPOSITORY, shown

REFUSED = 1
USAGE = 2
DETECTORS = ("robust_outlier_share", "outlier_share", "pca_mahalanobis", "pca_residual")
LIFTED = "load_4"


def lifted_all_along(seed):
    """A disturbance that lasts from the first tick to the last."""
    samples = noise(seed)
    samples[:, 4] += 40
    return samples


class BaselineTest(TelemetryTest):
    def setUp(self):
        super().setUp()
        self.good = self.record("good", noise(2))
        self.baseline = self.folder / "good.baseline"
        self.saved = self.printed("baseline", "save", self.good, "-o", self.baseline)

    def analyzed(self, recording, *options):
        """The report of `reveal analyze`, without its cost."""
        report = json.loads(self.printed("analyze", recording, "--json", *options))
        del report["cost"]
        return report

    def compared(self, recording):
        return self.analyzed(recording, "--baseline", self.baseline)


class WhatItKnows(BaselineTest):
    def test_show_says_what_save_said(self):
        self.assertEqual(self.printed("baseline", "show", self.baseline), self.saved)

    def test_it_names_host_time_windows_and_channels(self):
        for part in ("Baseline of node7", "5 min 0 s at 2026-11-21T10:00:00.000Z",
                     "59 of 10.0 s every 5.0 s, at ticks of 1.0 s", "against the rest",
                     "8 channels (8 moved)"):
            self.assertIn(part, self.saved)

    def test_the_same_recording_gives_the_same_bytes(self):
        self.printed("baseline", "save", self.good, "-o", "again")
        self.assertEqual((self.folder / "again").read_bytes(), self.baseline.read_bytes())

    def test_scores_of_the_whole_run_are_those_of_the_method(self):
        """Fitted on a run as in the paper, a baseline gives the run the scores it has there."""
        table = self.scores(self.good, "--baseline", "run", "--window", "10", "--stride", "5")
        printed = self.printed("baseline", "save", self.good, "-o", "whole", "--baseline", "run")
        self.assertIn("against the whole", printed)
        again = self.scores(self.good, "--baseline", "whole")
        self.assertNotIn("pca_residual", table)
        for name in DETECTORS[:-1]:
            np.testing.assert_allclose(again[name], table[name], rtol=1e-9)
            (figures,) = re.findall(rf"^  {name} +(\S+) +(\S+) +(\S+)$", printed, flags=re.M)
            want = [*np.percentile(table[name], [50, 99]), table[name].max()]
            np.testing.assert_allclose([float(text) for text in figures], want, rtol=1e-3)


class Compared(BaselineTest):
    def test_another_quiet_run_has_no_finding(self):
        for seed in (3, 4, 5):
            recording = self.record(f"quiet{seed}", noise(seed))
            self.assertEqual(self.compared(recording)["findings"], [])

    def test_what_lasts_all_along_is_found_and_blamed(self):
        recording = self.record("lifted", lifted_all_along(3))
        self.assertEqual(self.analyzed(recording)["findings"], [], "a run has only itself")
        (finding,) = self.compared(recording)["findings"]
        self.assertEqual((finding["first_window"], finding["last_window"]), (5, 58))
        first = finding["evidence"][0]
        self.assertEqual(first["channel"], LIFTED)
        self.assertAlmostEqual(first["baseline_median"], 50, delta=2)
        self.assertAlmostEqual(first["observed"], 90, delta=4)
        self.assertIn("(usually ", finding["claim"])

    def test_scores_lead_to_the_same_channel(self):
        recording = self.record("lifted", lifted_all_along(3))
        table = self.scores(recording, "--baseline", self.baseline, "--contributions", "--warm-up",
                            "0")
        self.assertEqual(table["flag"].sum(), 59)
        shares = {name: column for name, column in table.items() if name.startswith("share:")}
        self.assertEqual({max(shares, key=lambda name: shares[name][row]) for row in range(59)},
                         {f"share:{LIFTED}"})

    def test_a_window_is_judged_alone(self):
        """Nothing that a run holds besides changes what a baseline says of a window."""
        recording = self.record("lifted", lifted_all_along(3))
        options = ("--baseline", self.baseline)
        whole = self.scores(recording, *options)
        part = self.scores(recording, *options, "--from", "+250s", "--to", "+261s")
        self.assertEqual(len(part["window"]), 1)
        self.assertEqual(part["begin_ns"][0], (START_S + 250) * 1e9)
        for name in DETECTORS:
            for column in (name, f"{name}_limit", f"{name}_quantile"):
                np.testing.assert_allclose(part[column][0], whole[column][50], rtol=1e-9)

    def test_use_is_analyze_with_it(self):
        recording = self.record("lifted", lifted_all_along(3))
        used = self.printed("baseline", "use", self.baseline, recording).split("\nCost:")[0]
        self.assertFalse((recording / "report.json").exists())  # the run's own stays what it was
        folder = recording / f"against-{pathlib.Path(self.baseline).stem}"
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        del report["cost"]
        analyzed = self.printed("analyze", recording, "--baseline", self.baseline)
        self.assertEqual(used, analyzed.split("\nCost:")[0])
        self.assertIn("Baseline  59 windows of node7 from 2026-11-21T10:00:00.000Z\n", used)
        self.assertEqual(report, self.compared(recording))

    def test_the_report_says_what_it_was_compared_with(self):
        report = self.compared(self.record("quiet", noise(3)))
        self.assertEqual(report["configuration"]["baseline"], "saved")
        saved = report["saved_baseline"]
        self.assertEqual((saved["host"], saved["command"], saved["windows"]), ("node7", "", 59))
        self.assertEqual(saved["begin"]["ns"], START_S * 10**9)
        self.assertEqual(saved["end"]["ns"], (START_S + 300) * 10**9)
        self.assertEqual((saved["absent_channels"], saved["unknown_channels"]), ([], 0))
        self.assertNotIn("saved_baseline", self.analyzed(self.good))

    def test_the_document_names_the_fields_of_that_section_in_their_order(self):
        report = self.compared(self.record("quiet", noise(3)))
        self.assertEqual(list(report)[-1], "saved_baseline")
        text = (REPOSITORY / "docs" / "report.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| (`.*?) \|", text.split("\n## A saved baseline\n")[1], flags=re.M)
        named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
        self.assertEqual(list(report["saved_baseline"]), named)

    def test_a_missing_and_a_new_channel_are_told(self):
        names = [f"load_{i}" for i in range(7)] + ["extra"]
        recording = self.record("other", lifted_all_along(3), names)
        report = self.compared(recording)
        self.assertEqual(report["saved_baseline"]["absent_channels"], ["load_7"])
        self.assertEqual(report["saved_baseline"]["unknown_channels"], 1)
        (finding,) = report["findings"]
        channels = [item["channel"] for item in finding["evidence"]]
        self.assertEqual(channels[0], LIFTED)
        self.assertTrue(set(channels) <= set(names[:7]), channels)
        text = self.printed("analyze", recording, "--baseline", self.baseline)
        self.assertIn("; 1 channel of it not in this run; 1 channel not in it\n", text)
        table = self.scores(recording, "--baseline", self.baseline, "--contributions")
        shares = [name for name in table if name.startswith("share:")]
        self.assertEqual(shares, [f"share:{name}" for name in names[:7]])
        np.testing.assert_allclose(sum(table[name] for name in shares), 1, atol=1e-12)


def another_boot(seed):
    """A quiet run in which each channel has a level of its own, 5 standard deviations of its noise
    from run to run."""
    return noise(seed) + np.random.default_rng(1000 + seed).normal(0, 10, 8)


class SeveralRuns(BaselineTest):
    GOOD = range(10, 18)

    def save(self, *runs, options=()):
        return self.printed("baseline", "save", *runs, "-o", "all.baseline", *options)

    def good_runs(self):
        return [self.record(f"good{seed}", another_boot(seed)) for seed in self.GOOD]

    def test_what_differs_from_run_to_run_is_no_finding_and_what_does_not_is_one(self):
        good = self.good_runs()
        quiet = self.record("quiet", another_boot(30))
        self.save(good[0])
        self.assertEqual(len(self.analyzed(quiet, "--baseline", "all.baseline")["findings"]), 1)
        self.save(*good)
        report = self.analyzed(quiet, "--baseline", "all.baseline")
        self.assertEqual(report["findings"], [])
        self.assertEqual(report["saved_baseline"]["runs"], len(good))
        faulty = another_boot(31)
        faulty[100:200, 2:5] += 120
        report = self.analyzed(self.record("faulty", faulty), "--baseline", "all.baseline")
        (finding,) = report["findings"]
        self.assertIn(finding["evidence"][0]["channel"], ("load_2", "load_3", "load_4"))
        self.assertGreaterEqual(finding["first_window"], 18)
        self.assertLessEqual(finding["last_window"], 40)

    def test_it_says_how_many_and_when(self):
        good = self.good_runs()[:3]
        told = self.save(*good)
        self.assertEqual(self.printed("baseline", "show", "all.baseline"), told)
        for part in ("Recorded  3 runs between 2026-11-21T10:00:00.000Z and "
                     "2026-11-21T10:05:00.000Z", "177 of 10.0 s", "each against the other runs"):
            self.assertIn(part, told)
        text = self.printed("analyze", good[0], "--baseline", "all.baseline")
        self.assertIn("Baseline  177 windows of 3 runs of node7 from", text)

    def test_the_order_of_channels_does_not_matter(self):
        names = [f"load_{i}" for i in range(8)]
        samples = another_boot(11)
        turned = self.record("turned", samples[:, ::-1], names[::-1])
        same = self.record("same", samples)
        first = self.record("first", another_boot(10))
        self.save(first, same)
        want = self.scores(same, "--baseline", "all.baseline", "--contributions")
        self.save(first, turned)
        got = self.scores(same, "--baseline", "all.baseline", "--contributions")
        for name, column in want.items():
            np.testing.assert_allclose(got[name], column, rtol=1e-9, err_msg=name)

    def test_redundant_channels_are_left_out_where_that_is_asked_for(self):
        def with_twin(seed):
            samples = noise(seed)
            samples[:, 7] = 3 * samples[:, 0]
            return samples
        runs = [self.record(f"twin{seed}", with_twin(seed)) for seed in (10, 11)]
        told = self.save(*runs, options=("--select", "prune"))
        self.assertIn("7 channels (7 moved)", told)

    def test_hosts_that_differ_are_told(self):
        other = self.record("elsewhere", noise(12), host="node8")
        self.assertIn("Baseline of several hosts\n", self.save(self.good, other))

    def test_what_cannot_be_joined(self):
        other = self.record("other", noise(3))
        slow = self.record("slow", noise(3), interval_s=2)
        tiny = self.record("tiny", noise(3, ticks=80))
        for status, words, parts in (
                (USAGE, [self.good, self.good], ["a recording is given twice"]),
                (USAGE, [self.good, other, "--baseline", "run"], ["run is for one recording"]),
                (USAGE, [self.good, slow], ["ticks of 1.0 s in one run, of 2.0 s in another"]),
                (3, [self.good, tiny], ["tiny", "too few to learn the usual values"]),
                (REFUSED, [self.good, self.folder / "gone"], ["gone"])):
            outcome = self.reveal("baseline", "save", "-o", "new", *words)
            self.assert_complains(outcome, status, *parts)
        self.assertFalse((self.folder / "new").exists())

    def test_a_learned_run_is_counted(self):
        other = self.record("other", noise(3))
        self.assertIn("Recorded  2 runs between",
                      self.printed("baseline", "learn", self.baseline, other))

    def test_what_good_runs_do_at_a_moment_is_usual_then_and_only_then(self):
        def busy_at(seed, *spans):
            samples = another_boot(seed)
            for begin in spans:
                samples[begin:begin + 30, 2:6] += 90
            return samples
        self.save(*(self.record(f"good{seed}", busy_at(seed, 100)) for seed in self.GOOD),
                  options=("--accept-findings",))
        then = self.analyzed(self.record("then", busy_at(30, 100)), "--baseline", "all.baseline")
        self.assertEqual(then["findings"], [])
        later = self.analyzed(self.record("later", busy_at(30, 100, 200)), "--baseline", "all.baseline")
        (finding,) = later["findings"]
        self.assertGreaterEqual(finding["first_window"], 38)  # the first that holds tick 200


class Learned(BaselineTest):
    def test_what_lasts_all_along_is_usual_once_it_is_learned(self):
        recording = self.record("lifted", lifted_all_along(3))
        self.assertEqual(len(self.compared(recording)["findings"]), 1)
        told = self.printed("baseline", "learn", self.baseline, recording)
        self.assertIn("118 of 10.0 s", told)
        self.assertEqual(self.printed("baseline", "show", self.baseline), told)
        again = self.record("again", lifted_all_along(4))
        self.assertEqual(self.compared(again)["findings"], [])

    def test_a_forest_learns_nothing_of_too_short_a_run_and_the_file_is_left_alone(self):
        forest = self.folder / "forest.baseline"
        self.printed("baseline", "save", self.good, "-o", forest, "--detectors", "zscore,isolation_forest")
        before = forest.read_bytes()
        short = self.record("short", noise(9, ticks=200))
        outcome = self.reveal("baseline", "learn", forest, short)
        self.assert_complains(outcome, 3, "39 windows are too few", "longer run")
        self.assertEqual(forest.read_bytes(), before)


def disturbed(seed):
    """Eight gauges, with a disturbance of 30 s."""
    samples = noise(seed)
    samples[100:130, 2:5] += 120
    return samples


class Guards(BaselineTest):
    """A good run is one without findings, and no run counts twice."""

    def setUp(self):
        super().setUp()
        self.bad = self.record("bad", disturbed(20))

    def test_a_run_with_findings_is_refused_and_says_which(self):
        (finding,) = self.analyzed(self.bad, "--window", "10", "--stride", "5")["findings"]
        outcome = self.reveal("baseline", "save", self.good, self.bad, "-o", "new")
        self.assert_complains(outcome, USAGE, f"{self.bad}: has 1 finding", finding["claim"],
                              f"reveal analyze {self.bad}", "--accept-findings")
        self.assertFalse((self.folder / "new").exists())

    def test_accepted_findings_are_noted(self):
        told = self.printed("baseline", "save", self.good, self.bad, "-o", "new", "--accept-findings")
        self.assertIn("Accepted  1 finding of its runs as usual\n", told)
        self.assertEqual(self.printed("baseline", "show", "new"), told)
        other = self.record("other", noise(21))
        self.assertEqual(self.analyzed(other, "--baseline", "new")["saved_baseline"]["accepted_findings"], 1)
        text = self.printed("analyze", other, "--baseline", "new")
        self.assertIn("          Its runs have 1 finding, accepted as usual when it was saved.\n", text)
        self.assertNotIn("Accepted", self.saved)
        self.assertEqual(self.compared(other)["saved_baseline"]["accepted_findings"], 0)

    def test_learning_asks_the_same(self):
        before = self.baseline.read_bytes()
        outcome = self.reveal("baseline", "learn", self.baseline, self.bad)
        self.assert_complains(outcome, USAGE, f"{self.bad}: has 1 finding", "--accept-findings")
        self.assertEqual(self.baseline.read_bytes(), before)
        told = self.printed("baseline", "learn", self.baseline, self.bad, "--accept-findings")
        self.assertIn("Accepted  1 finding of its runs as usual\n", told)

    def test_a_run_is_learned_once_under_whatever_name(self):
        copied = self.folder / "copied"
        shutil.copytree(self.good, copied)
        self.printed("repair", self.good, "-o", "mended")
        before = self.baseline.read_bytes()
        for same in (self.good, copied, self.folder / "mended"):
            outcome = self.reveal("baseline", "learn", self.baseline, same)
            self.assert_complains(outcome, USAGE, f"{same}: ", "in the baseline already",
                                  "another good run")
        self.assertEqual(self.baseline.read_bytes(), before)
        other = self.record("other", noise(3))
        self.printed("baseline", "learn", self.baseline, other)
        self.assert_complains(self.reveal("baseline", "learn", self.baseline, other), USAGE,
                              "in the baseline already")

    def test_a_copy_is_not_another_run(self):
        copied = self.folder / "copied"
        shutil.copytree(self.good, copied)
        outcome = self.reveal("baseline", "save", self.good, copied, "-o", "new")
        self.assert_complains(outcome, USAGE, f"{copied}: is the same run as {self.good}")
        self.assertFalse((self.folder / "new").exists())

    def test_a_run_that_it_was_made_of_is_told(self):
        other = self.record("other", noise(3))
        self.assertEqual(self.compared(other)["saved_baseline"]["made_of_this_run"], 0)
        self.assertNotIn("made of", self.printed("analyze", other, "--baseline", self.baseline))
        self.assertEqual(self.compared(self.good)["saved_baseline"]["made_of_this_run"], 1)
        self.assertIn("\n          It was made of this run, whose own faults it takes as usual.\n",
                      self.printed("analyze", self.good, "--baseline", self.baseline))
        # A run of which the last quarter is new.
        longer = self.record("longer", np.vstack([noise(2), noise(22, ticks=100)]))
        self.assertEqual(self.compared(longer)["saved_baseline"]["made_of_this_run"], 0.75)
        self.assertIn("          It was made of 75 % of this run,",
                      self.printed("analyze", longer, "--baseline", self.baseline))
        outcome = self.reveal("baseline", "learn", self.baseline, longer)
        self.assert_complains(outcome, USAGE, "75 % of this run is in the baseline already")

    def test_an_older_version_says_what_to_do(self):
        whole = self.baseline.read_bytes()
        old = self.folder / "old"
        old.write_bytes(whole[:8] + b"\x05" + whole[9:])
        outcome = self.reveal("baseline", "show", old)
        self.assert_complains(outcome, REFUSED, "a baseline of version 5, this Reveal reads version 6",
                              "reveal baseline save")


class Refused(BaselineTest):
    def setUp(self):
        super().setUp()
        self.other = self.record("other", noise(3))

    def assert_refused(self, status, recording, baseline, *parts, options=()):
        for words in (["analyze", recording, "--baseline", baseline],
                      ["baseline", "use", baseline, recording],
                      ["scores", recording, "--baseline", baseline]):
            outcome = self.reveal(*words, *options)
            self.assert_complains(outcome, status, *parts)
            self.assertEqual(outcome.stdout, "", shown(outcome))

    def test_another_interval(self):
        recording = self.record("slow", noise(3), interval_s=2)
        self.assert_refused(USAGE, recording, self.baseline, "at ticks of 1.0 s",
                            "at ticks of 2.0 s", "same interval, window and stride")

    def test_windows_features_and_channels_given_beside_it(self):
        for options in (["--window", "20"], ["--stride", "2"], ["--features", "paper"],
                        ["--select", "prune"]):
            self.assert_refused(USAGE, self.other, self.baseline, options[0], "good.baseline",
                                "leave it out", options=options)

    def test_two_baselines(self):
        outcome = self.reveal("baseline", "use", self.baseline, self.other, "--baseline", "run")
        self.assert_complains(outcome, USAGE, "--baseline run", "good.baseline", "leave it out")

    def test_other_channels(self):
        recording = self.record("foreign", noise(3), [f"other_{i}" for i in range(8)])
        self.assert_refused(USAGE, recording, self.baseline, "only 0 of the 8 channels",
                            "load_0, load_1, load_2 and 5 more", "same kind of host")
        few = self.record("few", noise(3)[:, :3])
        self.assert_refused(USAGE, few, self.baseline, "only 3 of the 8 channels")
        half = self.record("half", noise(3)[:, :4])
        self.assertEqual(self.compared(half)["saved_baseline"]["absent_channels"],
                         [f"load_{i}" for i in range(4, 8)])

    def test_files_that_are_no_baseline(self):
        text = self.folder / "text"
        text.write_text("time,a\n1,2\n", encoding="utf-8")
        self.assert_refused(REFUSED, self.other, text, str(text), "not a baseline")
        self.assert_refused(REFUSED, self.other, self.good, str(self.good), "Is a directory")
        self.assert_refused(REFUSED, self.other, "gone", "gone", "No such file")
        for path, part in ((text, "not a baseline"), (self.good, "Is a directory"),
                           ("gone", "No such file")):
            self.assert_complains(self.reveal("baseline", "show", path), REFUSED, str(path), part)

    def test_files_that_are_cut_or_changed(self):
        whole = self.baseline.read_bytes()
        damaged = self.folder / "damaged"
        for length in (0, 5, 8, 11, 23, 24, 1000, len(whole) // 2, len(whole) - 1):
            with self.subTest(length=length):
                damaged.write_bytes(whole[:length])
                part = "cut off" if length >= 8 else "not a baseline"
                self.assert_complains(self.reveal("baseline", "show", damaged), REFUSED,
                                      "damaged: ", part, "reveal baseline save")
        for place in (20, 100, len(whole) // 3, len(whole) // 2, len(whole) - 1):
            with self.subTest(place=place):
                damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 64]) + whole[place + 1:])
                self.assert_complains(self.reveal("baseline", "show", damaged), REFUSED,
                                      "a damaged baseline", "reveal baseline save")
        damaged.write_bytes(whole[:8] + b"\xff" + whole[9:])
        self.assert_refused(REFUSED, self.other, damaged, "version 255", "this Reveal reads")
        damaged.write_bytes(whole + b"more")
        self.assert_complains(self.reveal("baseline", "show", damaged), REFUSED, "damaged: ")

    def test_what_cannot_be_saved(self):
        for baseline in ("past", self.baseline):
            outcome = self.reveal("baseline", "save", self.good, "-o", "new", "--baseline",
                                  baseline)
            self.assert_complains(outcome, USAGE, "--baseline", "choose rest or run")
        short = self.record("short", noise(2, ticks=120))
        outcome = self.reveal("baseline", "save", short, "-o", "new")
        self.assert_complains(outcome, 3, "23 windows are too few", "record for longer")
        outcome = self.reveal("baseline", "save", self.good, "-o", "no/such/folder")
        self.assert_complains(outcome, REFUSED, "no/such/folder", "No such file")
        self.assertFalse((self.folder / "new").exists())


if __name__ == "__main__":
    unittest.main()
