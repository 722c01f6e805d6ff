"""reveal agent: one service that records, judges, keeps what it found, and outlives its own parts."""

import ctypes
import json
import os
import re
import pathlib
import signal
import socket
import struct
import time
import unittest

from reveal_process import REPOSITORY, wait_until
from running_agent import AgentRun, children_of

REFERENCE = (REPOSITORY / "docs" / "reference" / "agent_metrics.md").read_text()


class Openings:
    """Tells how often a file was opened (inotify(7))."""

    OPEN, CLOSE = 0x20, 0x18
    EVENT = struct.Struct("iIII")

    def __init__(self, path):
        libc = ctypes.CDLL(None, use_errno=True)
        self._events = os.fdopen(libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC), "rb", buffering=0)
        if libc.inotify_add_watch(self._events.fileno(), os.fsencode(path), self.OPEN | self.CLOSE) < 0:
            raise OSError(ctypes.get_errno(), "inotify_add_watch")

    def so_far(self):
        """To be called once. Closing comes between two openings, so no two are told as one."""
        with self._events:
            events = self._events.read(65536) or b""
        return sum(mask & self.OPEN != 0 for _, mask, _, _ in self.EVENT.iter_unpack(events))


class AgentTest(AgentRun):
    def test_records_judges_and_keeps_a_finding_from_begin_to_end(self):
        self.configuration.write_text(self.settings.replace("[alerts]\n", '[alerts]\nlabels = ["cluster=a"]\n')
                                      .replace("[web]\n", '[web]\nurl = "https://n017:7383"\n')
                                      + "[[alerts.journal]]\n")
        agent = self.start_agent()
        self.wait_recorded()
        wait_until(lambda: self.health().returncode == 1 and "learning" in self.health().stdout, "learning")
        wait_until(lambda: self.health().returncode == 0, "a verdict")
        time.sleep(3)
        self.host.burst.set()
        wait_until(self.findings, "a finding")
        first = self.findings()[0]
        self.assertEqual(first["subsystem"], "storage", first)
        self.assertTrue(first["open"])
        wait_until(self.told, "the receiver")
        self.assertEqual(self.told()[0]["status"], "firing")
        self.assertEqual(self.told()[0]["reveal"]["finding"]["id"], first["id"])
        told = self.told()[0]["alerts"][0]
        self.assertEqual(told["labels"]["cluster"], "a")
        self.assertEqual(told["generatorURL"], f"https://n017:7383/#{first['id']}")
        wait_until(lambda: re.search(r"<\d>RevealFinding is open \(\w+\) .*subsystem=storage", agent.said.text),
                   "the line for the journal")
        wait_until(lambda: self.health().returncode in (1, 2), "the state")
        self.assertIn("reveal_findings_open", self.ask("/metrics"))
        listed = json.loads(self.ask("/api/v1/findings?open=true"))
        self.assertEqual([one["id"] for one in listed["findings"]], [first["id"]])
        self.host.burst.clear()
        wait_until(lambda: not self.findings()[0]["open"], "its end")
        last = self.findings()[0]
        self.assertEqual(last["id"], first["id"])
        self.assertGreater(last["revision"], first["revision"])
        self.assertEqual(len(self.findings()), 1)
        self.assertIn(f"finding {last['id']}: storage", agent.said.text)
        wait_until(lambda: f"finding ended {last['id']}: storage" in agent.said.text, "the log")
        wait_until(lambda: len(self.told()) > 1 and self.told()[-1]["status"] == "resolved", "the all-clear")
        wait_until(lambda: "<5>RevealFinding is over" in agent.said.text, "its line")
        wait_until(lambda: not self.lacking_metrics(), "each metric of the reference")

        # The next agent judges the same once more, and has no news of it.
        self.end(agent)
        told = self.told()
        kinds = [one["reveal"]["kind"] for one in told]  # it may have become graver
        self.assertEqual((kinds[0], kinds[-1], set(kinds[1:-1]) - {"update"}), ("open", "close", set()), kinds)
        self.assertEqual(len({one["reveal"]["event"] for one in told}), len(told))
        agent = self.start_agent()
        wait_until(lambda: "agent-judge" in children_of(agent.pid), "the judge")
        time.sleep(8)
        self.end(agent)
        self.assertEqual([one["id"] for one in self.findings()], [last["id"]])
        self.assertNotIn("finding", agent.said.text)
        self.assertEqual(self.told(), told)
        self.assert_status(self.health(), 3)

    def lacking_metrics(self):
        """Those of the reference that the agent does not tell, but those of a fleet: it has none."""
        said = self.ask("/metrics") + self.ask("/metrics?collect[]=sources")
        names = re.findall(r"^\| `(\w+)` \|", REFERENCE, re.M)
        self.assertGreater(len(names), 40)
        return [name for name in names
                if not name.startswith("reveal_fleet_") and not re.search(rf"^{name}(_bucket)?[ {{]", said, re.M)]

    def test_a_killed_judge_costs_no_tick_and_comes_back(self):
        agent = self.start_agent()
        self.wait_recorded()
        recorder = children_of(agent.pid)["agent-recorder"]
        # By this name ps and top show it, whatever it was executed as.
        self.assertEqual(pathlib.Path(f"/proc/{recorder}/comm").read_text(), "reveal\n")
        for _ in range(3):
            wait_until(lambda: "agent-judge" in children_of(agent.pid), "the judge")
            judge = children_of(agent.pid)["agent-judge"]
            os.kill(judge, signal.SIGKILL)
            wait_until(lambda: children_of(agent.pid).get("agent-judge", judge) != judge, "another")
        self.assertEqual(children_of(agent.pid)["agent-recorder"], recorder)
        self.end(agent)
        self.assertEqual(agent.said.text.count("the judge was ended by signal 9"), 3)

    def test_a_killed_recorder_goes_on_in_its_recording(self):
        agent = self.start_agent()
        self.wait_recorded()
        recorder = children_of(agent.pid)["agent-recorder"]
        os.kill(recorder, signal.SIGKILL)
        wait_until(lambda: children_of(agent.pid).get("agent-recorder", recorder) != recorder, "another")
        time.sleep(3)
        self.end(agent)
        info = json.loads(self.info("--json"))
        self.assertEqual(info["damage"], [])
        self.assertGreater(info["frames"], 100)

    def test_tells_the_service_manager_when_it_is_ready_alive_and_stopping(self):
        path = str(self.folder / "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(path)
            manager.settimeout(60)
            agent = self.start_agent(env={**os.environ, "NOTIFY_SOCKET": path})
            said = []
            while "READY=1" not in said or "WATCHDOG=1" not in said:
                said.append(manager.recv(4096).decode())
            self.assertGreater(said.index("READY=1"), -1)
            self.end(agent)
            manager.settimeout(1)
            while "STOPPING=1" not in said:
                said.append(manager.recv(4096).decode())
        self.assertTrue(any(re.match(r"STATUS=\d+ channels, \d+ ticks, \d+ missed", one) for one in said), said)

    def test_a_second_agent_in_the_folder_is_refused(self):
        agent = self.start_agent()
        self.wait_recorded()
        second = self.reveal(*self.words())
        self.assert_complains(second, 75, "another agent works in this folder", str(self.state))
        self.end(agent)

    def test_the_configuration_that_it_prints_is_the_one_that_it_has(self):
        first = self.reveal(*self.words(), "--print-config")
        self.assert_status(first, 0)
        self.assertIn('interval = "20ms"\n', first.stdout)
        self.assertIn(f'directory = "{self.state}"\n', first.stdout)
        self.assertIn(f'\n[[alerts.command]]\nrun = ["{self.folder}/tell"]\n', first.stdout)
        printed = self.folder / "printed.toml"
        printed.write_text(first.stdout)
        second = self.reveal("agent", "--config", printed, "--print-config")
        self.assertEqual(second.stdout, first.stdout)
        self.assertFalse(self.state.exists(), "nothing was started")

    def test_the_configuration_is_read_once(self):
        # If it were read twice, the two halves of what holds could be of two versions of the file.
        openings = Openings(self.configuration)
        self.assert_status(self.reveal(*self.words(), "--check-config"), 0)
        self.assertEqual(openings.so_far(), 1)

    def test_a_wrong_configuration_starts_nothing_and_stops_nothing(self):
        agent = self.start_agent()
        self.wait_recorded()
        judge = children_of(agent.pid)["agent-judge"]
        self.configuration.write_text(self.settings + "\n[retention]\nfulll = \"1h\"\n")
        agent.send_signal(signal.SIGHUP)
        wait_until(lambda: "not read anew" in agent.said.text, "the complaint")
        self.assertIn("fulll is not a key here; did you mean full?", agent.said.text)
        self.assertEqual(children_of(agent.pid)["agent-judge"], judge)
        wait_until(lambda: "reveal_config_last_reload_successful 0" in self.ask("/metrics"), "the metric")
        self.assertIn("fulll", json.loads(self.ask("/api/v1/status"))["config"]["last_error"])
        check = self.reveal(*self.words(), "--check-config")
        self.assert_complains(check, 2, "line 16", "fulll")
        self.configuration.write_text(self.settings + "\n[retention]\nfull = \"1h\"\n")
        agent.send_signal(signal.SIGHUP)
        wait_until(lambda: children_of(agent.pid).get("agent-judge", judge) != judge, "another judge")
        self.assert_status(self.reveal(*self.words(), "--check-config"), 0)
        self.end(agent, signal.SIGINT)

    def test_a_reload_says_which_keys_hold(self):
        agent = self.start_agent()
        self.wait_recorded()
        judge = children_of(agent.pid)["agent-judge"]
        self.configuration.write_text(self.settings.replace('interval = "20ms"', 'interval = "40ms"')
                                      .replace('"minor"', '"major"'))
        self.assertTrue(self.order("/-/reload").startswith("HTTP/1.1 200 "))
        wait_until(lambda: "changed: alerts.min_severity; after a restart only: record.interval" in agent.said.text,
                   "the words")
        wait_until(lambda: children_of(agent.pid).get("agent-judge", judge) != judge, "another judge")
        wait_until(lambda: "reveal_config_keys_not_in_force 1" in self.ask_if_there("/metrics"), "the metric")
        config = json.loads(self.ask("/api/v1/status"))["config"]
        self.assertEqual(config["not_in_force"], ["record.interval"])
        self.assertRegex(config["hash"], "^[0-9a-f]{16}$")
        self.end(agent)

    def test_downsamples_what_is_old(self):
        ages = '[retention]\nfull = "1s"\nsecond = "1h"\nminute = "2h"\n'
        self.configuration.write_text(self.settings + "[agent]\ndownsample = true\n" + ages)
        agent = self.start_agent()
        self.wait_recorded()
        time.sleep(4)
        self.end(agent)
        seconds = self.state / "recording" / "1s"
        self.assertEqual(list(seconds.glob("*")), [], "the segment was not closed")
        time.sleep(2)  # older than a second, by the first frame of what follows
        agent = self.start_agent()
        wait_until(lambda: list(seconds.glob("*.rvs")), "a frame a second")
        wait_until(lambda: self.health().returncode < 3, "the judge")
        self.end(agent)
        info = self.reveal("info", seconds, "--json")
        self.assert_status(info, 0)
        self.assertIn(json.loads(info.stdout)["frames"], range(3, 60))
        self.assertNotIn("not downsampled", agent.said.text)

    def test_a_part_that_is_started_again_has_what_holds(self):
        agent = self.start_agent()
        self.wait_recorded()
        wait_until(lambda: self.health().returncode < 3, "the judge")
        # Sound by itself, but no receiver: only whoever uses it would notice.
        for wrong in ('[[alerts.webhook]]\nurl = "nowhere"\n', "[analysis"):
            self.configuration.write_text(self.settings + wrong)
            said = agent.said.text.count("not read anew")
            agent.send_signal(signal.SIGHUP)
            wait_until(lambda said=said: agent.said.text.count("not read anew") > said, "the complaint")
            answer = self.order("/-/reload")
            self.assertTrue(answer.startswith("HTTP/1.1 400 "), answer)
            self.assertIn("alerts.webhook" if "nowhere" in wrong else "line 14", answer)
        for part in ("agent-judge", "agent-recorder"):
            before = children_of(agent.pid)[part]
            os.kill(before, signal.SIGKILL)
            wait_until(lambda part=part, before=before: children_of(agent.pid).get(part, before) != before, part)
        wait_until(lambda: self.health().returncode < 3, "the judge")
        soon = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + 3))
        wait_until(lambda: json.loads(self.ask_if_there("/api/v1/status") or "{}").get("recorder", {})
                   .get("last_frame", "") > soon, "frames")
        self.assertNotIn("with status 2", agent.said.text)
        self.end(agent)


if __name__ == "__main__":
    unittest.main()
