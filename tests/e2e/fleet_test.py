"""The agent tells its fleet: a real agent, a real broker, and messages read by tools/read_wire.py, which shares no
line with the program."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from broker import NATS, Broker
from reveal_process import REPOSITORY, dispose, wait_until
from running_agent import AgentRun

sys.path.insert(0, str(REPOSITORY / "tools"))
import read_wire  # noqa: E402

DRIVER = os.path.abspath(os.environ["FLEET_DRIVER"])
SKIPPED = 77  # SKIP_RETURN_CODE
SECOND_NS = 1_000_000_000
OPENED, UPDATED, CLOSED = 1, 2, 3

FLEET = """
[fleet]
servers = ["nats://127.0.0.1:{port}"]
site = "lab"
role = "trainer"
labels = ["rack=r4"]
"""


def broker_with_streams(folder):
    broker = Broker(folder)
    broker.start()
    subprocess.run([DRIVER, "make", broker.url], check=True, timeout=60)
    return broker


class Reader:
    """What a stream has of one host, as it comes. `waits`: levels whose base was missing."""

    def __init__(self, broker, stream, subject):
        self.messages = []
        self.subjects = set()
        self.waits = 0
        self._wire = read_wire.Reader()
        self.process = subprocess.Popen([DRIVER, "read", broker.url, stream, subject], stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            subject, message = line.split()
            self.subjects.add(subject)
            try:
                self.messages.append(self._wire.read(bytes.fromhex(message)))
            except read_wire.Waits:
                self.waits += 1


class FleetTest(AgentRun):
    def setUp(self):
        super().setUp()
        self.broker = broker_with_streams(self.folder)
        self.addCleanup(lambda: self.broker.kill())
        self.configuration.write_text(self.settings + FLEET.format(port=self.broker.port))

    def reader(self, stream, subject):
        out = Reader(self.broker, stream, subject)
        self.addCleanup(dispose, out.process)
        return out

    def host_id(self):
        return (self.state / "state" / "identity").read_text().splitlines()[0]

    def assert_no_hole(self, levels):
        """Each second once, in its order."""
        numbers = [one["sequence"] for one in levels]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))))
        times = [one["time_ns"] for one in levels]
        self.assertEqual(times, list(range(times[0], times[0] + len(times) * SECOND_NS, SECOND_NS)))

    def test_levels_facts_and_events(self):
        levels = self.reader("RV_LVL", "rv1.lvl.>")
        others = self.reader("RV_FACT", ">")
        events = self.reader("RV_EV", "rv1.ev.>")
        agent = self.start_agent()
        wait_until(lambda: len(levels.messages) >= 8, "eight seconds of levels")
        host = self.host_id()
        self.assertRegex(host, "^[a-z2-7]{26}$")
        self.assertEqual(levels.subjects, {f"rv1.lvl.lab.{host}"})
        self.assertEqual(levels.messages[0]["flags"] & 1, 1, "it learns")
        self.assertIn(f"tells the fleet of this host as {host}, at site lab", agent.said.text)

        wait_until(lambda: {one["type"] for one in others.messages} == {"dictionary", "facts"}, "facts")
        facts = next(one for one in others.messages if one["type"] == "facts")
        self.assertEqual((facts["labels"], facts["groups"]), ([("rack", "r4")], ["role=trainer"]))
        self.assertEqual(facts["host"], (self.host.path / "proc/sys/kernel/hostname").read_text().strip())
        self.assertGreater(len(facts["facts"]), 20)

        wait_until(lambda: self.health().returncode == 0, "a verdict")
        time.sleep(3)
        self.host.burst.set()
        wait_until(lambda: events.messages, "the event")
        first = events.messages[0]
        self.assertEqual((first["what"], first["revision"]), (OPENED, 1))
        wait_until(self.findings, "the finding")
        self.assertEqual(first["finding"], self.findings()[0]["id"])
        self.assertEqual(json.loads(first["detail"])["subsystem"], "storage")
        self.host.burst.clear()
        wait_until(lambda: events.messages[-1]["what"] == CLOSED, "its end")
        own = [one for one in events.messages if one["finding"] == first["finding"]]
        self.assertEqual([one["revision"] for one in own], list(range(1, len(own) + 1)))
        self.assertTrue(any(one["votes"] >= 2 and one["strength"] > 0 for one in levels.messages))

        self.assert_no_hole(levels.messages)
        self.assertEqual(levels.waits, 0)
        dictionaries = {one["number"]: one for one in others.messages if one["type"] == "dictionary"}
        for second in levels.messages:
            self.assertEqual(len(second["codes"]), len(dictionaries[second["dictionary"]]["quantities"]))
        last = dictionaries[levels.messages[-1]["dictionary"]]["quantities"]
        names = [one["metric"] for one in last]
        self.assertIn("storage_io_pressure_some_seconds_total", names)
        waits = last[names.index("storage_io_pressure_some_seconds_total")]
        self.assertGreater(waits["least_rise"], 0)

        metrics = self.ask("/metrics")
        self.assertIn("reveal_fleet_up 1\n", metrics)
        self.assertIn("reveal_fleet_messages_lost_total 0\n", metrics)
        status = json.loads(self.ask("/api/v1/status"))["fleet"]
        self.assertEqual((status["site"], status["host_id"]), ("lab", host))

        # The next agent is the same host, and opens no finding twice.
        self.end(agent)
        told = len(events.messages)
        seconds = len(levels.messages)
        self.start_agent()
        wait_until(lambda: len(levels.messages) >= seconds + 5, "more levels")
        self.assertEqual(self.host_id(), host)
        self.assertEqual(len(levels.subjects), 1)
        self.assertEqual(len({one["run"] for one in levels.messages}), 1)
        # What it cost may have become known meanwhile.
        later = events.messages[told:]
        self.assertLess(len(later), 2)
        for event in later:
            self.assertEqual((event["finding"], event["what"], event["revision"]),
                             (first["finding"], CLOSED, own[-1]["revision"] + 1))

    def test_a_broker_that_was_killed_is_told_again_from_a_key_message_on(self):
        levels = self.reader("RV_LVL", "rv1.lvl.>")
        agent = self.start_agent()
        wait_until(lambda: len(levels.messages) >= 5, "levels")
        before = levels.messages[-1]["sequence"]
        self.broker.kill()
        wait_until(lambda: "the fleet is not told" in self.health().stdout, "the trouble")
        self.assertNotIn("WARNING - the fleet", self.health().stdout)
        time.sleep(12)
        self.assertIn("the fleet: ", agent.said.text)
        self.broker.start()
        wait_until(lambda: levels.messages[-1]["sequence"] > before + 10, "levels again")
        wait_until(lambda: "the fleet is told again" in agent.said.text, "the line")
        # Seconds that are not told are missing, and no level is told that is not one.
        self.assertEqual(levels.waits, 0)
        numbers = [one["sequence"] for one in levels.messages]
        self.assertEqual(numbers, sorted(set(numbers)))
        after = next(one for one in levels.messages if one["sequence"] > before + 5)
        self.assertEqual(after["back"], 0)
        wait_until(lambda: "reveal_fleet_up 1\n" in self.ask("/metrics"), "the metrics")
        self.assertNotIn("reveal_fleet_messages_lost_total 0\n", self.ask("/metrics"))

    def test_another_hosts_id_is_refused_and_all_else_goes_on(self):
        (self.state / "state").mkdir(parents=True)
        (self.state / "state" / "identity").write_text("nobody\n")
        agent = self.start_agent()
        self.wait_recorded()
        wait_until(lambda: "the fleet is told nothing: " in agent.said.text, "the error")
        wait_until(lambda: self.health().returncode == 0, "a verdict")
        self.assertIn("does not hold the id of a host", self.health().stdout)
        self.assertIn("reveal_fleet_up 0\n", self.ask("/metrics"))

    def test_the_configuration_is_checked(self):
        check = ["agent", "--check-config", "--config", self.configuration, "--directory", self.state]
        self.assert_status(self.reveal(*check), 0)
        self.configuration.write_text('[fleet]\nservers = "nats://far.example:4222"\n')
        self.assert_complains(self.reveal(*check), 2, "line 2: servers: ", "without encryption")
        self.configuration.write_text('[fleet]\nservers = "tls://a:1"\ncredentials_file = "none.creds"\n')
        self.assert_complains(self.reveal(*check), 2, "line 3: credentials_file: none.creds")


if __name__ == "__main__":
    if NATS is None:
        print("skipped: no nats-server here (apt-get install nats-server libnats3.4)")
        sys.exit(SKIPPED)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    unittest.main()
