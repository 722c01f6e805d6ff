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

from reveal_process import wait_until
from running_agent import AgentRun, children_of


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
        self.configuration.write_text(self.settings + "[[alerts.journal]]\n")
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
        self.assert_complains(check, 2, "line 15", "fulll")
        self.configuration.write_text(self.settings + "\n[retention]\nfull = \"1h\"\n")
        agent.send_signal(signal.SIGHUP)
        wait_until(lambda: children_of(agent.pid).get("agent-judge", judge) != judge, "another judge")
        self.assert_status(self.reveal(*self.words(), "--check-config"), 0)
        self.end(agent, signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
