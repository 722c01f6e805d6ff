"""What the healthy hosts do, and what is told of a piece, without namespaces."""

import argparse
import io
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import unittest

import builds
import folders  # noqa: F401 first: it knows where the other studies are
import hosts
import inference
import network
import paced
import pieces
import quiet
import witness
from shell import LabError

S = 1_000_000_000
HERE = pathlib.Path(__file__).resolve().parent


class ScheduleTest(unittest.TestCase):
    def test_checkpoints_and_evaluations_come_at_their_times_however_long_they_took(self):
        schedule, told = paced.Schedule(180, 300, 0.0), []
        for now in range(0, 1001, 10):
            while (what := schedule.next(float(now))) != paced.GO_ON:
                schedule.done(what)
                told.append((now, what))
        self.assertEqual([at for at, what in told if what == paced.CHECKPOINT], [180, 360, 540, 720, 900])
        self.assertEqual([at for at, what in told if what == paced.EVALUATE], [300, 600, 900])


class PacedTest(unittest.TestCase):
    def test_a_rank_alone_trains_writes_checkpoints_evaluates_and_ends(self):
        with tempfile.TemporaryDirectory() as folder:
            names = {name: str(pathlib.Path(folder) / name) for name in ("log", "life", "scratch")}
            rank = paced.Paced(argparse.Namespace(rank=0, world=1, device_ms=0.0, checkpoint_s=0.1, evaluate_s=0.2, **names))
            stop = threading.Timer(2.0, rank.stop)
            stop.start()
            before = [one.detach().clone() for one in rank.model.parameters()]
            rank.run()
            stop.join()
            self.assertTrue(any((one != two).any() for one, two in zip(before, rank.model.parameters(), strict=True)))
            lines = [json.loads(line) for line in pathlib.Path(names["log"]).read_text(encoding="ascii").splitlines()]
            life = [json.loads(line) for line in pathlib.Path(names["life"]).read_text(encoding="ascii").splitlines()]
            self.assertEqual({one["what"] for one in life}, {"checkpoint", "evaluation"})
            self.assertGreater(pathlib.Path(names["scratch"]).stat().st_size, 4 * paced.WEIGHTS)
            # What a job does between its steps is no part of a step.
            for one in lines:
                begin = one["end_ns"] - one["ms"] * 1e6
                self.assertFalse([each for each in life if begin + 1e6 < each["begin_ns"] < one["end_ns"] - 1e6])


class DemandTest(unittest.TestCase):
    def test_it_is_a_fifth_at_midnight_and_the_peak_at_noon(self):
        for at, share in ((0, 0.2), (360, 0.6), (720, 1.0), (1440, 0.2)):
            self.assertAlmostEqual(inference.demand(at, 1440, 20), 20 * share)

    def test_requests_are_answered_and_both_sides_log_them(self):
        with tempfile.TemporaryDirectory() as folder:
            logs = {part: pathlib.Path(folder) / part for part in ("serve", "ask")}
            more = {"serve": [], "ask": ["--peak", "400"]}
            parts = [subprocess.Popen([sys.executable, "-B", HERE / "inference.py", part, "127.0.0.1", logs[part], *more[part]])
                     for part in logs]
            try:
                until = 60
                while until and not (logs["ask"].exists() and len(logs["ask"].read_text(encoding="ascii").splitlines()) > 30):
                    threading.Event().wait(0.5)
                    until -= 0.5
            finally:
                for part in reversed(parts):
                    part.terminate()
                    part.wait()
            took = {part: [json.loads(line)["ms"] for line in log.read_text(encoding="ascii").splitlines()]
                    for part, log in logs.items()}
            self.assertGreater(len(took["ask"]), 30)
            self.assertGreater(statistics.median(took["ask"]), statistics.median(took["serve"]))


class BuildTest(unittest.TestCase):
    def test_files_are_compiled_logged_and_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            log = io.StringIO()
            builds.build(pathlib.Path(folder), [1, 2], log)
            self.assertEqual([sorted(json.loads(line)) for line in log.getvalue().splitlines()], [["end_ns", "ms"]] * 2)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])
        self.assertNotEqual(builds.source(1), builds.source(2))


class TableTest(unittest.TestCase):
    def test_each_host_is_recorded_apart_and_each_log_is_of_a_job_that_writes_it(self):
        folder = pathlib.Path("/out")
        places = [hosts.recording(host) for host in hosts.HOSTS]
        self.assertEqual(len(set(places)), len(places))
        words = " ".join(word for job in hosts.jobs(folder, folder / "scratch", 0) for word in job.words)
        for host in hosts.HOSTS:
            for log in host.steps:
                self.assertIn(f"{folder / log}", words)
        self.assertEqual({job.host for job in hosts.jobs(folder, folder, 0)}, set(range(hosts.NAMESPACES)))

    def test_namespaces_have_names_of_their_own(self):
        names = network.SWITCH, network.PREFIX
        try:
            network.use_names("rvx")
            self.assertEqual((network.SWITCH, network.namespace(3)), ("rvx-switch", "rvx-host3"))
        finally:
            network.SWITCH, network.PREFIX = names

    def test_a_piece_says_what_was_used(self):
        rows = [witness.Second((i + 1) * S, busy, 0.5, others, 0.0) for i, (busy, others) in
                enumerate([(1.0, 0.0), (1.6, 0.2), (1.0, 0.0), (1.0, 0.0)])]
        self.assertEqual(pieces.used(rows, 2), {
            "busy_cores": 1.15, "own_cores": 0.5, "others_cores": 0.05, "steal_cores": 0.0,
            "share_of_seconds_above_75_percent": 0.25, "share_of_seconds_disturbed": 0.25})
        self.assertEqual(pieces.used([], 2), {})


class CommandTest(unittest.TestCase):
    def test_a_piece_is_at_most_an_hour_and_never_overwrites_another(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            options = argparse.Namespace(out=out, reveal=out, minutes=61.0, seed=0, dry=False)
            with self.assertRaisesRegex(LabError, "at most 60 minutes"):
                quiet.record(options)
            (out / "piece.json").write_text("{}", encoding="ascii")
            with self.assertRaisesRegex(LabError, "has a piece already"):
                pieces.record(out, out, 60, 0)


if __name__ == "__main__":
    unittest.main()
