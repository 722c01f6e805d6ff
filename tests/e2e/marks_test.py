"""reveal mark: what people and scripts say of a host is in the recording of its agent, whoever is killed."""

import json
import os
import signal
import socket
import time
import unittest

from reveal_process import RevealTest, shown, wait_until
from running_agent import AgentRun, children_of


class MarksTest(AgentRun):
    def mark(self, *words):
        """Marks, again if this machine is too busy to answer in time."""
        while True:
            out = self.reveal("mark", "--socket", self.folder / "agent.sock", *words)
            if "did not answer within" not in out.stderr:
                return out

    def start_and_record(self):
        agent = self.start_agent()
        self.wait_recorded()
        wait_until((self.folder / "agent.sock").exists, "the socket")
        return agent

    def other_recorder(self, agent, recorder):
        wait_until(lambda: children_of(agent.pid).get("agent-recorder", recorder) != recorder, "another recorder")
        time.sleep(2)

    def marks(self):
        """Returns the marks in the recording."""
        out = self.reveal("export", self.state / "recording", "--format", "jsonl")
        self.assert_status(out, 0)
        notes = [note for line in out.stdout.splitlines() for note in json.loads(line).get("notes", [])]
        return [f"{note['subject']}: {note['text']}" for note in notes if note["source"] == "mark"]

    def report(self):
        out = self.reveal("analyze", self.state / "recording", "--window", "200ms", "--stride", "60ms")
        self.assert_status(out, 0)
        return out.stdout

    def test_marks_are_events_of_the_recording_and_outlive_its_recorder(self):
        agent = self.start_and_record()
        told = self.mark("v2", "is deployed")
        self.assert_status(told, 0)
        self.assertEqual(told.stderr, "reveal: noted\n")
        self.assertEqual(self.mark("job-start", "81723").stderr, "reveal: job 81723 started: noted\n")
        time.sleep(1)
        recorder = children_of(agent.pid)["agent-recorder"]
        os.kill(recorder, signal.SIGKILL)
        self.other_recorder(agent, recorder)
        self.assertEqual(self.mark("--quiet", "job-end 81723").stderr, "")
        time.sleep(2)
        self.end(agent)
        marks = self.marks()
        self.assertEqual(sorted(set(marks), key=marks.index),
                         ["mark: v2 is deployed", "job 81723: started", "job 81723: ended"])
        self.assertRegex(self.report(), r"\nNoted\n(?:.*\n)*?  [0-9:.]+  mark: v2 is deployed\n")

    def test_one_that_waits_for_a_recorder_that_is_killed_goes_to_the_next(self):
        agent = self.start_and_record()
        recorder = children_of(agent.pid)["agent-recorder"]
        os.kill(recorder, signal.SIGSTOP)
        self.assert_status(self.mark("it hangs"), 0)
        time.sleep(1.5)
        os.kill(recorder, signal.SIGKILL)
        self.other_recorder(agent, recorder)
        self.end(agent)
        marks = self.marks()
        self.assertEqual(len(set(marks)), 1, marks)
        self.assertRegex(marks[0], r"^mark: it hangs \(said [0-9.]+ s before\)$")

    def test_a_flood_is_refused(self):
        agent = self.start_and_record()
        outcomes = [self.mark(f"mark {number}") for number in range(60)]
        refused = [one for one in outcomes if one.returncode != 0]
        self.assertGreater(len(refused), 0)
        self.assert_complains(refused[0], 1, "too many marks came at once")
        self.assert_status(outcomes[0], 0)
        self.assert_status(self.mark("-q", "one more"), 0)
        self.end(agent)

    def test_what_could_steer_a_terminal_is_stored_as_harmless_text(self):
        agent = self.start_and_record()
        self.assert_status(self.mark("a\x1b[31mb\nc"), 0)
        time.sleep(2)
        self.end(agent)
        self.assertEqual(set(self.marks()), {"mark: a?[31mb c"})

    def test_what_is_said_just_before_the_end_is_noted(self):
        agent = self.start_and_record()
        said = [f"the host restarts, {i}" for i in range(9)]  # a tick notes four
        for text in said:
            self.assert_status(self.mark(text), 0)
        self.end(agent)
        marks = self.marks()  # one that was answered late is said again
        self.assertEqual(sorted(set(marks), key=marks.index), [f"mark: {text}" for text in said])


class MarkWithoutAgentTest(RevealTest):
    def test_waits_as_long_as_it_may(self):
        with socket.socket(socket.AF_UNIX) as mute:
            mute.bind(str(self.folder / "mute.sock"))
            mute.listen()
            for words in (["mark", "x"], ["health"], ["pin"]):
                out = self.reveal(*words, "--socket", "mute.sock", "--patience", "120ms")
                self.assertIn("did not answer within 120 ms", out.stdout + out.stderr)
        self.assert_complains(self.reveal("mark", "--patience", "2h", "x"), 2, "longest patience")

    def test_health_in_json_is_json_without_an_agent(self):
        out = self.reveal("health", "--json", "--socket", "none")
        self.assert_status(out, 3)
        self.assertIn("no agent answers at this socket", json.loads(out.stdout)["error"])

    def test_says_why_and_quietly_is_no_failure(self):
        self.assert_complains(self.reveal("mark", "--socket", "none", "x"), 1, "no agent answers at this socket")
        self.assert_complains(self.reveal("mark"), 2, "there is nothing to note")
        self.assert_complains(self.reveal("mark", "x" * 1025), 2, "at most 1024 bytes")
        for words in (["x"], [], ["x" * 1025]):
            out = self.reveal("mark", "--quiet", "--socket", "none", *words)
            self.assertEqual((out.returncode, out.stdout, out.stderr), (0, "", ""), shown(out))


if __name__ == "__main__":
    unittest.main()
