"""The agent tells its fleet: a real agent, a real broker, and messages read by tools/read_wire.py, which shares no
line with the program."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

from agent_processes import children_of
from broker import NATS, Broker
from reveal_process import REPOSITORY, dispose, wait_until
from running_agent import AgentRun, Said

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

    def start_analyser(self, database):
        out = self.start("analyser", "--servers", self.broker.url, "--db", database)
        out.said = Said(out)
        return out

    def late_rows(self, database):
        kept = sqlite3.connect(database)
        try:
            return kept.execute("SELECT begin_ns, message, dictionary FROM late_seconds ORDER BY begin_ns").fetchall()
        finally:
            kept.close()

    def test_what_a_broker_missed_comes_from_the_recording_the_newest_first(self):
        levels = self.reader("RV_LVL", "rv1.lvl.>")
        late = self.reader("RV_LATE", "rv1.late.>")
        events = self.reader("RV_EV", "rv1.ev.>")
        database = self.folder / "fleet.db"
        analyser = self.start_analyser(database)
        agent = self.start_agent()
        wait_until(lambda: self.health().returncode == 0 and len(levels.messages) >= 5, "levels, and a verdict")
        time.sleep(3)
        self.broker.kill()
        went = time.monotonic()
        # What it finds meanwhile, and that another judge goes on, must not matter.
        self.host.burst.set()
        wait_until(self.findings, "the finding")
        self.host.burst.clear()
        wait_until(lambda: not self.findings()[0]["open"], "its end")
        judge = children_of(agent.pid)["agent-judge"]
        os.kill(judge, signal.SIGKILL)
        wait_until(lambda: children_of(agent.pid).get("agent-judge", judge) != judge, "another judge")
        time.sleep(max(3, went + 13 - time.monotonic()))
        before = levels.messages[-1]["sequence"]
        self.broker.start()
        wait_until(lambda: levels.messages[-1]["sequence"] > before, "levels again")
        after = next(one["sequence"] for one in levels.messages if one["sequence"] > before)
        self.assertGreater(after - before, 10)
        gap = set(range(before + 1, after))
        wait_until(lambda: gap <= {one["sequence"] for one in late.messages}, "what it missed")

        self.assertEqual((levels.waits, late.waits), (0, 0))
        self.assertTrue(all(one["back"] == 0 and one["flags"] & 8 for one in late.messages))
        self.assertFalse(any(one["flags"] & 8 for one in levels.messages))
        order = [one["sequence"] for one in late.messages]
        self.assertEqual(order, sorted(set(order), reverse=True), "newest first, and each once")
        self.assertEqual({one["run"] for one in late.messages}, {levels.messages[0]["run"]})
        # All seconds since the first one are there, and those of now went on.
        told = {one["sequence"]: one for one in late.messages + levels.messages}
        self.assertEqual(sorted(told), list(range(min(told), max(told) + 1)))
        self.assert_no_hole([one for one in levels.messages if one["sequence"] >= after])
        self.assertGreaterEqual(order[0], after - 1, "its tail is the first")
        self.assertLessEqual(order[-1], before + 1, "and where it began the last")

        wait_until(lambda: any(one["what"] == CLOSED for one in events.messages), "the event")
        finding = self.findings()[0]["id"]
        own = [one for one in events.messages if one["finding"] == finding]
        self.assertEqual([one["what"] for one in own].count(OPENED), 1)
        revisions = [one["revision"] for one in own]
        self.assertEqual(revisions, sorted(set(revisions)))

        # The analyser has them, once, and another one that was not there has them, too. On a busy machine more seconds
        # may be told late meanwhile: those of which the broker's word came too late.
        def has_all(database):
            return [row[0] for row in self.late_rows(database)] == sorted({one["time_ns"] for one in late.messages})

        wait_until(lambda: has_all(database), "rows")
        other = self.start_analyser(self.folder / "other.db")
        wait_until(lambda: "messages come from the broker" in other.said.text, "its database")
        wait_until(lambda: has_all(self.folder / "other.db"), "rows of the other one")
        wait_until(lambda: self.late_rows(self.folder / "other.db") == self.late_rows(database), "the same rows")
        rows = self.late_rows(database)
        kept = sqlite3.connect(database)
        self.addCleanup(kept.close)
        plain = dict(kept.execute("SELECT number, plain FROM late_dictionaries"))
        for _, message, dictionary in rows:
            second = read_wire.Reader().read(bytes.fromhex(message))
            quantities = read_wire.read_dictionary(bytes.fromhex(plain[dictionary]))["quantities"]
            self.assertEqual(len(second["codes"]), len(quantities))
        ids = "SELECT count(*) FROM findings WHERE id = ?"  # events come by a stream of their own
        wait_until(lambda: kept.execute(ids, (finding,)).fetchone() != (0,), "the finding")
        self.assertEqual(kept.execute(ids, (finding,)).fetchone(), (1,))
        self.assertEqual(kept.execute("SELECT count(*) FROM incidents").fetchone(), (0,))
        wait_until(lambda: json.loads(self.ask("/api/v1/status"))["fleet"]["owed_seconds"] <= 3, "nothing to be owed")
        self.end(analyser)
        self.end(other)

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
