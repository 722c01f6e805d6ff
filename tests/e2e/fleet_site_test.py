"""The fleet over HTTP, with a real broker: two analysers of one made fleet show the same incident, on their streams and
in their answers, also after a restart."""

import base64
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

from broker import NATS, Broker
from reveal_process import RevealTest, dispose, wait_until
from running_agent import Said

MADE_FLEET = os.path.abspath(os.environ["MADE_FLEET"])
PROMTOOL = shutil.which("promtool")
SKIPPED = 77  # SKIP_RETURN_CODE

HOSTS = 9
SLOW = 7
FROM_S = 128
TO_S = 150
SECONDS = 172
SLOW_MARK = 255
NO_LEVEL = 0xFFFF


def level_of(code):
    """As docs/wire_format.md says, for the floor 1."""
    signed = code - 0x10000 if code > 0x7FFF else code
    size = struct.unpack("<f", struct.pack("<I", abs(signed) << 17))[0]
    return -size if signed < 0 else size


class Stream:
    """Reads events in a thread of its own."""

    def __init__(self, url):
        self.events = []  # (kind, data, bytes)
        self._answer = urllib.request.urlopen(url + "/api/v1/stream", timeout=120)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        kind, size = "", 0
        try:
            for line in self._answer:
                size += len(line)
                if line.startswith(b"event: "):
                    kind = line[7:].decode().strip()
                elif line.startswith(b"data: "):
                    self.events.append((kind, json.loads(line[6:]), size))
                elif line == b"\n":
                    size = 0
        except (OSError, ValueError):  # the analyser has ended
            pass

    def of(self, kind):
        return [data for each, data, _ in list(self.events) if each == kind]


class FleetSiteTest(RevealTest):
    def setUp(self):
        super().setUp()
        self.broker = Broker(self.folder)
        self.broker.start()
        self.addCleanup(self.broker.kill)
        self.db = self.folder / "fleet.db"

    def start_analyser(self, *words):
        analyser = self.start("analyser", "--servers", self.broker.url, "--make-streams", "--listen", "127.0.0.1:0",
                              *words, stdout=subprocess.DEVNULL)
        analyser.said = Said(analyser)
        wait_until(lambda: "answers at" in analyser.said.text, "the analyser's address")
        analyser.url = "http://" + re.search(r"answers at (127\.0\.0\.1:\d+)", analyser.said.text)[1]
        return analyser

    def start_fleet(self, *words):
        fleet = subprocess.Popen([MADE_FLEET, self.broker.url, *map(str, words)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(dispose, fleet)
        return fleet

    def end(self, analyser):
        analyser.send_signal(signal.SIGTERM)
        self.assertEqual(analyser.wait(60), 0)

    def ask(self, analyser, path, **headers):
        request = urllib.request.Request(analyser.url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def json(self, analyser, path):
        return json.loads(self.ask(analyser, path))

    def status(self, analyser, path, **headers):
        try:
            self.ask(analyser, path, **headers)
        except urllib.error.HTTPError as error:
            return error.code
        return 200

    def incidents(self, analyser, query=""):
        return self.json(analyser, "/api/v1/incidents" + query)["incidents"]

    def check_hosts(self, analyser):
        fleet = self.json(analyser, "/api/v1/fleet")
        self.assertEqual(fleet["counts"]["hosts"], HOSTS)
        self.assertEqual(fleet["counts"]["compared"], HOSTS)
        self.assertEqual([(one["key"], one["name"], one["kind"], one["hosts"]) for one in fleet["groups"]],
                         [("role=train", "role train", "role", HOSTS)])
        hosts = self.json(analyser, "/api/v1/hosts?group=role%3Dtrain")["hosts"]
        self.assertEqual(hosts["id"], sorted(hosts["id"]))
        self.assertEqual(hosts["name"][SLOW], f"n{SLOW:02}")
        self.assertEqual({hosts["standings"][place] for place in hosts["standing"]}, {"compared"})
        detail = self.json(analyser, "/api/v1/hosts/" + hosts["id"][SLOW])
        self.assertEqual((detail["name"], detail["standing"], detail["group"]), (f"n{SLOW:02}", "compared", "role=train"))
        self.assertEqual(detail["facts"]["host"]["kernel"], "6.1.0")
        self.assertEqual(self.status(analyser, "/api/v1/hosts/none"), 404)
        targets = self.json(analyser, "/api/v1/prometheus_targets")
        self.assertEqual(targets[SLOW]["targets"], [f"n{SLOW:02}:7383"])

    def levels(self, analyser, metric):
        quantities = self.json(analyser, "/api/v1/quantities?group=role%3Dtrain")["quantities"]
        key = next(one["key"] for one in quantities if one["key"].startswith(metric))
        answer = self.json(analyser, "/api/v1/levels?group=role%3Dtrain&quantity=" + urllib.request.quote(key))
        codes = struct.unpack(f"<{answer['seconds'] * answer['hosts']}H", base64.b64decode(answer["codes"]))
        return answer, [codes[at:at + answer["hosts"]] for at in range(0, len(codes), answer["hosts"])]

    def check_levels(self, analyser):
        answer, rows = self.levels(analyser, "network_tcp_retransmit_ratio")
        self.assertEqual(answer["hosts"], HOSTS)
        self.assertEqual(answer["unit"], "ratio")
        slow = [level_of(row[SLOW]) for row in rows if row[SLOW] != NO_LEVEL]
        self.assertAlmostEqual(max(slow), 0.04, delta=0.0004)
        self.assertEqual({row[0] for row in rows} - {NO_LEVEL}, {0})
        self.assertEqual(answer["median"][-1], 0)
        # What is no saturation signal is kept from when somebody asks for it.
        wait_until(lambda: self.levels(analyser, "storage_read_bytes_total")[0]["seconds"] >= 3, "levels of reads")
        answer, rows = self.levels(analyser, "storage_read_bytes_total")
        self.assertAlmostEqual(answer["median"][-1], 5e6, delta=2e5)
        self.assertAlmostEqual(level_of(rows[-1][SLOW]), 5e6, delta=2e5)

    def check_metrics(self, analyser):
        text = self.ask(analyser, "/metrics").decode()
        self.assertIn('\nreveal_fleet_hosts{standing="compared"} 9\n', text)
        self.assertLessEqual(len([line for line in text.splitlines() if not line.startswith("#")]), 100)
        if PROMTOOL is None:
            return
        checked = subprocess.run([PROMTOOL, "check", "metrics"], input=text, capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))

    def test_two_analysers_show_the_same_incident(self):
        analysers = [self.start_analyser("--db", self.db) for _ in range(2)]
        first = analysers[0]
        self.assertEqual(self.status(first, "/-/healthy"), 200)
        self.assertEqual(self.status(first, "/-/ready"), 503)
        fleet = self.start_fleet(HOSTS, SECONDS, SLOW, FROM_S, TO_S)
        fleet.stdout.readline()
        streams = [Stream(one.url) for one in analysers]
        for one in analysers:
            wait_until(lambda one=one: self.json(one, "/api/v1/fleet")["state"] == "judging", "the first second")
        wait_until(lambda: self.status(first, "/-/ready") == 200, "the analyser to be ready")
        time.sleep(10)
        for one in analysers:
            self.check_hosts(one)
        here = [self.json(one, "/api/v1/fleet")["groups"][0]["judged_here"] for one in analysers]
        self.assertEqual(sorted(here), [False, True])
        self.assertIn(b"role train", self.ask(first, "/"))

        time.sleep(FROM_S - 20)
        for one in analysers:
            wait_until(lambda one=one: self.incidents(one, "?open=true"), "the open incident")
        shown = [self.incidents(one, "?open=true") for one in analysers]
        self.assertEqual([len(one) for one in shown], [1, 1])
        self.assertEqual(shown[0][0]["id"], shown[1][0]["id"])
        self.assertEqual(shown[0][0]["cause"], f"n{SLOW:02}")
        self.assertIn("is slow since", shown[0][0]["sentence"])
        for one, stream in zip(analysers, streams):
            wait_until(lambda stream=stream: stream.of("incident"), "the incident on the stream")
            told = stream.of("incident")[0]
            self.assertEqual((told["told"], told["incident"]["id"]), ("opened", shown[0][0]["id"]))
            self.check_levels(one)
            self.check_metrics(one)
        marks = [base64.b64decode(group["marks"]) for group in (group for event in streams[0].of("fleet")
                                                                  for group in event["groups"]) if "marks" in group]
        self.assertTrue(any(one[SLOW] == SLOW_MARK for one in marks))
        self.assertFalse(any(mark == SLOW_MARK for one in marks for host, mark in enumerate(one) if host != SLOW))

        for one in analysers:
            wait_until(lambda one=one: self.incidents(one, "?open=false"), "the end of the incident")
            self.assertEqual(self.incidents(one, "?open=true"), [])
        shown = [self.incidents(one) for one in analysers]
        self.assertEqual([[incident["id"] for incident in one] for one in shown], [[shown[0][0]["id"]]] * 2)
        one_incident = "/api/v1/incidents/" + shown[0][0]["id"]
        self.assertFalse(self.json(first, one_incident)["open"])
        for one in analysers:
            self.end(one)
        # The next one has it from the database.
        again = self.start_analyser("--db", self.db)
        self.assertEqual([one["id"] for one in self.incidents(again)], [shown[0][0]["id"]])
        self.assertEqual(self.json(again, one_incident)["told"], "closed")
        self.end(again)

    def test_wrong_addresses_are_refused(self):
        for address, why in (("somewhere", "somewhere"), ("0.0.0.0:0", "0.0.0.0")):
            outcome = self.reveal("analyser", "--servers", self.broker.url, "--listen", address)
            self.assert_status(outcome, 2)
            self.assertIn(why, outcome.stderr)


if __name__ == "__main__":
    if NATS is None:
        print("skipped: there is no broker (apt-get install nats-server)")
        sys.exit(SKIPPED)
    unittest.main()
