"""What `reveal top` shows of a run while it goes on, and how long after a fault began it showed that.

    live.py RECORDING REVEAL LOG

follows a recording in a terminal of tmux until SIGTERM, and appends to LOG, a line of JSON each time the
findings on the screen change: when (ns of CLOCK_REALTIME), and each finding's subsystem and begin.
"""

import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

LOOK_EVERY_S = 0.25
COLUMNS, LINES = "140", "40"
# "! storage since 10:01:45.0, 7.0 s so far, 4 of 6 votes", and where there are many "! storage 10:01:45.0 4/6".
FINDING = re.compile(r"^! (\w+)(?: since)? ([\d:.]+),? ", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Seen:
    """A finding as it came onto the screen."""
    subsystem: str
    since: str  # of the clock, as shown
    at_ns: int


class Screen:
    def __init__(self, socket: pathlib.Path, words: list[str]) -> None:
        self._socket = socket
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", COLUMNS, "-y", LINES, *words)

    def _tmux(self, *words: str) -> str:
        return subprocess.run(["tmux", "-S", str(self._socket), *words], text=True, capture_output=True, check=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8"}, timeout=60).stdout

    def findings(self) -> list[tuple[str, str]]:
        return FINDING.findall(self._tmux("capture-pane", "-p"))

    def close(self) -> None:
        self._tmux("kill-server")
        self._socket.unlink(missing_ok=True)


def follow(recording: pathlib.Path, reveal: str, log: pathlib.Path) -> None:
    while not any(recording.glob("*.rvs")):
        time.sleep(LOOK_EVERY_S)
    time.sleep(1)  # until its first frames are stored
    screen = Screen(log.with_suffix(".tmux"), [reveal, "top", str(recording)])
    shown: list[tuple[str, str]] = []
    try:
        while True:
            findings = screen.findings()
            if findings != shown:
                shown = findings
                with open(log, "a", encoding="ascii") as out:
                    out.write(json.dumps({"at_ns": time.time_ns(), "findings": findings}) + "\n")
            time.sleep(LOOK_EVERY_S)
    finally:
        screen.close()


def seen(log: pathlib.Path) -> list[Seen]:
    """Every finding, when it was on the screen first. One is known by when it began."""
    out: dict[str, Seen] = {}
    for line in log.read_text(encoding="ascii").splitlines():
        look = json.loads(line)
        for subsystem, since in look["findings"]:
            out.setdefault(since, Seen(subsystem, since, look["at_ns"]))
    return sorted(out.values(), key=lambda one: one.at_ns)


def table(run: pathlib.Path) -> str:
    """A line for each fault of a watched run, and for each finding that belongs to none."""
    truth = json.loads((run / "truth.json").read_text(encoding="ascii"))
    found = seen(run / "live.jsonl") if (run / "live.jsonl").exists() else []
    lines = []
    for fault in truth["faults"]:
        of_it = [one for one in found if fault["begin_ns"] <= one.at_ns < fault["end_ns"] + 20e9]
        found = [one for one in found if one not in of_it]
        said = ", ".join(f"{one.subsystem} after {(one.at_ns - fault['begin_ns']) / 1e9:.1f} s" for one in of_it)
        lasted_s = (fault["end_ns"] - fault["begin_ns"]) / 1e9
        lines.append(f"{fault['fault']} {fault['strength']:g}, {lasted_s:.1f} s: {said or 'not seen'}")
    lines += [f"no fault: {one.subsystem} since {one.since}" for one in found]
    return "\n".join(lines)


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    recording, reveal, log = sys.argv[1:]
    follow(pathlib.Path(recording), reveal, pathlib.Path(log))


if __name__ == "__main__":
    main()
