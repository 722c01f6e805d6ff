"""The fleet study's plan, its limits of control groups and its scores, on cases worked out by hand."""

import json
import math
import pathlib
import random
import signal
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))

import agents  # noqa: E402 after the lab's folder is known
import fleet_score  # noqa: E402
import groups  # noqa: E402
import host  # noqa: E402
import schedule  # noqa: E402
from fleet_score import Finding  # noqa: E402

S = 1_000_000_000
MS = 1_000_000


def fault(begin_s=100, end_s=110, name="n01", job="train", kind="loss", subsystems=("network",)):
    return {"job": job, "host": 1, "name": name, "kind": kind, "subsystems": list(subsystems), "strength": "2 %",
            "begin_ns": begin_s * S, "end_ns": end_s * S}


def line(at_s, cause, onsets, subsystem="network", end_s=0, name="a", job="train", of_all=False):
    """A line of the analyser: `onsets` has the hosts that are slow."""
    hosts = [{"name": host, "onset": {"ns": round(onset * S)}} for host, onset in onsets.items()]
    first = min(onsets.values(), default=at_s)
    return {"at_ns": round(at_s * S), "incident": {
        "id": name, "group": f"role={job}", "onset": {"ns": round(first * S)}, "end": {"ns": round((end_s or at_s) * S)},
        "cause": cause, "subsystem": subsystem, "sentence": "host is slow", "hosts": hosts, "of_all": of_all}}


def outcome(lines, findings=(), of=None, steps=()):
    return fleet_score.outcome_of(of or fault(), fleet_score.incidents_of(lines), list(findings), list(steps))


class PlanTest(unittest.TestCase):
    def setUp(self):
        self.jobs = schedule.jobs(9, 6, 4, True)

    def test_hosts_are_numbered_job_by_job_and_the_gpu_is_last(self):
        self.assertEqual([(job.name, job.hosts[0], len(job.hosts)) for job in self.jobs],
                         [("train", 0, 9), ("load", 9, 6), ("serve", 15, 4), ("gpu", 19, 1)])
        self.assertEqual([job.name for job in schedule.jobs(4, 0, 0, False)], ["train"])

    def test_it_follows_from_the_seed_and_a_longer_one_begins_with_the_shorter(self):
        job = self.jobs[0]
        plan = schedule.plan(job, 3, 400)
        self.assertNotEqual(plan, schedule.plan(job, 4, 400))
        self.assertEqual(schedule.plan(job, 3, 800)[:len(plan)], plan)

    def test_it_keeps_its_bounds(self):
        for job in self.jobs:
            for seed in range(20):
                plan = schedule.plan(job, seed, 1000)
                self.assertGreaterEqual(plan[0]["at_s"], schedule.FIRST_S)
                self.assertLessEqual(plan[-1]["until_s"], 1000 - schedule.AFTER_S)
                for one in plan:
                    shortest, longest = schedule.KINDS[one["kind"]].seconds
                    self.assertTrue(shortest - 0.01 <= one["until_s"] - one["at_s"] <= longest + 0.01)
                    self.assertIn(one["host"], job.hosts)
                    self.assertIn(one["kind"], job.kinds)
                for before, after in zip(plan, plan[1:]):
                    self.assertGreaterEqual(after["at_s"] - before["until_s"], schedule.REST_S[0] - 0.01)
                    if len(job.hosts) > 1:
                        self.assertNotEqual(before["host"], after["host"])

    def test_each_host_comes_once_before_any_comes_again(self):
        plan = schedule.plan(self.jobs[0], 1, 2000)
        self.assertEqual({one["host"] for one in plan[:9]}, set(range(9)))

    def test_only_what_the_machine_allows_and_no_cache_is_taken_from_a_store(self):
        load = self.jobs[1]
        for seed in range(20):
            plan = schedule.plan(load, seed, 2000, frozenset({"memory", "loss"}))
            self.assertLessEqual({one["kind"] for one in plan}, {"memory", "loss"})
            self.assertNotIn((9, "memory"), {(one["host"], one["kind"]) for one in plan})

    def test_a_cycle_of_one_thing_has_only_that(self):
        cycle = schedule.Cycle((7,), random.Random(0))
        self.assertEqual([cycle.next() for _ in range(3)], [7, 7, 7])


class GroupsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def make(self, *places):
        for place in places:
            (self.root / place / "rvf/host3/work/job").mkdir(parents=True, exist_ok=True)

    def text(self, path):
        return (self.root / path).read_text().strip()

    def test_version_two(self):
        (self.root / "cgroup.controllers").write_text("cpu memory io")
        self.make(".")
        own, job = groups.Groups(3, self.root), self.root / "rvf/host3/work/job"
        own.limit_cpu(groups.JOB, 0.25)
        self.assertEqual((job / "cpu.max").read_text(), "25000 100000\n")
        own.limit_cpu(groups.JOB, None)
        self.assertEqual((job / "cpu.max").read_text(), "max 100000\n")
        own.limit_reads(groups.JOB, "254:0", 1_000_000)
        self.assertEqual((job / "io.max").read_text(), "254:0 rbps=1000000\n")
        own.limit_reads(groups.JOB, "254:0", None)
        self.assertEqual((job / "io.max").read_text(), "254:0 rbps=max\n")
        own.limit_memory(groups.JOB, None)
        self.assertEqual((job / "memory.high").read_text(), "max\n")
        (job / "memory.current").write_text("1000\n")
        (job / "memory.stat").write_text("anon 5\nfile 600\nfile_mapped 7\n")
        self.assertEqual(own.memory(groups.JOB), (1000, 600))
        (job / "cpu.stat").write_text("usage_usec 2500000\nuser_usec 1\n")
        self.assertEqual(own.cpu_seconds(groups.JOB), 2.5)

    def test_version_one(self):
        for name in ("cpu", "cpuacct", "memory", "blkio"):
            self.make(name)
            (self.root / name / "cgroup.procs").write_text("")
        own = groups.Groups(3, self.root)
        own.limit_cpu(groups.JOB, 0.25)
        self.assertEqual(self.text("cpu/rvf/host3/work/job/cpu.cfs_quota_us"), "25000")
        own.limit_cpu(groups.JOB, None)
        self.assertEqual(self.text("cpu/rvf/host3/work/job/cpu.cfs_quota_us"), "-1")
        own.limit_reads(groups.JOB, "254:0", None)
        self.assertEqual(self.text("blkio/rvf/host3/work/job/blkio.throttle.read_bps_device"), "254:0 0")
        own.limit_memory(groups.JOB, 4096)
        self.assertEqual(self.text("memory/rvf/host3/work/job/memory.limit_in_bytes"), "4096")
        (self.root / "cpuacct/rvf/host3/work/job/cpuacct.usage").write_text("2500000000\n")
        self.assertEqual(own.cpu_seconds(groups.JOB), 2.5)

    def test_a_quota_is_no_shorter_than_the_kernel_takes(self):
        (self.root / "cgroup.controllers").write_text("")
        self.make(".")
        groups.Groups(3, self.root).limit_cpu(groups.JOB, 0.0001)
        self.assertEqual(self.text("rvf/host3/work/job/cpu.max"), "1000 100000")

    def test_groups_are_removed_from_the_innermost_on(self):
        (self.root / "cgroup.controllers").write_text("")
        self.make(".")
        groups.remove(self.root)
        self.assertFalse((self.root / "rvf").exists())


class ProgramsTest(unittest.TestCase):
    """Those of a host, on this one and in no control group."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = pathlib.Path(folder.name) / "log"
        self.programs = host.Programs("")
        patched = mock.patch.object(host, "join")
        patched.start()
        self.addCleanup(patched.stop)

    def start(self, *words):
        return self.programs.obey({"start": "one", "words": list(words), "group": "/work", "log": str(self.log)})

    def test_a_program_is_started_stopped_and_ended_with_its_children(self):
        pid = self.start("sh", "-c", "echo begun; sleep 100 & wait")["pid"]
        self.assertEqual(self.programs.obey({"signal": "one", "number": int(signal.SIGSTOP)}), {})
        state = pathlib.Path(f"/proc/{pid}/stat")
        while state.read_text().rpartition(")")[2].split()[0] != "T":
            pass
        self.assertEqual(self.programs.obey({"end": "one"}), {"status": -signal.SIGKILL})

    def test_the_end_of_the_host_ends_all(self):
        pid = self.start("sleep", "100")["pid"]
        self.programs.close()
        self.assertFalse(pathlib.Path(f"/proc/{pid}").exists())

    def test_what_has_ended_takes_no_signal(self):
        pid = self.start("true")["pid"]
        while pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            pass
        self.assertIn("one has ended with 0", self.programs.obey({"signal": "one", "number": 10})["error"])

    def test_what_cannot_be_done_is_an_answer(self):
        self.assertIn("FileNotFoundError", self.start("/no/such/program")["error"])
        self.assertIn("KeyError", self.programs.obey({"end": "nobody"})["error"])

    def test_a_note_is_kept_and_the_rest_goes_on(self):
        notes = host.Notes()

        def refused():
            raise PermissionError(1, "not permitted")
        self.assertFalse(notes.attempt("name", refused))
        self.assertTrue(notes.attempt("groups", lambda: None))
        self.assertEqual(notes, ["name: [Errno 1] not permitted"])


class RunTest(unittest.TestCase):
    def test_hosts_that_lack_the_same_share_a_note(self):
        run = types.SimpleNamespace(notes=["a general note: no"])
        for name, note in (("n00", "no limit"), ("n01", "no limit"), ("n01", "no limit"), ("n01", "no name")):
            agents.Run.note_of(run, types.SimpleNamespace(name=name), note)
        self.assertEqual(run.notes, ["a general note: no", "n01 n00: no limit", "n01: no name"])

    def test_steps_of_all_logs_without_a_line_that_was_cut_off(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "steps.jsonl").write_text('{"end_ns": 5, "ms": 2.0}\n{"end_ns": 6, "work": 1}\n{"end_')
            (folder / "steps.jsonl.answers").write_text('{"end_ns": 7, "ms": 1.0}\n')
            self.assertEqual(agents.steps_of(folder), [[0, 5, 2.0], [0, 6, None], [1, 7, 1.0]])


class NamingTest(unittest.TestCase):
    def test_the_right_host_is_told_after_so_long_with_its_subsystem(self):
        told = outcome([line(104.5, "n01", {"n01": 101}, "network")])
        self.assertEqual((told.named, told.named_after_s, told.subsystem, told.seen), (("n01",), 4.5, "network", True))
        self.assertTrue(fleet_score.is_right(fault(), told))

    def test_the_first_that_is_named_counts_and_a_wrong_one_is_kept(self):
        told = outcome([line(103, "n02", {"n02": 101}), line(106, "n01", {"n01": 100, "n02": 101})])
        self.assertEqual((told.named, told.named_after_s, told.named_last), (("n02", "n01"), 6, "n01"))
        self.assertFalse(fleet_score.is_right(fault(), told))

    def test_an_incident_that_names_nobody_is_seen(self):
        told = outcome([line(104, None, {"n01": 101, "n02": 101})])
        self.assertEqual((told.named, told.seen), ((), True))
        self.assertTrue(math.isnan(told.named_after_s))

    def test_a_host_counts_if_it_was_told_in_time_and_became_slow_in_time(self):
        for told, onset, counts in ((99.9, 97, False), (100, 90, True), (104, 89.9, False), (120, 118, True),
                                    (120.1, 118, False)):
            self.assertEqual(outcome([line(told, "n01", {"n01": onset})]).named, ("n01",) if counts else (), (told, onset))

    def test_the_last_naming_counts_for_the_last(self):
        lines = [line(104, "n01", {"n01": 101}), line(105, "n02", {"n01": 101, "n02": 101}), line(106, "n01", {"n01": 101})]
        told = outcome(lines)
        self.assertEqual((told.named, told.named_last), (("n01", "n02"), "n01"))

    def test_another_jobs_incident_is_not_of_it(self):
        self.assertFalse(outcome([line(104, "n01", {"n01": 101}, job="load")]).seen)

    def test_a_host_that_joins_an_older_incident_counts_by_its_own_onset(self):
        lines = [line(80, "n05", {"n05": 77}), line(105, "n01", {"n05": 77, "n01": 101})]
        self.assertEqual(outcome(lines).named, ("n01",))

    def test_the_hosts_own_finding_counts_if_nobody_was_named(self):
        own = [Finding("n01", 107 * S, 101 * S, 109 * S, "network", "It rose"),
               Finding("n02", 103 * S, 101 * S, 109 * S, "cpu", "It rose")]
        told = outcome([], own)
        self.assertEqual((told.found_after_s, told.found_subsystem), (7, "network"))
        self.assertTrue(fleet_score.is_told(fault(), told))
        wrong = outcome([line(104, "n02", {"n02": 101})], own)
        self.assertFalse(fleet_score.is_told(fault(), wrong))


class HarmTest(unittest.TestCase):
    def steps(self, *each):
        """Of (end s, ms)."""
        return [[0, round(end * S), ms] for end, ms in each]

    def test_it_is_the_mean_of_the_steps_met_by_the_median_before(self):
        steps = self.steps((80, 10), (90, 10), (99, 30), (102, 20), (108, 40), (111, 2000), (115, 10))
        self.assertAlmostEqual(fleet_score.harm_of(fault(), steps), (20 + 40 + 2000) / 3 / 10)

    def test_steps_without_a_length_last_since_the_one_before(self):
        steps = self.steps((98, None), (99, None), (100, None), (104, None), (108, None))
        self.assertAlmostEqual(fleet_score.harm_of(fault(), steps), 4.0)

    def test_the_worst_of_several_logs_counts_and_none_is_unknown(self):
        steps = self.steps((95, 10), (105, 10)) + [[1, 95 * S, 10], [1, 105 * S, 30]]
        self.assertAlmostEqual(fleet_score.harm_of(fault(), steps), 3.0)
        self.assertTrue(math.isnan(fleet_score.harm_of(fault(), [])))


class FalseTest(unittest.TestCase):
    def test_an_incident_of_no_disturbance_of_its_job_is_false(self):
        lines = [line(60, "n02", {"n02": 55}, end_s=70, name="before"), line(90, "n02", {"n02": 85}, end_s=101, name="at"),
                 line(105, "n12", {"n12": 101}, name="of another job", job="load"),
                 line(125, None, {"n02": 121}, end_s=130, name="after"), line(121, None, {"n02": 119}, name="late")]
        false = fleet_score.false_ones([fault()], fleet_score.incidents_of(lines))
        self.assertEqual([one.id for one in false], ["before", "of another job", "after"])

    def test_findings_are_false_by_the_job_of_their_host(self):
        own = [Finding("n12", 0, 101 * S, 102 * S, "cpu", ""), Finding("n02", 0, 101 * S, 102 * S, "cpu", "")]
        self.assertEqual(fleet_score.false_findings([fault()], own, {"n02": "train", "n12": "load"}), own[:1])


class TableTest(unittest.TestCase):
    def test_counts_and_costs(self):
        faults = [fault(), fault(140, 150, "n02", kind="quota", subsystems=("cpu",)),
                  fault(180, 184, "n03", kind="stop", subsystems=())]
        lines = [line(104, "n01", {"n01": 101}, "network", name="a"), line(148, "n02", {"n02": 142}, "storage", name="b")]
        cost = {"at_ns": 90 * S, "agents_cpu_s": 1.0, "broker_cpu_s": 0.0, "analyser_cpu_s": 0.0, "machine_busy_s": 0.0,
                "messages": 0, "bytes": 0}
        truth = {"seed": 0, "cpus": 2, "notes": ["no disk"], "faults": faults, "begin_ns": 90 * S, "end_ns": 190 * S,
                 "hosts": [{"name": f"n0{number}", "job": "train"} for number in range(4)], "cost_begin": cost,
                 "cost_end": cost | {"at_ns": 190 * S, "agents_cpu_s": 5.0, "machine_busy_s": 100.0, "messages": 400,
                                     "bytes": 120_000}}
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name)
            (out / "truth.json").write_text(json.dumps(truth))
            (out / "incidents.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines) + '{"cut o')
            told = fleet_score.table(out)
        self.assertIn("right host named first: 2 of 3 (67 %)", told)
        self.assertIn("right subsystem, of right hosts: 1 of 2 (50 %)", told)
        self.assertIn("seconds to the named host: median 4.0, 95 % 8.0", told)
        self.assertIn("agents 10.00, broker 0.000, analyser 0.000", told)
        self.assertIn("300 bytes and 1.00 messages a host-second", told)
        self.assertIn("50 % of 2 processors busy", told)
        self.assertIn("0 incidents, 0 findings", told)
        self.assertIn("note: no disk", told)

    def test_a_run_without_disturbances_or_an_end_has_a_table(self):
        truth = {"seed": 0, "cpus": 2, "notes": [], "faults": [], "begin_ns": 90 * S, "hosts": []}
        with tempfile.TemporaryDirectory() as name:
            (pathlib.Path(name) / "truth.json").write_text(json.dumps(truth))
            self.assertIn("no cost", fleet_score.table(pathlib.Path(name)))


if __name__ == "__main__":
    unittest.main()
