"""What a recording leaves when it is ended or fails: no limit, no stopped process, nothing that looks whole.

The GPU's job, the recorder and the control groups are stand-ins: scripts, and a folder of plain files.
"""

import argparse
import contextlib
import io
import json
import pathlib
import random
import subprocess
import tempfile
import time
import unittest
from unittest import mock

import record
from shell import LabError

RECORDS = 'mkdir "$4"'
TRAINS = """import sys, time
open(sys.argv[2], "w").write('{"end_ns": 1, "work": 0}\\n')
time.sleep(60)
"""


class Ended(BaseException):
    """As an end from outside comes: nothing catches it."""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.groups = self.folder / "groups"
        for name in (record.JOB, record.NEIGHBOR):
            (self.groups / name).mkdir(parents=True)
            (self.groups / name / "cpu.max").write_text("40000 100000\n", encoding="ascii")
        train = self.folder / "train.py"
        train.write_text(TRAINS, encoding="ascii")
        for name, value in (("GROUPS", self.groups), ("TRAIN", train), ("WARM_UP_S", 0), ("FIRST_S", 0), ("LASTS_S", 0),
                            ("REST_S", 0)):
            self.put(name, value)
        # Of a folder of plain files nothing is removed, which is said.
        self.put("REMOVAL_PATIENCE_S", 0)
        self.said = io.StringIO()
        quiet = contextlib.redirect_stderr(self.said)
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)

    def put(self, name, value):
        patch = mock.patch.object(record, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def quota(self):
        return (self.groups / record.JOB / "cpu.max").read_text(encoding="ascii").strip()

    def options(self, script):
        reveal = self.folder / "reveal"
        reveal.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
        reveal.chmod(0o755)
        return argparse.Namespace(out=self.folder / "out", reveal=reveal, seed=0, small=True)

    def child(self):
        process = subprocess.Popen(["sleep", "60"])
        self.addCleanup(record.end, process)
        return process

    def job(self, process=None):
        job = record.Job.__new__(record.Job)
        job.process = process
        return job


def state(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(") ", 1)[1][0]


def wait_for(condition):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("waited in vain")


class DisturbanceTest(Case):
    def end_during(self, job, disturbance, seen):
        """Ends the run while the disturbance is on and `seen` holds."""
        draw = mock.Mock(uniform=lambda *_: 0)
        sleeps = []

        def sleep(_):
            sleeps.append(1)
            if len(sleeps) == 2:  # the first is before the disturbance
                wait_for(seen)
                raise Ended
        with mock.patch.object(record, "time", mock.Mock(sleep=sleep, monotonic=time.monotonic, time_ns=time.time_ns)):
            with self.assertRaises(Ended):
                record.perform(record.Run("a", "serve", (disturbance,)), job, [None], draw)

    def test_a_quota_goes_when_the_run_is_ended(self):
        record.make_group(record.JOB)
        self.assertEqual(self.quota(), "max")
        self.end_during(self.job(), ("quota", 0.5), lambda: self.quota() == "50000 100000")
        self.assertEqual(self.quota(), "max")

    def test_a_limit_of_memory_goes_when_the_run_is_ended(self):
        high = self.groups / record.JOB / "memory.high"
        high.write_text("max\n", encoding="ascii")
        (self.groups / record.JOB / "memory.current").write_text("1000\n", encoding="ascii")
        self.end_during(self.job(), ("memory", 0.8), lambda: high.read_text(encoding="ascii").strip() == "800")
        self.assertEqual(high.read_text(encoding="ascii").strip(), "max")

    def test_a_stopped_job_goes_on_when_the_run_is_ended(self):
        process = self.child()
        self.end_during(self.job(process), ("stop", 1), lambda: state(process.pid) == "T")
        wait_for(lambda: state(process.pid) != "T")

    def test_of_loaders_the_stopped_go_on_if_another_has_ended(self):
        process, gone = self.child(), self.child()
        gone.kill()
        gone.wait()
        job = self.job()
        job.loaders = lambda: [process.pid, gone.pid]
        with self.assertRaises(ProcessLookupError):
            job.put_on("stop_loaders", 1, None)
        wait_for(lambda: state(process.pid) != "T")


class RecordTest(Case):
    def test_a_run_that_comes_to_its_end_has_its_name(self):
        options = self.options(RECORDS)
        record.record(record.Run("a", "serve", (("quota", 0.5),)), options)
        truth = json.loads((options.out / "a" / "truth.json").read_text(encoding="ascii"))
        self.assertEqual([one["fault"] for one in truth["faults"]], ["quota"])
        self.assertTrue((options.out / "a" / "host0").is_dir())
        self.assertEqual([path.name for path in options.out.iterdir()], ["a"])
        self.assertEqual(self.quota(), "max")

    def test_a_recorder_that_fails_leaves_nothing_that_looks_whole(self):
        options = self.options("echo no room >&2; exit 3")
        with self.assertRaisesRegex(LabError, "ended with 3; .*recorder.log says why"):
            record.record(record.Run("a", "serve"), options)
        left = options.out / "a.unfinished"
        self.assertEqual([path.name for path in options.out.iterdir()], [left.name])
        self.assertFalse((left / "truth.json").exists())
        self.assertEqual((left / "recorder.log").read_text(encoding="ascii"), "no room\n")
        # The next call makes it anew.
        record.record(record.Run("a", "serve"), self.options(RECORDS))
        self.assertEqual([path.name for path in options.out.iterdir()], ["a"])

    def test_a_recorder_ends_with_the_run(self):
        options = self.options('echo $$ > "$0.pid"; exec sleep 60')
        pid = pathlib.Path(f"{options.reveal}.pid")
        with self.assertRaises(Ended):
            with record.recorder(options, self.folder / "host0", 60):
                wait_for(lambda: pid.exists() and pid.read_text(encoding="ascii").endswith("\n"))
                raise Ended
        self.assertFalse(pathlib.Path(f"/proc/{int(pid.read_text(encoding='ascii'))}").exists())

    def test_a_program_that_is_not_there_is_said(self):
        options = self.options(RECORDS)
        options.reveal.unlink()
        with self.assertRaisesRegex(LabError, "cannot start .*reveal: .*No such file"):
            record.record(record.Run("a", "serve"), options)

    def test_a_folder_that_is_there_is_kept(self):
        (self.folder / "a").mkdir()
        with self.assertRaisesRegex(LabError, "is there already"):
            with record.unfinished(self.folder / "a"):
                pass


class GroupTest(Case):
    def test_a_group_is_removed_or_it_is_said_why_not(self):
        (self.groups / "empty").mkdir()
        record.remove_group("empty")
        self.assertFalse((self.groups / "empty").exists())
        self.assertEqual(self.said.getvalue(), "")
        record.remove_group(record.JOB)
        self.assertIn(f"{self.groups / record.JOB} stays", self.said.getvalue())


if __name__ == "__main__":
    unittest.main()
