"""reveal analyser with a real broker: of nine hosts one loses segments, and is named. It takes two minutes, for
that is how long a host is watched before it can be called slow."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

from broker import NATS, Broker
from fleet_queries import check_documented
from reveal_process import RevealTest, dispose, wait_until

MADE_FLEET = os.path.abspath(os.environ["MADE_FLEET"])
SKIPPED = 77  # SKIP_RETURN_CODE

SECOND_NS = 1_000_000_000
SLOW = 7
FROM_S = 128
TO_S = 150
SECONDS = 172


class AnalyserTest(RevealTest):
    def setUp(self):
        super().setUp()
        self.broker = Broker(self.folder)
        self.url = self.broker.url
        self.db = self.folder / "fleet.db"

    def start_broker(self):
        self.broker.start()
        self.addCleanup(self.broker.kill)

    def start_analyser(self, *words):
        analyser = self.start("analyser", "--servers", self.url, *words)
        analyser.lines = []

        def read():
            for line in analyser.stdout:
                analyser.lines.append(line)

        analyser.reader = threading.Thread(target=read, daemon=True)
        analyser.reader.start()
        return analyser

    def end(self, analyser):
        analyser.send_signal(signal.SIGTERM)
        self.assertEqual(analyser.wait(60), 0)
        analyser.reader.join(60)

    def incidents(self):
        kept = sqlite3.connect(self.db)
        try:
            return kept.execute("SELECT id, revision, state, subsystem FROM incidents").fetchall()
        finally:
            kept.close()

    def test_names_the_host_that_loses_segments_once_though_the_analyser_is_killed(self):
        self.start_broker()
        words = ("--db", self.db, "--json", "--make-streams")
        first = self.start_analyser(*words)
        wait_until(lambda: self.db.exists(), "the file")
        fleet = subprocess.Popen([MADE_FLEET, self.url, "9", str(SECONDS), str(SLOW), str(FROM_S), str(TO_S)],
                                 stdout=subprocess.PIPE, text=True)
        self.addCleanup(dispose, fleet)
        begin_ns = int(fleet.stdout.readline())
        time.sleep(FROM_S - 5)
        wait_until(self.incidents, "the incident in the file")
        first.kill()
        first.wait()
        first.reader.join(60)
        analyser = self.start_analyser(*words)
        wait_until(lambda: any('"closed"' in line for line in analyser.lines), "the end of the incident")
        self.end(analyser)
        self.assertEqual(fleet.wait(60), 0)

        told = [json.loads(line) for line in first.lines + analyser.lines]
        self.assertEqual([one["told"] for one in told if one["told"] != "updated"], ["opened", "closed"])
        self.assertEqual(len({one["id"] for one in told}), 1)
        self.assertEqual([one["revision"] for one in told], list(range(1, len(told) + 1)))
        opened = told[0]
        self.assertEqual(opened["cause"], "n07")
        self.assertEqual(opened["subsystem"], "network")
        self.assertEqual(opened["group_size"], 9)
        self.assertEqual(opened["onset"]["ns"], begin_ns + FROM_S * SECOND_NS)
        self.assertIn("host n07 is slow since", opened["sentence"])
        self.assertIn("Retransmitted segments 4 % (its 8 peers: 0 %)", opened["sentence"])
        closed = told[-1]
        self.assertEqual(closed["onset"], opened["onset"])
        self.assertGreaterEqual(closed["end"]["ns"], begin_ns + TO_S * SECOND_NS)

        self.assertEqual(self.incidents(), [(opened["id"], closed["revision"], "closed", "network")])
        kept = sqlite3.connect(self.db)
        self.addCleanup(kept.close)
        self.assertEqual(kept.execute("SELECT count(*) FROM hosts WHERE group_key = 'role=train'").fetchone(), (9,))
        self.assertEqual(kept.execute("SELECT name, part FROM incident_hosts").fetchall(), [("n07", "cause")])

        report = self.reveal("report", "--fleet", self.db, "--since", "1h", "--json")
        self.assert_status(report, 0)
        costly = json.loads(report.stdout)["costly"]
        self.assertEqual([(one["who"], one["subsystem"], one["incidents"]) for one in costly], [("n07", "network", 1)])
        slow_s = (closed["hosts"][0]["slow_until"]["ns"] - opened["onset"]["ns"]) / SECOND_NS
        self.assertAlmostEqual(costly[0]["host_seconds"], slow_s, places=3)
        self.assertIn("n07   network            1", self.reveal("report", "--fleet", self.db).stdout)
        check_documented(self, self.db)

    def test_makes_the_streams_once_the_broker_is_there(self):
        analyser = self.start_analyser("--make-streams")
        self.assertIn("the streams are not made yet", analyser.stderr.readline())
        self.start_broker()
        while "the streams are made" not in analyser.stderr.readline():
            self.assertIsNone(analyser.poll())
        fleet = subprocess.run([MADE_FLEET, self.url, "2", "1", "0", "0", "0"], stdout=subprocess.PIPE, timeout=60)
        self.assertEqual(fleet.returncode, 0)
        self.end(analyser)

    def test_waits_for_a_broker_and_ends_when_asked(self):
        analyser = self.start_analyser()
        self.assertIn("no messages", analyser.stderr.readline())
        self.end(analyser)
        self.assertEqual(analyser.lines, [])

    def test_wrong_options_are_refused(self):
        outcome = self.reveal("analyser", "--servers", "nats://example.org:4222")
        self.assert_status(outcome, 2)
        self.assertIn("without encryption", outcome.stderr)


if __name__ == "__main__":
    if NATS is None:
        print("skipped: there is no broker (apt-get install nats-server)")
        sys.exit(SKIPPED)
    unittest.main()
