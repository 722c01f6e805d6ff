"""reveal analyser with a real broker: of nine hosts one loses segments, and is named. It takes two minutes, for
that is how long a host is watched before it can be called slow."""

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import unittest

from reveal_process import RevealTest, wait_until

NATS = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/bin")
MADE_FLEET = os.path.abspath(os.environ["MADE_FLEET"])
SKIPPED = 77  # SKIP_RETURN_CODE

SECOND_NS = 1_000_000_000
SLOW = 7
FROM_S = 128
TO_S = 140
SECONDS = 156


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class AnalyserTest(RevealTest):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self.db = self.folder / "fleet.db"

    def start_broker(self):
        configuration = self.folder / "nats.conf"
        configuration.write_text(
            f'listen: 127.0.0.1:{self.port}\njetstream {{store_dir: "{self.folder}/store", max_file_store: 16G}}\n')
        broker = subprocess.Popen([NATS, "-c", configuration], stderr=subprocess.DEVNULL)
        self.addCleanup(broker.wait)
        self.addCleanup(broker.kill)
        wait_until(lambda: is_listening(self.port), "the broker")

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

    def test_names_the_host_that_loses_segments(self):
        self.start_broker()
        analyser = self.start_analyser("--db", self.db, "--json", "--make-streams")
        wait_until(lambda: self.db.exists(), "the file")
        fleet = subprocess.run([MADE_FLEET, self.url, "9", str(SECONDS), str(SLOW), str(FROM_S), str(TO_S)],
                               stdout=subprocess.PIPE, text=True, timeout=SECONDS + 100)
        self.assertEqual(fleet.returncode, 0)
        begin_ns = int(fleet.stdout)
        wait_until(lambda: any('"closed"' in line for line in analyser.lines), "the end of the incident")
        self.end(analyser)

        told = [json.loads(line) for line in analyser.lines]
        self.assertEqual([one["told"] for one in told if one["told"] != "updated"], ["opened", "closed"])
        self.assertEqual(len({one["id"] for one in told}), 1)
        opened = told[0]
        self.assertEqual(opened["cause"], "n07")
        self.assertEqual(opened["subsystem"], "network")
        self.assertEqual(opened["group_size"], 9)
        self.assertEqual(opened["onset"]["ns"], begin_ns + FROM_S * SECOND_NS)
        self.assertIn("host n07 is slow since", opened["sentence"])
        self.assertIn("Retransmitted segments 4 % (its 8 peers: 0 %)", opened["sentence"])

        kept = sqlite3.connect(self.db)
        self.addCleanup(kept.close)
        rows = kept.execute("SELECT id, state, subsystem FROM incidents").fetchall()
        self.assertEqual(rows, [(opened["id"], "closed", "network")])
        self.assertEqual(kept.execute("SELECT count(*) FROM hosts WHERE group_key = 'role=train'").fetchone(), (9,))
        self.assertEqual(kept.execute("SELECT name, part FROM incident_hosts").fetchall(), [("n07", "cause")])

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
