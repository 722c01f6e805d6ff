"""The programs beside which Reveal is held: found, started and ended."""

import pathlib
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

STUDIES = pathlib.Path(__file__).resolve().parents[1]
UNPACKED = STUDIES.parent / "build" / "deps" / "monitors" / "usr"  # by make deps-peers

PATIENCE_S = 20.0

# What is cheap and not on by itself; all fields of vmstat and netstat; loopback and loop devices too. Interfaces by
# the file that Reveal reads: by netlink a drop is counted otherwise.
NODE_EXPORTER_FLAGS = [
    *(f"--collector.{name}" for name in ("interrupts", "processes", "tcpstat", "qdisc", "ethtool", "buddyinfo", "ksmd",
                                         "meminfo_numa", "zoneinfo")),
    "--no-collector.systemd", "--no-collector.textfile", "--no-collector.netdev.netlink",
    "--collector.netdev.device-exclude=^$", "--collector.diskstats.device-exclude=^$",
    "--collector.vmstat.fields=.*", "--collector.netstat.fields=.*", "--collector.filesystem.mount-points-exclude=^$"]


def find(name: str, *folders: str) -> pathlib.Path | None:
    """Among what tools/unpack_packages.sh has unpacked, or what is installed."""
    for folder in (*(UNPACKED / one for one in ("bin", *folders)), *(pathlib.Path("/usr") / one for one in folders)):
        if (folder / name).exists():
            return folder / name
    installed = shutil.which(name)
    return pathlib.Path(installed) if installed else None


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """A program that listens on a port of this host, from its first answer to the end of the block."""

    def __init__(self, words: list[object], port: int, log: pathlib.Path, ready: str) -> None:
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self._words, self._log, self._ready = [str(word) for word in words], log, ready

    def __enter__(self) -> "Server":
        with open(self._log, "w", encoding="utf-8") as said:
            self._process = subprocess.Popen(self._words, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        deadline = time.monotonic() + PATIENCE_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise RuntimeError(f"{self._words[0]} does not answer; {self._log} has its words")
            time.sleep(0.1)
        return self

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(self.url + self._ready, timeout=PATIENCE_S) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def node_exporter(log: pathlib.Path, flags: list[str]) -> Server:
    program = find("prometheus-node-exporter")
    if program is None:
        raise FileNotFoundError("prometheus-node-exporter is not there; `make deps-peers` unpacks it")
    port = free_port()
    return Server([program, f"--web.listen-address=127.0.0.1:{port}", *flags], port, log, "/metrics")
