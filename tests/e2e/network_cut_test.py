"""A network that swallows what is sent: neither the agent nor the analyser is told that the broker is away, and no
connection is closed. The test has a network of its own, in which packets to and from the broker are dropped."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest

from broker import NATS, Broker
from fleet_test import DRIVER, FLEET, SECOND_NS, Reader
from reveal_process import dispose, wait_until
from running_agent import AgentRun, Said

SKIPPED = 77  # SKIP_RETURN_CODE
INSIDE = "REVEAL_TEST_HAS_ITS_NETWORK"
NFT = shutil.which("nft") or shutil.which("nft", path="/usr/sbin")
RULES = """
table inet cut {{
  chain input {{
    type filter hook input priority 0;
    tcp dport {port} drop
    tcp sport {port} drop
  }}
}}
"""
CUT_S = 50
# An unanswered message is waited for for 5 s; a health check asks what is so now.
AGENT_S = 15
# A lease is given up 4 s after the last answer.
LEASE_S = 6
# Pings of 10 s, of which two may be unanswered, and 2 s for each subscriber that tries to come back.
ANALYSER_S = 60
# A pause of at most 30 s, and 2 s for a connection.
BACK_S = 60


class NetworkCutTest(AgentRun):
    def setUp(self):
        super().setUp()
        self.broker = Broker(self.folder)
        self.broker.start()
        self.addCleanup(self.broker.kill)
        subprocess.run([DRIVER, "make", self.broker.url], check=True, timeout=60)
        self.configuration.write_text(self.settings + FLEET.format(port=self.broker.port))
        self.database = self.folder / "fleet.db"

    def cut(self):
        subprocess.run([NFT, "-f", "-"], input=RULES.format(port=self.broker.port), text=True, check=True)
        return time.monotonic()

    def mend(self):
        subprocess.run([NFT, "delete", "table", "inet", "cut"], check=True)
        return time.monotonic()

    def seconds_until(self, condition, since, most, what):
        wait_until(condition, what)
        took = time.monotonic() - since
        print(f"{what}: {took:.1f} s", file=sys.stderr)
        self.assertLess(took, most, what)

    def fleet_status(self):
        return json.loads(self.ask("/api/v1/status"))["fleet"]

    def late_times(self):
        kept = sqlite3.connect(self.database)
        try:
            return {row[0] for row in kept.execute("SELECT begin_ns FROM late_seconds")}
        finally:
            kept.close()

    def test_it_is_noticed_and_what_was_missed_comes_afterwards(self):
        reader = Reader(self.broker, "RV_LVL", "rv1.lvl.>")
        self.addCleanup(dispose, reader.process)
        analyser = self.start("analyser", "--servers", self.broker.url, "--db", self.database)
        analyser.said = Said(analyser)
        agent = self.start_agent()
        wait_until(lambda: len(reader.messages) >= 5 and self.health().returncode == 0, "levels, and a verdict")
        wait_until(lambda: "judges role=trainer" in analyser.said.text, "the lease")
        first = reader.messages[0]["time_ns"]

        cut_at = self.cut()
        self.seconds_until(lambda: "no longer judges role=trainer" in analyser.said.text, cut_at, LEASE_S,
                           "the analyser gives its lease up")
        self.seconds_until(lambda: "the fleet is not told" in self.health().stdout, cut_at, AGENT_S,
                           "the agent says that the fleet is not told")
        self.seconds_until(lambda: "no messages: " in analyser.said.text, cut_at, ANALYSER_S,
                           "the analyser says that no messages come")
        self.assertNotIn("WARNING - the fleet", self.health().stdout)
        time.sleep(max(0, cut_at + CUT_S - time.monotonic()))
        self.assertGreater(self.fleet_status()["owed_seconds"], CUT_S - 10)
        gap_ns = time.time_ns() - CUT_S * SECOND_NS // 2

        mended_at = self.mend()
        before = len(reader.messages)
        self.seconds_until(lambda: len(reader.messages) > before + 2, mended_at, BACK_S, "levels come again")
        self.seconds_until(lambda: analyser.said.text.rfind("judges role=trainer") > analyser.said.text.rfind("no longer"),
                           mended_at, BACK_S, "the analyser judges again")
        self.seconds_until(lambda: self.fleet_status()["owed_seconds"] <= 3, mended_at, 2 * BACK_S, "nothing is owed")
        self.assertIn("the fleet is told again", agent.said.text)

        # Every second is there, told in time or late.
        def missing():
            told = {one["time_ns"] for one in reader.messages} | self.late_times()
            return set(range(first, max(told) - 5 * SECOND_NS, SECOND_NS)) - told

        wait_until(lambda: not missing(), "all seconds")
        self.assertTrue(any(abs(at - gap_ns) < 5 * SECOND_NS for at in self.late_times()))


def can_cut():
    """Whether a network of its own can be had, and packets dropped in it."""
    if NFT is None:
        return False
    tried = subprocess.run(["unshare", "-n", "sh", "-c", f"{NFT} add table inet cut"], capture_output=True, check=False)
    return tried.returncode == 0


if __name__ == "__main__":
    if NATS is None or not can_cut():
        print("skipped: it needs nats-server, nft, and the right to make a network (root)")
        sys.exit(SKIPPED)
    if INSIDE not in os.environ:
        os.execvpe("unshare", ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, "-B",
                               *sys.argv], os.environ | {INSIDE: "1"})
    unittest.main()
