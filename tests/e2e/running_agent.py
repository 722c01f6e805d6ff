"""A real agent for the tests, on a host made of files (moving_host)."""

import json
import re
import signal
import socket
import threading
import urllib.request

from agent_processes import children_of  # noqa: F401 for the tests of the agent
from moving_host import MovingHost
from reveal_process import RevealTest, original_signals, wait_until

# The port is any that is free; what tells is a program of the test's own.
CONFIGURATION = """
[web]
listen = ["unix:{folder}/agent.sock", "127.0.0.1:0"]
[alerts]
min_severity = "minor"
[[alerts.command]]
run = ["{folder}/tell"]
[record]
min_free = 64
interval = "20ms"
[analysis]
window = "600ms"
stride = "200ms"
"""


class Said:
    """What a process says on stderr, as it comes."""

    def __init__(self, process):
        self.text = ""
        self._thread = threading.Thread(target=self._read, args=(process.stderr,), daemon=True)
        self._thread.start()

    def _read(self, stream):
        try:
            for line in stream:
                self.text += line
        except ValueError:  # the test is over, and has closed the stream
            pass


class AgentRun(RevealTest):
    def setUp(self):
        super().setUp()
        self.host = MovingHost(self.folder / "host", stalls=True)
        self.host.__enter__()
        self.addCleanup(self.host.__exit__)
        self.state = self.folder / "state"
        self.configuration = self.folder / "reveal.toml"
        self.settings = CONFIGURATION.format(folder=self.folder)
        self.configuration.write_text(self.settings)
        tell = self.folder / "tell"
        tell.write_text(f"#!/bin/sh\ncat >>{self.folder}/told\necho >>{self.folder}/told\n")
        tell.chmod(0o755)

    def words(self):
        return ["agent", "--config", self.configuration, "--directory", self.state, *self.host.roots]

    def start_agent(self, **options):
        agent = self.start(*self.words(), preexec_fn=original_signals, **options)
        agent.said = Said(agent)
        self.agent = agent
        return agent

    def info(self, *words):
        info = self.reveal("info", *words, self.state / "recording")
        self.assert_status(info, 0)
        return info.stdout

    def wait_recorded(self, more_than=2000):
        def size():
            return sum(file.stat().st_size for file in (self.state / "recording").glob("*.rv?"))
        wait_until(lambda: (self.state / "recording").is_dir() and size() > more_than, "frames")

    def end(self, agent, number=signal.SIGTERM):
        agent.send_signal(number)
        agent.wait(60)
        self.assertEqual(agent.returncode, 0, agent.said.text)

    def told(self):
        """Returns what the receiver was told, an object each; a line that it still writes is left out."""
        path = self.folder / "told"
        whole, _, _ = (path.read_text() if path.exists() else "").rpartition("\n")
        return [json.loads(line) for line in whole.splitlines() if line]

    def health(self, *words):
        return self.reveal("health", "--socket", self.folder / "agent.sock", *words)

    def port(self):
        """Returns the port that the agent's log named last, or None."""
        named = re.findall(r"answers at 127\.0\.0\.1:(\d+)", self.agent.said.text)
        return named[-1] if named else None

    def ask(self, path):
        wait_until(self.port, "the line with its address")  # it may answer at its socket before
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port()}{path}", timeout=60) as answer:
            return answer.read().decode()

    def ask_if_there(self, path):
        """Likewise, or an empty text: a judge that was started again has another port, and names it a little later."""
        try:
            return self.ask(path)
        except OSError:
            return ""

    def order(self, path):
        """Asks over the socket for what changes something, and returns the answer with its head."""
        wait_until((self.folder / "agent.sock").exists, "its socket")  # it records before it answers
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(60)
            client.connect(str(self.folder / "agent.sock"))
            client.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                           "Connection: close\r\n\r\n".encode())
            said = b""
            while more := client.recv(65536):
                said += more
        return said.decode()

    def findings(self):
        out = []
        for file in sorted(self.state.glob("findings/*/*/*/*/finding.json")):
            out.append(json.loads(file.read_text()))
        return out
