"""The agent as the soak's two proofs run it: on this host, in a folder of its own, started again as systemd would.

The unit of docs/how_to/agent.md has Restart=on-failure and RestartSec=5; systemd ends what is left of the
service's control group first. Here the parts must end by themselves, and left_over() tells of those that did not.
"""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable

for _folder in ("tests/e2e", "studies/lab"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / _folder))

import agent_processes  # noqa: E402 after the folders are known
from shell import LabError, make_folder  # noqa: E402

RESTART_S = 5.0
PATIENCE_S = 60.0
LOOK_EVERY_S = 0.05
MAIN = "agent"  # the role of the first process; the others have the names that agent_processes tells

CONFIGURATION = """
[web]
listen = ["unix:{folder}/agent.sock", "127.0.0.1:{port}"]
[record]
max_size = "4GiB"
[alerts]
min_severity = "minor"
[[alerts.webhook]]
url = "{url}"
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class SocketConnection(http.client.HTTPConnection):
    """HTTP over a unix socket."""

    def __init__(self, path: pathlib.Path, timeout_s: float) -> None:
        super().__init__("localhost", timeout=timeout_s)
        self._path = str(path)

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Service:
    """A running `reveal agent`. Its log is FOLDER/agent.log, what it keeps is in FOLDER/state."""

    def __init__(self, reveal: pathlib.Path, folder: pathlib.Path, url: str) -> None:
        self.reveal, self.folder = reveal.resolve(), folder.resolve()
        make_folder(self.folder)
        self.port = free_port()
        self.state, self.socket = self.folder / "state", self.folder / "agent.sock"
        self.configuration = self.folder / "reveal.toml"
        self.configuration.write_text(CONFIGURATION.format(folder=self.folder, port=self.port, url=url), encoding="utf-8")
        self.process: subprocess.Popen | None = None

    @property
    def recording(self) -> pathlib.Path:
        return self.state / "recording"

    def start(self) -> None:
        with open(self.folder / "agent.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.reveal, "agent", "--config", self.configuration, "--directory", self.state],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def check(self) -> None:
        if self.process and self.process.poll() is not None:
            raise LabError(f"the agent ended with {self.process.returncode}; {self.folder}/agent.log says why")

    def stop(self) -> None:
        """Ends it in order."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def processes(self) -> dict[str, int]:
        """Its processes that run, by role."""
        if self.process is None or self.process.poll() is not None:
            return {}
        try:
            return {MAIN: self.process.pid, **agent_processes.children_of(self.process.pid)}
        except OSError:
            return {}

    def ask(self, path: str, timeout_s: float = 10.0) -> str | None:
        """What it answers over its socket, or None if it does not."""
        connection = SocketConnection(self.socket, timeout_s)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            text = answer.read().decode()
            return text if answer.status == http.client.OK else None
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def status(self) -> dict | None:
        text = self.ask("/api/v1/status")
        return json.loads(text) if text else None

    def left_over(self) -> list[int]:
        """Processes of an agent in this folder other than the present one's."""
        mine = set(self.processes().values())
        out = []
        for entry in pathlib.Path("/proc").iterdir():
            if not re.fullmatch(r"\d+", entry.name) or int(entry.name) in mine:
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if str(self.state).encode() in words and any(word.startswith(b"agent") for word in words[1:2]):
                out.append(int(entry.name))
        return out

    def wait_for(self, condition, what: str, patience_s: float = PATIENCE_S) -> None:
        deadline = time.monotonic() + patience_s
        while not condition():
            self.check()
            if time.monotonic() > deadline:
                raise LabError(f"waited {patience_s:g} s in vain for {what}; {self.folder}/agent.log may say why")
            time.sleep(LOOK_EVERY_S)


def cpu_seconds(pid: int) -> float:
    """CPU time of a process so far. Raises OSError if there is none."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def memory_bytes(pid: int) -> tuple[int, int]:
    """Resident memory of a process, and the same if pages that n processes map count 1/n each (proc_pid_smaps(5)).
    Raises OSError if there is none."""
    rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    kib = {name: int(value.split()[0]) for name, _, value in (line.partition(":") for line in rollup.splitlines()[1:])
           if name in ("Rss", "Pss")}
    return kib.get("Rss", 0) << 10, kib.get("Pss", 0) << 10
