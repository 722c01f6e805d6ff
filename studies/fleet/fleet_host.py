"""A host of the fleet study as its runner has it: its first process, its groups, its agent."""

import json
import pathlib
import subprocess
import sys
import threading

import groups
import host
import network
from shell import LabError

FIRST = pathlib.Path(host.__file__)

# What these read is the machine's, so a host would find in them what happens on others.
MACHINES = ("disk_inflight", "disk_queue", "diskstats", "kmsg", "meminfo", "softnet", "vmstat", "zoneinfo")
CONFIGURATION = """
[agent]
daily_report = "off"
[collect.poll_classes]
{off}
[web]
listen = ["unix:{folder}/agent.sock"]
[fleet]
servers = ["tls://{broker}:4222"]
site = "study"
role = "{role}"
[fleet.tls]
ca_file = "{folder}/../broker.pem"
"""


class Host:
    """Its first process answers one command after another; several threads may ask."""

    def __init__(self, number: int, role: str, work: pathlib.Path) -> None:
        self.number, self.role, self.name = number, role, f"n{number:02}"
        self.folder = work / self.name
        self.folder.mkdir(parents=True)
        self.groups = groups.Groups(number)
        self.groups.make()
        self.device = ""  # of its job's disk, as control groups name it
        self._asking = threading.Lock()
        with open(self.folder / "host.log", "ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-B", FIRST, self.name, network.FOLDER / network.namespace(number), groups.name(number),
                 "machine" if role == "gpu" else "own"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True)

    def wait(self) -> list[str]:
        """Until it is there; returns what it could not have."""
        return self._answer()["notes"]

    def _answer(self) -> dict:
        line = self._process.stdout.readline()
        if not line:
            raise LabError(f"{self.name} is gone; {self.folder}/host.log says why")
        return json.loads(line)

    def _ask(self, command: dict) -> dict:
        with self._asking:
            try:
                self._process.stdin.write(json.dumps(command) + "\n")
                self._process.stdin.flush()
            except OSError as gone:
                raise LabError(f"{self.name} is gone: {gone}") from gone
            out = self._answer()
        if "error" in out:
            raise LabError(f"{self.name}: {command}: {out['error']}")
        return out

    def start(self, name: str, words: list[object], group: str, **env: str) -> None:
        self._ask({"start": name, "words": [str(word) for word in words], "group": group, "env": env,
                   "log": str(self.folder / f"{name}.log"), "folder": str(self.folder)})

    def signal(self, name: str, number: int) -> None:
        self._ask({"signal": name, "number": int(number)})

    def end(self, name: str) -> None:
        self._ask({"end": name})

    def start_agent(self, reveal: pathlib.Path, sees_gpu: bool) -> None:
        configuration = self.folder / "reveal.toml"
        configuration.write_text(CONFIGURATION.format(folder=self.folder, broker=network.CENTER, role=self.role,
                                                      off="\n".join(f'{name} = "off"' for name in MACHINES)),
                                 encoding="ascii")
        env = {} if sees_gpu else {"REVEAL_NVML_PATH": "/nonexistent"}
        self.start("agent", [reveal, "agent", "--config", configuration, "--directory", self.folder / "state"],
                   host.AGENT, **env)

    def close(self) -> None:
        """Ends the host with all that runs on it."""
        self._process.stdin.close()

    def wait_closed(self) -> None:
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
