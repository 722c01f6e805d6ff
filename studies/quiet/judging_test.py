"""Verdicts, the witness and what is kept of an analysis, on cases worked out by hand."""

import json
import os
import pathlib
import shutil
import stat
import tempfile
import unittest

import folders  # noqa: F401 first: it knows where the other studies are
import harm
import judging
import reports
import verdicts
import witness

S = 1_000_000_000
REVEAL = pathlib.Path(os.environ["REVEAL"]).resolve()
RECORDINGS = folders.STUDIES.parent / "tests" / "recordings"


def steps(seconds, slow=(), ms=100.0):
    """Of a job whose step takes so many ms, and twice as long in the slow stretch."""
    out, at = [], 0.0
    while at < seconds:
        took = ms / 1e3 * (2 if slow and slow[0] <= at < slow[1] else 1)
        out.append((at * S, (at + took) * S))
        at += took
    return harm.Steps(out)


def rows(*others, steal=0.0):
    return tuple(witness.Second((i + 1) * S, 1.0, 0.5, cores, steal) for i, cores in enumerate(others))


def found(begin_s, end_s, work_rate=None, work=None):
    since, until = work or (begin_s, end_s)
    return {"begin_ns": begin_s * S, "end_ns": end_s * S, "work_begin_ns": since * S, "work_end_ns": until * S,
            "work_rate": work_rate}


class VerdictTest(unittest.TestCase):
    def word(self, host, *findings):
        return [one.word for one in verdicts.of_findings(host, findings)]

    def test_a_job_that_lost_a_tenth_was_harmed_whoever_else_was_there(self):
        quiet = verdicts.Host("training", (steps(120, (60, 64)),))
        self.assertEqual(self.word(quiet, found(60, 64), found(90, 94)), [verdicts.HARM, verdicts.FALSE])
        beside = verdicts.Host("training", (steps(120, (60, 64)),), rows(*[0.5] * 120))
        self.assertEqual(self.word(beside, found(60, 64), found(90, 94)), [verdicts.HARM, verdicts.DISTURBED])

    def test_the_job_that_lost_most_is_the_judge(self):
        host = verdicts.Host("machine", (steps(120), steps(120, (60, 64))))
        one = verdicts.of_findings(host, [found(60, 64)])[0]
        self.assertEqual(one.word, verdicts.HARM)
        self.assertAlmostEqual(one.lost, 0.5, delta=0.03)

    def test_without_a_log_and_without_a_witness_a_finding_is_false(self):
        self.assertEqual(self.word(verdicts.Host("build"), found(60, 64)), [verdicts.FALSE])

    def test_what_the_job_did_by_itself_is_told_and_excuses_nothing(self):
        host = verdicts.Host("training", (steps(120),), (), ({"begin_ns": 61 * S, "end_ns": 63 * S, "what": "evaluation"},))
        one, two = verdicts.of_findings(host, [found(60, 64), found(63, 66)])
        self.assertEqual((one.word, one.life, two.life), (verdicts.FALSE, "evaluation", ""))

    def test_a_slow_job_is_told_from_a_rate_of_85_percent_for_three_seconds_on(self):
        for rate, work, told in ((0.85, (10, 13), True), (0.86, (10, 13), False), (0.5, (10, 12), False), (None, None, False)):
            self.assertEqual(verdicts.tells_slow_job(found(10, 14, rate, work)), told)

    def test_the_verdict_on_a_slow_job_is_of_the_stretch_in_which_it_is_said_to_be_slow(self):
        host = verdicts.Host("training", (steps(120, (60, 64)),))
        findings = [found(80, 90, 0.5, (60, 64)), found(60, 64, 0.5, (80, 90)), found(60, 64)]
        self.assertEqual([verdict.word for _, verdict in verdicts.of_slowdowns(host, findings)],
                         [verdicts.HARM, verdicts.FALSE])

    def test_steps_of_a_log_that_counts_are_as_long_as_they_are_on_average(self):
        lines = [{"end_ns": 10 * S, "work": 3}, {"end_ns": 12 * S, "work": 4}, {"end_ns": 13 * S, "work": 0}]
        halves = [(10 * S, 10.5 * S), (10.5 * S, 11 * S), (11 * S, 11.5 * S), (11.5 * S, 12 * S)]
        self.assertEqual(verdicts.stretches(lines), halves)
        self.assertEqual(verdicts.stretches([{"end_ns": 10 * S, "ms": 500}]), [(9.5 * S, 10 * S)])


class WitnessTest(unittest.TestCase):
    def test_means_are_of_what_overlaps(self):
        seen = witness.during(rows(0.0, 0.4, 0.8), round(1.5 * S), round(2.5 * S))
        self.assertAlmostEqual(seen.cores, 0.6)  # half a second of 0.4 and half of 0.8
        self.assertEqual(witness.during(rows(0.5), 10 * S, 12 * S), witness.Others(0.0, 0.0))
        self.assertEqual(witness.during((), 0, S), witness.Others(0.0, 0.0))

    def test_a_burst_in_a_long_stretch_disturbs(self):
        for rate, disturbed in ((0.2, True), (0.19, False)):
            seen = witness.during(rows(*[0.0] * 10, rate, rate, rate, *[0.0] * 10), 0, 23 * S)
            self.assertLess(seen.cores, witness.DISTURBED)
            self.assertEqual(seen.disturbed, disturbed)
        self.assertFalse(witness.during(rows(*[0.0] * 9, 0.55, *[0.0] * 10), 0, 20 * S).disturbed)  # 0.18 in three seconds

    def test_a_tenth_of_a_processor_disturbs_used_or_stolen(self):
        self.assertEqual(witness.disturbed_spans(rows(0.09, 0.1, 0.0)), [(S, 2 * S)])
        self.assertEqual(witness.disturbed_spans(rows(0.0, steal=0.2)), [(0, S)])

    def test_a_second_is_the_difference_of_counts(self):
        one = witness.second(witness.Counts(0, 100, 5, 10 * S, 4 * S), witness.Counts(2 * S, 300, 25, 14 * S, 7 * S), 100)
        self.assertEqual(one, witness.Second(2 * S, 1.0, 1.5, 0.5, 0.1))

    def test_busy_is_all_but_idle_waiting_and_stolen(self):
        self.assertEqual(witness.ticks("cpu  1 2 4 8 16 32 64 128 256 512\ncpu0 0 0 0"), (1 + 2 + 4 + 32 + 64, 128))

    def test_a_line_that_was_cut_off_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "witness.csv"
            file.write_text(f"{witness.HEADER}\n{S},1,0.5,0.25,0.125\n{2 * S},1,0.", encoding="ascii")
            self.assertEqual(witness.seconds_of(file), [witness.Second(S, 1, 0.5, 0.25, 0.125)])
            self.assertEqual(witness.seconds_of(file.with_name("none")), [])


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reveal_quiet_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def copy_recording(self):
        name = next(path for path in sorted(RECORDINGS.rglob(reports.SEGMENTS))).parent
        shutil.copytree(name, self.folder / "one" / "host0", copy_function=shutil.copyfile)
        return self.folder / "one" / "host0"


class ReportTest(Folder):
    def test_facts_are_those_of_the_report_and_are_taken_once(self):
        recording = self.copy_recording()
        count = self.folder / "count"
        program = self.folder / "reveal"
        program.write_text(f"#!/bin/sh\necho >> {count}\nexec {REVEAL} \"$@\"\n", encoding="ascii")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        kept = reports.Kept.open(self.folder / "judged", program)
        facts = kept.facts(recording, reports.RECORDED)
        self.assertGreater(facts["seconds"], 20)
        self.assertGreater(facts["windows"], 20)
        names = sorted(("begin_ns", "end_ns", "work_begin_ns", "work_end_ns", *reports.PLAIN))
        self.assertEqual([sorted(one) for one in facts["findings"]], [names] * len(facts["findings"]))
        self.assertGreater(len(facts["findings"]), 0)
        self.assertEqual(kept.facts(recording, reports.RECORDED), facts)
        self.assertEqual(count.read_text(encoding="ascii"), "\n")
        self.assertEqual(sorted(path.name for path in recording.glob("report*")), [])

        with open(next(recording.glob(reports.SEGMENTS)), "ab") as more:
            more.write(b"x")
        kept.facts(recording, reports.RECORDED)
        self.assertEqual(count.read_text(encoding="ascii"), "\n\n")
        program.write_text(program.read_text(encoding="ascii") + "\n", encoding="ascii")
        reports.Kept.open(self.folder / "judged", program).facts(recording, reports.RECORDED)
        self.assertEqual(count.read_text(encoding="ascii"), "\n\n\n")

    def test_what_cannot_be_analyzed_says_why(self):
        (self.folder / "one").mkdir()
        (self.folder / "one" / "000001.rvs").write_bytes(b"nothing")
        facts = reports.Kept.open(self.folder / "judged", REVEAL).facts(self.folder / "one", reports.RECORDED)
        self.assertEqual(list(facts), ["error"])

    def test_slowdowns_are_those_of_the_work_rate_in_order(self):
        slow = {"begin_ns": 60 * S, "end_ns": 64 * S, "rate": 0.5, "lost_s": 2.0}
        jobs = [{"job": "a", "slowdowns": [{**slow, "begin_ns": 80 * S, "end_ns": 84 * S}], "begin_ns": [S], "rate": [1.0]},
                {"job": "b", "slowdowns": [slow], "begin_ns": [S, 2 * S], "rate": [0.9, None]},
                {"job": "", "not_known": "nothing moves", "slowdowns": []}]
        program = self.folder / "work_rate"
        program.write_text(f"#!/bin/sh\necho '{json.dumps({'jobs': jobs})}'\n", encoding="ascii")
        program.chmod(0o755)
        source = judging.Source("one", self.copy_recording(), verdicts.Host("training", (steps(120, (60, 64)),)))
        found = list(judging.slowdowns([source], reports.Kept.open(self.folder / "judged", program)))
        self.assertEqual([[(told["job"], verdict.word) for told, verdict in one.told] for one in found],
                         [[("b", verdicts.HARM), ("a", verdicts.FALSE)]])
        self.assertEqual((found[0].rate_known_s, found[0].false), (1.0, 1))

    def test_a_second_counts_once_if_several_jobs_have_a_rate_there(self):
        work = [{"begin_ns": [S, 2 * S, 3 * S], "rate": [1.0, None, 0.9]}, {"begin_ns": [S, 2 * S], "rate": [0.9, None]},
                {"not_known": "nothing moves"}]
        self.assertEqual(reports.known_seconds(work), 2.0)


class JudgingTest(Folder):
    def test_time_that_was_not_judged_and_disturbed_time_are_counted_once(self):
        spans = judging.union([(5, 9), (1, 3), (2, 4), (9, 10)])
        self.assertEqual(spans, [(1, 4), (5, 10)])
        self.assertEqual(judging.overlap([(S, 4 * S), (5 * S, 10 * S)], 2 * S, 6 * S), 3.0)

    def test_recordings_of_others_have_the_kind_and_the_logs_beside_them(self):
        recording = self.copy_recording()
        (recording.parent / "steps0.jsonl").write_text('{"end_ns": 5, "ms": 1}\n', encoding="ascii")
        one = judging.also(f"suite={self.folder}")
        self.assertEqual([(source.host.kind, source.recording, len(source.host.steps)) for source in one],
                         [("suite", recording, 1)])
        self.assertEqual(judging.also(str(self.folder))[0].host.kind, judging.OTHER)

    def piece(self, judged_s):
        (self.folder / "piece.json").write_text(json.dumps({"hosts": [
            {"name": "machine", "kind": "machine", "recording": "agent/state/recording", "steps": ["steps.jsonl"]},
            {"name": "gone", "kind": "training", "recording": "gone", "steps": []}]}), encoding="ascii")
        shutil.copytree(self.copy_recording(), self.folder / "agent/state/recording")
        (self.folder / "windows.jsonl").write_text(
            "".join(json.dumps({"judged_ns": None if at is None else at * S}) + "\n" for at in judged_s), encoding="ascii")
        place = self.folder / "agent/state/findings/2026/11/28/a"
        place.mkdir(parents=True)
        fields = {**{name: None for name in reports.PLAIN}, "claim": "It rose", "begin_ns": 12 * S, "end_ns": 15 * S,
                  "work_rate": 0.5, "work_begin": {"ns": 12 * S}, "work_end": {"ns": 15 * S}}
        (place / "finding.json").write_text(json.dumps(fields), encoding="ascii")

    def test_a_piece_has_the_recordings_that_are_there_and_what_the_agent_showed(self):
        self.piece([None, 10, 11, 11, 20, 21])
        sources = judging.sources_of(self.folder)
        self.assertEqual([source.name for source in sources], [f"{self.folder.name}/machine"])
        recorded, live = judging.each(sources, reports.Kept.open(self.folder / "judged", REVEAL), [reports.RECORDED])
        self.assertEqual((recorded.mode, live.mode), (reports.RECORDED, judging.LIVE))
        self.assertEqual((live.seconds, live.not_judged_s), (11.0, 9.0))  # from 11 s to 20 s no window was judged
        self.assertEqual(live.away, ((11 * S, 20 * S),))
        self.assertEqual([(one.false, one.false_slow) for one in live.shown], [(True, True)])

    def test_an_agent_that_judged_nothing_says_so(self):
        self.piece([None])
        told = list(judging.each(judging.sources_of(self.folder), reports.Kept.open(self.folder / "judged", REVEAL), []))
        self.assertEqual(told, [f"{self.folder.name}/machine: live: the agent judged nothing"])


if __name__ == "__main__":
    unittest.main()
