"""A fleet asks its hosts through a real broker: what real agents answer, and what is said of those that are away."""

import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import unittest

from agent_processes import children_of
from broker import NATS, Broker
from reveal_process import original_signals, wait_until
from running_agent import AgentRun, Said

DRIVER = os.path.abspath(os.environ["FLEET_DRIVER"])
SKIPPED = 77  # SKIP_RETURN_CODE
USAGE, TOO_LITTLE, AWAY = 2, 3, 75
INCIDENT = "5d0c7f0a5c3e9b12"

FLEET = """
[fleet]
servers = ["{url}"]
role = "trainer"
answers = {answers}
"""


class Agent:
    """One of several agents of this test's host: `start` starts it in a folder of its own."""

    def __init__(self, test, name, answers="true"):
        self.test = test
        self.folder = test.folder / name
        self.folder.mkdir()
        self.state = self.folder / "state"
        self.configuration = self.folder / "reveal.toml"
        settings = test.settings.replace(f"unix:{test.folder}", f"unix:{self.folder}")
        self.configuration.write_text(settings + FLEET.format(url=test.broker.url, answers=answers))
        self.words = ("--config", self.configuration, "--directory", self.state)

    def start(self):
        self.process = self.test.start("agent", *self.words, *self.test.host.roots, preexec_fn=original_signals)
        self.said = Said(self.process)
        return self

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.test.assertEqual(self.process.wait(60), 0, self.said.text)

    def id(self):
        return (self.state / "state" / "identity").read_text().splitlines()[0]

    def health(self):
        return self.test.reveal("health", "--socket", self.folder / "agent.sock")

    def findings(self):
        return [json.loads(file.read_text()) for file in self.state.glob("findings/*/*/*/*/finding.json")]

    def finding_folder(self):
        (file,) = self.state.glob("findings/*/*/*/*/finding.json")
        return file.parent


def incident_of(agents):
    """The detail of an incident whose hosts these are, the first its cause."""
    time = {"ns": 1_700_000_000_000_000_000, "utc": "2023-11-14T22:13:20.000Z"}
    hosts = [{"id": agent.id(), "name": name, "part": "slow" if name != "n01" else "cause", "onset": time,
              "onset_error_ns": 0, "slow_until": time, "recovered": True, "finding": finding, "evidence": [],
              "facts": []} for name, agent, finding in agents]
    return {"schema": "reveal.incident", "schema_version": 1, "told": "closed", "id": INCIDENT, "group": "role=made",
            "revision": 1, "open": False, "of_all": False, "onset": time, "end": time, "group_size": 9, "lease": None,
            "cause": "n01", "subsystem": None, "sentence": "host n01 was slow", "hosts": hosts, "evidence": []}


class HostAnswersTest(AgentRun):
    def setUp(self):
        super().setUp()
        self.broker = Broker(self.folder)
        self.broker.start()
        self.addCleanup(lambda: self.broker.kill())
        self.db = self.folder / "fleet.db"

    def start_analyser(self):
        subprocess.run([DRIVER, "make", self.broker.url], check=True, timeout=60)
        analyser = self.start("analyser", "--servers", self.broker.url, "--db", self.db)
        analyser.said = Said(analyser)
        wait_until(self.db.exists, "the database")

    def keep(self, incident):
        kept = sqlite3.connect(self.db, timeout=60)
        with kept:
            kept.execute("INSERT INTO incidents (id, group_key, revision, state, onset_ns, end_ns, host, subsystem, sentence, detail) "
                         "VALUES (?, 'role=made', 1, 'closed', 1, 2, ?, '', '', ?)",
                         (incident["id"], incident["hosts"][0]["id"], json.dumps(incident)))
        kept.close()

    def explain(self, *words):
        return self.reveal("explain", INCIDENT, "--db", self.db, "--servers", self.broker.url, *words, text=False)

    def ask(self, agent, target):
        """Returns what is said of a host's answer, and its body."""
        host = agent if isinstance(agent, str) else agent.id()
        out = subprocess.run([DRIVER, "ask", self.broker.url, host, target], capture_output=True, timeout=120, check=False)
        return out.stderr.decode().strip(), out.stdout

    def find_something(self, agents):
        wait_until(lambda: all(agent.health().returncode == 0 for agent in agents), "verdicts")
        self.host.burst.set()
        wait_until(lambda: all(agent.findings() for agent in agents), "findings")
        self.host.burst.clear()
        wait_until(lambda: all(not agent.findings()[0]["open"] for agent in agents), "their ends")
        wait_until(lambda: all((agent.finding_folder() / "evidence").is_dir() for agent in agents), "the evidence")

    def test_an_incident_is_explained_as_on_its_host(self):
        self.start_analyser()
        first, second = Agent(self, "first").start(), Agent(self, "second").start()
        self.find_something([first, second])
        ids = [agent.finding_folder().name for agent in (first, second)]
        self.keep(incident_of([("n01", first, ids[0]), ("n02", second, ids[1]), ("n03", second, None)]))

        for agent, finding, words in ((first, ids[0], ()), (second, ids[1], ("--host", "n02")),
                                      (second, ids[1], ("--host", second.id()))):
            there = self.reveal("explain", finding, *agent.words, text=False)
            self.assert_status(there, 0)
            here = self.explain(*words)
            self.assert_status(here, 0)
            self.assertEqual(here.stdout, there.stdout)
            self.assertIn(f"Finding {finding} of ".encode(), here.stdout)
        self.says_why_there_is_none(ids)
        self.is_asked_as_a_viewer(first, ids[0])
        self.brings_megabytes(first, ids[0])
        self.lets_events_be_asked_for(second)

        shutil.rmtree(first.finding_folder())
        gone = self.explain()
        self.assertEqual(gone.returncode, 1)
        self.assertIn(b"n01: the host says: ", gone.stderr)
        self.assertIn(b"no finding with this id", gone.stderr)
        first.end()
        away = self.explain()
        self.assertEqual(away.returncode, AWAY)
        self.assertIn(b"n01 (" + first.id().encode() + b"): the host is not there now", away.stderr)
        judge = children_of(second.process.pid)["agent-judge"]
        os.kill(judge, signal.SIGSTOP)
        mute = self.explain("--host", "n02")
        os.kill(judge, signal.SIGCONT)
        self.assertEqual(mute.returncode, AWAY)
        self.assertIn(b"no reply in time", mute.stderr)
        wait_until(lambda: self.explain("--host", "n02").returncode == 0, "an answer again")

    def says_why_there_is_none(self, ids):
        none = self.explain("--host", "n03")
        self.assertEqual(none.returncode, TOO_LITTLE)
        self.assertIn(b"n03 has no finding of its own", none.stderr)
        self.assertIn(b"n01, n02 (--host)", none.stderr)
        self.assertEqual(self.explain("--host", "n04").returncode, USAGE)
        unknown = self.reveal("explain", "0" * 16, "--db", self.db, "--servers", self.broker.url)
        self.assert_complains(unknown, USAGE, "there is no incident")
        self.takes_the_database_of_the_analyser()

    def takes_the_database_of_the_analyser(self):
        toml = self.folder / "analyser.toml"
        toml.write_text(f'[fleet]\nservers = ["{self.broker.url}"]\n[analyser]\ndatabase = "{self.db}"\n')
        by_file = self.reveal("explain", INCIDENT, "--config", toml, text=False)
        self.assert_status(by_file, 0)
        self.assertEqual(by_file.stdout, self.explain().stdout)
        toml.write_text(f'[fleet]\nservers = ["{self.broker.url}"]\n')
        self.assert_complains(self.reveal("explain", INCIDENT, "--config", toml), USAGE, "--db DB, or database in [analyser]")

    def is_asked_as_a_viewer(self, agent, finding):
        """Whoever asks sees what a viewer sees, and changes nothing."""
        said, body = self.ask(agent, "/api/v1/status")
        self.assertEqual(said, "200 application/json")
        fleet = json.loads(body)["fleet"]
        self.assertIs(fleet["answers"], True)
        self.assertNotIn("answers_trouble", fleet)
        # The status is of the last second, and what was asked may be more recent.
        wait_until(lambda: json.loads(self.ask(agent, "/api/v1/status")[1])["fleet"]["answered"] >= 1, "the count")
        self.assertEqual(json.loads(self.ask(agent, f"/api/v1/findings/{finding}")[1])["id"], finding)
        for target in ("/-/mark", "/-/pin", "/-/reload"):
            self.assertEqual(self.ask(agent, target)[0], "405 application/json")
        self.assertEqual(self.ask(agent, "/api/v1/findings/../explanation")[0], "404 application/json")

    def brings_megabytes(self, agent, finding):
        folder = agent.finding_folder() / "evidence"
        padding = random.Random(1).randbytes(2_000_000)
        (folder / "padding").write_bytes(padding)
        said, body = self.ask(agent, f"/api/v1/findings/{finding}/recording")
        self.assertEqual(said, "200 application/x-tar")
        with tarfile.open(fileobj=io.BytesIO(body)) as members:
            names = {member.name.split("/")[1]: members.extractfile(member).read() for member in members.getmembers()}
        self.assertEqual(names, {file.name: file.read_bytes() for file in folder.iterdir()})
        (folder / "padding").write_bytes(random.Random(2).randbytes(17_000_000))
        said, body = self.ask(agent, f"/api/v1/findings/{finding}/recording")
        self.assertEqual(said, "413 application/json")
        self.assertIn(b"too much to be fetched through the broker", body)
        (folder / "padding").unlink()

    def lets_events_be_asked_for(self, agent):
        said, body = self.ask(agent, "/api/v1/stream")
        self.assertEqual(said, "200 text/event-stream")
        self.assertIn(b'"in_portions":true', body)
        known = body.rsplit(b"id: ", 1)[1].split(b"\n")[0].decode()
        wait_until(lambda: b"event: window" in self.ask(agent, f"/api/v1/stream?after={known}")[1], "an event")

    def test_a_host_that_is_not_to_answer_does_not(self):
        self.start_analyser()
        silent = Agent(self, "silent", answers="false").start()
        wait_until(lambda: "tells the fleet of this host" in silent.said.text, "the fleet's side")
        said, body = self.ask(silent, "/api/v1/status")
        self.assertIn("the host is not there now", said)
        self.assertEqual(body, b"")
        self.assertNotIn("answers what the fleet asks", silent.said.text)


if __name__ == "__main__":
    if NATS is None:
        print("skipped: there is no broker (apt-get install nats-server)")
        sys.exit(SKIPPED)
    unittest.main()
