"""One of several real agents in a test, each on a host made of files (moving_host), with a folder of its own."""

import json
import re
import signal
import urllib.request

from moving_host import MovingHost
from reveal_process import original_signals, wait_until
from running_agent import Said

CONFIGURATION = """
[web]
listen = ["unix:{folder}/agent.sock", "127.0.0.1:0"]
[record]
interval = "20ms"
[analysis]
window = "600ms"
stride = "200ms"
[fleet]
{fleet}
"""


class FleetHost:
    """`name`: of its folder, and of the host unless that is `host_name`; `fleet`: its settings of [fleet]; `id`: the
    host's id, if it is not to make one."""

    def __init__(self, test, name, fleet, id=None, host_name=None):
        self._test = test
        self.folder = test.folder / name
        self.folder.mkdir()
        self.state = self.folder / "state"
        self.host = MovingHost(self.folder / "host")
        self.host.__enter__()
        test.addCleanup(self.host.__exit__)
        (self.host.path / "proc/sys/kernel/hostname").write_text((host_name or name) + "\n")
        self.configuration = self.folder / "reveal.toml"
        self.configuration.write_text(CONFIGURATION.format(folder=self.folder, fleet=fleet))
        if id is not None:
            (self.state / "state").mkdir(parents=True)
            self.identity.write_text(id + "\n")

    @property
    def identity(self):
        return self.state / "state" / "identity"

    def id(self):
        return self.identity.read_text().splitlines()[0]

    def start(self):
        self.process = self._test.start("agent", "--config", self.configuration, "--directory", self.state,
                                        *self.host.roots, preexec_fn=original_signals)
        self.said = Said(self.process)
        return self

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self._test.assertEqual(self.process.wait(60), 0, self.said.text)

    def health(self):
        return self._test.reveal("health", "--patience", "5s", "--socket", self.folder / "agent.sock").stdout

    def status(self):
        """What /api/v1/status says of its fleet."""
        wait_until(lambda: "answers at 127.0.0.1:" in self.said.text, "the agent's address")
        port = re.findall(r"answers at 127\.0\.0\.1:(\d+)", self.said.text)[-1]
        answers = []

        def has_it():
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/status", timeout=60) as answer:
                answers.append(json.loads(answer.read()).get("fleet"))
            return answers[-1]
        wait_until(has_it, "its judge, which knows of the fleet")
        return answers[-1]

    def trouble(self):
        """Why its fleet is not told; empty: it is."""
        return self.status().get("trouble", "")
