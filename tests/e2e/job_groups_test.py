"""Hosts of one job are compared with one another: an agent tells the Slurm jobs of its host by its control groups, and
of nine made hosts that work on two jobs one is named as a host of its job. It takes three minutes, for that is how
long a host is watched before it can be called slow."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

from broker import NATS, Broker
from fleet_queries import ask, documented
from reveal_process import REPOSITORY, RevealTest, dispose, wait_until
from running_agent import AgentRun

sys.path.insert(0, str(REPOSITORY / "tools"))
import read_wire  # noqa: E402

DRIVER = os.path.abspath(os.environ["FLEET_DRIVER"])
MADE_FLEET = os.path.abspath(os.environ["MADE_FLEET"])
SKIPPED = 77  # SKIP_RETURN_CODE
SECOND_NS = 1_000_000_000

FLEET = """
[fleet]
servers = ["nats://127.0.0.1:{port}"]
role = "trainer"
"""
CPU_STAT = "usage_usec 1000\nuser_usec 1000\nsystem_usec 0\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n"


class AgentTest(AgentRun):
    def setUp(self):
        super().setUp()
        self.broker = Broker(self.folder)
        self.broker.start()
        self.addCleanup(lambda: self.broker.kill())
        subprocess.run([DRIVER, "make", self.broker.url], check=True, timeout=60)
        self.configuration.write_text(self.settings + FLEET.format(port=self.broker.port))
        self.facts = []
        reader = subprocess.Popen([DRIVER, "read", self.broker.url, "RV_FACT", "rv1.fact.>"], stdout=subprocess.PIPE,
                                  text=True)
        self.addCleanup(dispose, reader)
        threading.Thread(target=self.read, args=(reader.stdout,), daemon=True).start()

    def read(self, stream):
        for line in stream:
            self.facts.append(read_wire.Reader().read(bytes.fromhex(line.split()[1])))

    def groups(self):
        return self.facts[-1]["groups"] if self.facts else []

    def test_jobs_of_control_groups_are_told_and_end(self):
        top = self.host.path / "sys/fs/cgroup"
        top.mkdir(parents=True)
        (top / "cgroup.controllers").write_text("cpu memory io pids\n")
        job = top / "system.slice/slurmstepd.scope/job_4711"
        (job / "step_0").mkdir(parents=True)
        for folder in (job.parents[1], job.parents[0], job, job / "step_0"):
            (folder / "cpu.stat").write_text(CPU_STAT)
        began_ns = time.time_ns()
        self.start_agent()
        wait_until(lambda: self.groups() == ["role=trainer"], "facts")
        wait_until(lambda: "job=slurm/4711" in self.groups(), "the job")
        self.assertEqual(self.groups(), ["job=slurm/4711", "role=trainer"])
        since, = [text for source, subject, text in self.facts[-1]["facts"] if (source, subject) == ("job", "slurm/4711")]
        self.assertGreater(int(since), began_ns)
        self.assertGreaterEqual(self.facts[-1]["time_ns"] - int(since), 30 * SECOND_NS)
        shutil.rmtree(job)
        wait_until(lambda: self.groups() == ["role=trainer"], "its end")


class AnalyserTest(RevealTest):
    """Two jobs from the begin to second 160, in one of which a host loses segments."""

    def setUp(self):
        super().setUp()
        self.broker = Broker(self.folder)
        self.broker.start()
        self.addCleanup(self.broker.kill)
        self.db = self.folder / "fleet.db"

    def start_analyser(self):
        out = self.start("analyser", "--servers", self.broker.url, "--db", self.db, "--json", "--make-streams")
        out.lines = []
        out.notices = []
        for stream, into in ((out.stdout, out.lines), (out.stderr, out.notices)):
            threading.Thread(target=lambda stream=stream, into=into: into.extend(stream), daemon=True).start()
        return out

    def rows(self, statement):
        kept = sqlite3.connect(self.db)
        try:
            return kept.execute(statement).fetchall()
        finally:
            kept.close()

    def test_a_host_is_named_within_its_job_also_after_a_takeover(self):
        first = self.start_analyser()
        wait_until(self.db.exists, "the file")
        fleet = subprocess.Popen([MADE_FLEET, self.broker.url, "9", "190", "2", "132", "150",
                                  "job", "slurm/4711", "0", "5", "0", "160",
                                  "job", "kubernetes/ml/trainer", "5", "9", "0", "160"],
                                 stdout=subprocess.PIPE, text=True)
        self.addCleanup(dispose, fleet)
        begin_ns = int(fleet.stdout.readline())
        wait_until(lambda: any("judges job=slurm/4711" in line for line in first.notices), "the group of the job")
        second = self.start_analyser()
        wait_until(lambda: any("job=slurm/4711 is judged by" in line for line in second.notices), "the other to know")
        time.sleep(max(0, begin_ns / SECOND_NS + 130 - time.time()))
        wait_until(lambda: any('"opened"' in line for line in first.lines), "the incident")
        first.kill()
        first.wait()
        wait_until(lambda: any('"closed"' in line for line in second.lines), "its end")
        self.assertEqual(fleet.wait(120), 0)
        wait_until(lambda: self.rows("SELECT DISTINCT group_key FROM hosts") == [("role=train",)], "the jobs' end")

        told = [json.loads(line) for line in first.lines + second.lines]
        self.assertEqual([one["told"] for one in told if one["told"] != "updated"], ["opened", "closed"])
        self.assertEqual(len({one["id"] for one in told}), 1)
        opened = told[0]
        self.assertEqual(opened["job"], {"kind": "slurm", "id": "4711", "cluster": None})
        self.assertEqual((opened["group"], opened["group_size"], opened["cause"]), ("job=slurm/4711", 5, "n02"))
        self.assertEqual(opened["onset"]["ns"], begin_ns + 132 * SECOND_NS)
        self.assertIn("host n02 of Slurm job 4711 is slow since", opened["sentence"])
        self.assertIn("(its 4 peers: 0 %)", opened["sentence"])

        self.assertEqual(ask(self, self.db, "SELECT job, state, group_key FROM incidents"),
                         [{"job": "4711", "state": "closed", "group_key": "job=slurm/4711"}])
        jobs = ask(self, self.db, "SELECT kind, job, hosts, first_seen_ns, last_seen_ns FROM jobs ORDER BY job")
        self.assertEqual([(one["kind"], one["job"], one["hosts"]) for one in jobs],
                         [("slurm", "4711", 5), ("kubernetes", "ml/trainer", 4)])
        for one in jobs:
            self.assertAlmostEqual((one["first_seen_ns"] - begin_ns) / SECOND_NS, -60, delta=3)
            self.assertAlmostEqual((one["last_seen_ns"] - begin_ns) / SECOND_NS, 162, delta=3)
        worst, = ask(self, self.db, documented()[0])
        self.assertEqual((worst["kind"], worst["job"], worst["hosts"], worst["incidents"]), ("slurm", "4711", 5, 1))
        report = self.reveal("report", "--fleet", self.db, "--since", "1h")
        self.assert_status(report, 0)
        self.assertTrue(re.search(r"^n02 +network +1 ", report.stdout, re.M), report.stdout)


if __name__ == "__main__":
    if NATS is None:
        print("skipped: there is no broker (apt-get install nats-server)")
        sys.exit(SKIPPED)
    unittest.main()
