"""What looks at the agent while it runs: a page, a scraper, a receiver of webhooks, and who measures what it costs.

Each writes what it saw at once, a line each, so that a run that is cut off keeps what was measured.
"""

import dataclasses
import datetime
import http.client
import json
import pathlib
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from typing import Any

from service import Service, cpu_seconds, memory_bytes

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "e2e"))

import receiver  # noqa: E402 after the folder of the tests is known

AGAIN_S, AGAIN_AT_ONCE_S = 1.0, 0.1
SILENT_S = 40.0  # the stream sends a ping each 15 s
ANSWER_S = 10.0


class Lines:
    """A file of JSON, a line an entry. It may be written by several threads."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path, self._lock = path, threading.Lock()

    def write(self, entry: dict[str, Any]) -> None:
        with self._lock, open(self._path, "a", encoding="utf-8") as out:
            out.write(json.dumps(entry) + "\n")


def lines_of(path: pathlib.Path) -> list[dict[str, Any]]:
    """Entries of such a file. A last line that was cut off is none."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]


class Receiver:
    """Writes each event that the agent tells, with the time of its arrival."""

    def __init__(self, lines: Lines) -> None:
        self._server = receiver.Receiver(lambda body: lines.write(heard(body, time.time_ns())))
        self.url = self._server.url

    def close(self) -> None:
        self._server.close()


def heard(body: dict[str, Any], at_ns: int) -> dict[str, Any]:
    """What scores need of a webhook's body."""
    event = body["reveal"]
    labels = body["groupLabels"]
    return {"at_ns": at_ns, "kind": event["kind"], "event": event["event"], "episode": body["groupKey"],
            "id": event["finding"]["id"], "subsystem": labels["subsystem"], "pattern": labels.get("pattern", ""),
            "severity": labels["severity"]}


class Watcher(threading.Thread):
    """Does something until it is closed."""

    def __init__(self, work: Callable[[threading.Event], None]) -> None:
        super().__init__(daemon=True)
        self._work, self.over = work, threading.Event()
        self._failed: Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            self._work(self.over)
        except Exception as error:  # told by check(), by whoever waits for this one
            self._failed = error

    def check(self) -> None:
        """Raises what has ended it, if anything has."""
        if self._failed:
            raise self._failed

    def close(self) -> None:
        self.over.set()
        self.join(AGAIN_S)  # one that reads from the agent ends with this process


def each(seconds: float, act: Callable[[], None]) -> Callable[[threading.Event], None]:
    """Work for a watcher: `act` at once, and then after so many seconds each."""
    def work(over: threading.Event) -> None:
        due = time.monotonic()
        while not over.is_set():
            act()
            due += seconds
            over.wait(max(0.0, due - time.monotonic()))
    return work


def follow(service: Service, hear: Callable[[str, dict[str, Any]], None], end: Callable[[str], None], again_s: float
           ) -> Callable[[threading.Event], None]:
    """Work for a watcher: keeps an event stream open, as a page does, hears each event, and why the stream ended."""
    def work(over: threading.Event) -> None:
        while not over.is_set():
            why, name = "ended", ""
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{service.port}/api/v1/stream", timeout=SILENT_S) as stream:
                    for line in stream:
                        if over.is_set():
                            break
                        word, _, rest = line.decode().rstrip("\n").partition(": ")
                        if word == "event":
                            name = rest
                        elif word == "data":
                            hear(name, json.loads(rest))
            except (OSError, ValueError, http.client.HTTPException) as error:
                why = str(error)
            end(why)
            over.wait(again_s)
    return work


def page(service: Service, lines: Lines, verdicts: Lines) -> Callable[[threading.Event], None]:
    """Writes of each stream how many events came, and when each window was judged."""
    counts: dict[str, int] = {}

    def hear(name: str, data: dict[str, Any]) -> None:
        counts[name] = counts.get(name, 0) + 1
        if judged := judged_ns(name, data):
            verdicts.write({"at_ns": time.time_ns(), "judged_ns": judged})

    def end(why: str) -> None:
        if counts:
            lines.write({"at_ns": time.time_ns(), "events": dict(counts), "why": why})
        counts.clear()
    return follow(service, hear, end, AGAIN_S)


@dataclasses.dataclass
class Newest:
    judged_ns: int = 0  # end of the newest window that is known to be judged


def judged_ns(name: str, data: dict[str, Any]) -> int | None:
    """The end of the window that an event of a stream says is judged, or None."""
    return wall_ns(data["end"]) if name == "window" and "strength" in data and "end" in data else None


def windows(service: Service, lines: Lines, newest: Newest) -> Callable[[threading.Event], None]:
    """Writes each second's state, and the end of the newest window if that is judged."""
    def hear(name: str, data: dict[str, Any]) -> None:
        if name != "window":
            return
        judged = judged_ns(name, data)
        newest.judged_ns = judged or newest.judged_ns
        lines.write({"at_ns": time.time_ns(), "state": data["state"], "reason": data["reason"], "judged_ns": judged})
    return follow(service, hear, lambda why: None, AGAIN_AT_ONCE_S)


def wall_ns(text: str) -> int:
    """Of a time as the agent writes it: to the millisecond."""
    return round(datetime.datetime.fromisoformat(text).timestamp() * 1000) * 1_000_000


def scrape(service: Service, lines: Lines) -> Callable[[], None]:
    """Asks for /metrics as Prometheus does, and writes how long the answer took."""
    def act() -> None:
        begin = time.monotonic()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{service.port}/metrics", timeout=ANSWER_S) as answer:
                size = len(answer.read())
        except (OSError, http.client.HTTPException):
            size = 0
        lines.write({"at_ns": time.time_ns(), "bytes": size, "ms": 1000 * (time.monotonic() - begin)})
    return act


COST_HEADER = "at_ns,process,pid,cpu_s,rss_bytes,pss_bytes"


def measure_cost(service: Service, path: pathlib.Path) -> Callable[[], None]:
    """Appends CPU time and resident memory of each of the agent's processes."""
    def act() -> None:
        rows = []
        for role, pid in sorted(service.processes().items()):
            try:
                resident, share = memory_bytes(pid)
                rows.append(f"{time.time_ns()},{role},{pid},{cpu_seconds(pid):.2f},{resident},{share}\n")
            except OSError:
                pass  # it has ended since
        new = not path.exists()
        with open(path, "a", encoding="ascii") as out:
            out.write((COST_HEADER + "\n" if new else "") + "".join(rows))
    return act
