"""What recording costs a command, by interval, beside perf stat (paper, section 5.3 and Figure 5).

    overhead.py --reveal BINARY [--rounds N] [--intervals 10,100,200,300,600] [--json FILE] -- CMD...

A round runs CMD once without anybody beside it, once beside `reveal record` at each interval, and once beside
`perf stat -a -I` at each, if perf works here. Rounds begin at another load each, so that what drifts on the host
reaches all of them. The cost is the CPU time of the recorder and its children while CMD ran, as a share of one core,
start and end included; and CMD's own duration beside that without anybody.

`reveal study overhead FILE -o DIR` makes a page with a picture of what --json wrote.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

STARTED_S = 1.0  # a recorder is up by then


@dataclasses.dataclass(frozen=True)
class Load:
    """What runs beside CMD: "none", "reveal" or "perf", at an interval."""

    by: str
    interval_ms: int = 0

    def command(self, reveal: str, out: pathlib.Path) -> list[str]:
        if self.by == "perf":
            return ["perf", "stat", "-a", "-I", str(self.interval_ms), "-o", str(out / "perf.txt")]
        return [reveal, "record", "--quiet", "--interval", f"{self.interval_ms}ms", "-o", str(out / "recording")]


@dataclasses.dataclass(frozen=True)
class Taken:
    """One run of CMD."""

    load: Load
    seconds: float  # that CMD took
    cpu_seconds: float  # of the recorder
    beside_seconds: float  # that the recorder ran


class Beside:
    """A recorder, ended as a person would, by SIGINT."""

    def __init__(self, command: list[str]) -> None:
        self.begin = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def end(self) -> tuple[float, float]:
        """Its CPU time with that of its children, and how long it ran."""
        early = self.process.poll() is not None
        if not early:
            self.process.send_signal(signal.SIGINT)
        with self.process.stderr:
            said = self.process.stderr.read().decode(errors="replace")
        if early:
            raise RuntimeError(f"ended by itself: {said}")
        _, _, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = 0  # wait4 took it
        return usage.ru_utime + usage.ru_stime, time.monotonic() - self.begin


def timed(command: list[str]) -> float:
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def take(load: Load, reveal: str, command: list[str]) -> Taken:
    if load.by == "none":
        time.sleep(STARTED_S)  # as beside a recorder
        return Taken(load, timed(command), 0.0, 0.0)
    with tempfile.TemporaryDirectory(prefix="reveal_overhead_") as folder:
        beside = Beside(load.command(reveal, pathlib.Path(folder)))
        time.sleep(STARTED_S)
        seconds = timed(command)
        return Taken(load, seconds, *beside.end())


def perf_works() -> bool:
    if shutil.which("perf") is None:
        return False
    outcome = subprocess.run(["perf", "stat", "-a", "-I", "100", "true"], capture_output=True, check=False)
    return outcome.returncode == 0


def turns(loads: list[Load], rounds: int) -> list[Load]:
    """Every load once a round; each round begins at the next one."""
    return [loads[(first + i) % len(loads)] for first in range(rounds) for i in range(len(loads))]


def row(load: Load, taken: list[Taken]) -> dict[str, object]:
    """Medians with the least and the most, over the rounds."""
    own = [one for one in taken if one.load == load]
    alone = statistics.median(one.seconds for one in taken if one.load.by == "none")
    seconds = [one.seconds for one in own]
    cores = [one.cpu_seconds / one.beside_seconds for one in own if one.beside_seconds]
    return {
        "by": load.by, "interval_ms": load.interval_ms, "rounds": len(own),
        "cores": statistics.median(cores) if cores else 0.0, "cores_least": min(cores, default=0.0),
        "cores_most": max(cores, default=0.0),
        "seconds": statistics.median(seconds), "seconds_least": min(seconds), "seconds_most": max(seconds),
        "slower": statistics.median(seconds) / alone - 1,
    }


def table(rows: list[dict[str, object]]) -> str:
    lines = [f"{'beside':<8}{'every':>8}{'share of a core':>32}{'CMD takes':>30}{'slower':>9}"]
    for one in rows:
        every = f"{one['interval_ms']} ms" if one["interval_ms"] else "-"
        cores = "-" if one["by"] == "none" else (
            f"{100 * one['cores']:.2f} % ({100 * one['cores_least']:.2f} to {100 * one['cores_most']:.2f})")
        takes = f"{one['seconds']:.2f} s ({one['seconds_least']:.2f} to {one['seconds_most']:.2f})"
        lines.append(f"{one['by']:<8}{every:>8}{cores:>32}{takes:>30}{100 * one['slower']:>7.1f} %")
    return "\n".join(lines) + "\n"


def document(command: list[str], rows: list[dict[str, object]], taken: list[Taken]) -> str:
    """What --json writes, and `reveal study overhead` reads."""
    return json.dumps({"command": command, "rows": rows, "runs": [dataclasses.asdict(one) for one in taken]}, indent=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reveal", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--intervals", default="10,100,200,300,600", help="ms, with commas between")
    parser.add_argument("--json", type=pathlib.Path, help="file for all runs and the table")
    parser.add_argument("command", nargs="+", metavar="CMD")
    options = parser.parse_args()
    intervals = [int(word) for word in options.intervals.split(",")]
    loads = [Load("none")] + [Load("reveal", ms) for ms in intervals]
    if perf_works():
        loads += [Load("perf", ms) for ms in intervals]
    else:
        print("perf stat does not work here: nothing is beside Reveal's figures", file=sys.stderr)
    taken = []
    for load in turns(loads, options.rounds):
        taken.append(take(load, options.reveal, options.command))
        print(f"{len(taken)}/{options.rounds * len(loads)}", end="\r", file=sys.stderr)
    rows = [row(load, taken) for load in loads]
    print(table(rows), end="")
    if options.json:
        options.json.write_text(document(options.command, rows, taken), encoding="utf-8")


if __name__ == "__main__":
    main()
