"""Two analysers with one broker and one file: one judges a group, the other one takes over when that is killed,
suspended, or stopped, and what is told is told once."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from broker import NATS, Broker
from reveal_process import RevealTest, dispose, wait_until
from running_analyser import Analyser

MADE_FLEET = os.path.abspath(os.environ["MADE_FLEET"])
SKIPPED = 77  # SKIP_RETURN_CODE

GROUP = "role=train"
SLOW = 7
FROM_S = 128
TO_S = 178
SECONDS = 225
# A lease of five seconds, and some looks at it.
TAKEOVER_S = 6


class LeasesTest(RevealTest):
    def setUp(self):
        super().setUp()
        broker = Broker(self.folder)
        broker.start()
        self.addCleanup(broker.kill)
        self.url = broker.url
        self.db = self.folder / "fleet.db"

    def start_analyser(self):
        return Analyser(GROUP, self.start("analyser", "--servers", self.url, "--db", self.db, "--json", "--make-streams"))

    def start_fleet(self, hosts, seconds, slow, begin, end):
        fleet = subprocess.Popen([MADE_FLEET, self.url, *map(str, (hosts, seconds, slow, begin, end))],
                                 stdout=subprocess.PIPE, text=True)
        self.addCleanup(dispose, fleet)
        return int(fleet.stdout.readline()) / 1e9

    def rows(self, statement):
        kept = sqlite3.connect(self.db, timeout=30)
        try:
            return kept.execute(statement).fetchall()
        finally:
            kept.close()

    def both(self):
        """Two analysers, the one that judges first."""
        one = self.start_analyser()
        wait_until(self.db.exists, "the file")
        begin = self.start_fleet(9, SECONDS, SLOW, FROM_S, TO_S)
        wait_until(one.judges, "the first to judge")
        other = self.start_analyser()
        wait_until(lambda: any(f"{GROUP} is judged by" in line for _, line in other.notices), "the other to know")
        return begin, one, other

    def test_one_incident_over_a_kill_restarts_and_a_stop(self):
        begin, killed, second = self.both()
        time.sleep(max(0, begin + FROM_S - time.time()))
        wait_until(killed.news, "the incident")
        killed_at = time.monotonic()
        killed.end(signal.SIGKILL)
        wait_until(second.judges, "the second to take over")
        self.assertLess(second.judges() - killed_at, TAKEOVER_S)

        # Both are started again, one after the other. Who is asked to end gives the lease back.
        third = self.start_analyser()
        wait_until(lambda: any("is judged by" in line for _, line in third.notices), "the third to know")
        ended_at = time.monotonic()
        self.assertEqual(second.end(signal.SIGTERM), 0)
        wait_until(third.judges, "the third to take over")
        self.assertLess(third.judges() - ended_at, 3)
        fourth = self.start_analyser()
        wait_until(lambda: any("is judged by" in line for _, line in fourth.notices), "the fourth to know")

        # Who is stopped over the end of the incident has it to tell when it goes on.
        time.sleep(max(0, begin + TO_S - 3 - time.time()))
        third.signal(signal.SIGSTOP)
        stopped_at = time.monotonic()
        wait_until(fourth.judges, "the fourth to take over")
        self.assertLess(fourth.judges() - stopped_at, TAKEOVER_S)
        wait_until(lambda: any(one["told"] == "closed" for one in fourth.news()), "the end of the incident")
        before = len(third.told)
        third.signal(signal.SIGCONT)
        wait_until(lambda: any("no longer judges" in line for _, line in third.notices), "the loss of the lease")
        # Long enough for it to read what it missed, and to settle what it may think is open.
        time.sleep(10)
        self.assertEqual(third.told[before:], [])
        self.assertIsNone(third.judges())

        for one in (third, fourth):
            self.assertEqual(one.end(signal.SIGTERM), 0)
        runs = (killed, second, third, fourth)
        told = sorted(((at, json.loads(line)) for run in runs for at, line in run.told), key=lambda one: one[0])
        told = [one for _, one in told]
        self.assertEqual([one["told"] for one in told if one["told"] != "updated"], ["opened", "closed"])
        self.assertEqual(len({one["id"] for one in told}), 1)
        self.assertEqual([one["revision"] for one in told], list(range(1, len(told) + 1)))
        leases = [one["lease"] for one in told]
        self.assertEqual(leases, sorted(leases))
        self.assertGreater(leases[-1], leases[0])
        self.assertEqual(self.rows("SELECT id, revision, state, lease FROM incidents"),
                         [(told[0]["id"], told[-1]["revision"], "closed", leases[-1])])
        self.assertEqual(self.rows("SELECT group_key, lease FROM leases"), [(GROUP, leases[-1])])
        self.assertEqual(self.rows("SELECT count(*) FROM hosts"), [(9,)])


if __name__ == "__main__":
    if NATS is None:
        print("skipped: there is no broker (apt-get install nats-server)")
        sys.exit(SKIPPED)
    unittest.main()
