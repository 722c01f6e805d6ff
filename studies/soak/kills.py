"""kill -9 of the agent's processes at random moments, on this host, while findings open and close.

    kills.py OUT --reveal BINARY --kills N [--seed N] [--wait]
    kills.py OUT --reveal BINARY --kills 600 --role agent-judge --every 1    # whenever it runs, once a second
    kills.py OUT --score [--reveal BINARY]

Each kill is of a process drawn from those that run: the service itself, the recorder, the judge (which is the web
side and the alerts, too). The service is started again as systemd would, after five seconds. OUT gets piece_N.json,
of fifty kills each, written after each kill; a run that was stopped goes on with the next one. docs/soak.md has more.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

import kills_score
import neighbors
import watchers
from service import LOOK_EVERY_S, MAIN, PATIENCE_S, RESTART_S, Service
from shell import LabError, make_folder, run_as
from soak import start_job

PIECE = 50
LEAST_S, MOST_S = 4.0, 12.0
LEARN_S = 300.0
REST_S, DISTURBED_S = (25.0, 50.0), (6.0, 12.0)  # what fills more of the time is usual
RESTARTS_BY_ITSELF = 5  # of the service, as the unit's StartLimitBurst


class Pieces:
    """What was done, as the files have it."""

    def __init__(self, out: pathlib.Path, seed: int, reveal: pathlib.Path) -> None:
        self.out, self.seed, self.reveal = out, seed, reveal
        self.kills = kills_score.read_kills(out)

    def add(self, kill: dict[str, Any]) -> None:
        self.kills.append(kill)
        number = (len(self.kills) - 1) // PIECE
        piece = {"piece": number, "seed": self.seed, "reveal": str(self.reveal),
                 "kills": self.kills[number * PIECE:]}
        new = self.out / f"piece_{number}.json.new"
        new.write_text(json.dumps(piece, indent=1) + "\n", encoding="ascii")
        new.rename(new.with_suffix(""))


class Keeper:
    """Keeps the service up as systemd would, and kills parts of it."""

    def __init__(self, service: Service, lines: watchers.Lines) -> None:
        self.service, self.lines = service, lines
        self.by_itself = 0

    def start(self) -> None:
        self.service.start()
        self.lines.write({"at_ns": time.time_ns(), "event": "started"})

    def end_rest(self) -> tuple[float | None, int]:
        """Waits as long as systemd does before it starts a service again. Returns after how many seconds its parts
        had ended by themselves, and how many it had to kill."""
        begin, gone = time.monotonic(), None
        while (spent := time.monotonic() - begin) < RESTART_S:
            if gone is None and not self.service.left_over():
                gone = spent
            time.sleep(LOOK_EVERY_S)
        left = self.service.left_over()
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return gone, len(left)

    def check(self) -> None:
        """Starts the service again if it ended by itself, and notes that."""
        process = self.service.process
        if process is None or process.poll() is None:
            return
        self.by_itself += 1
        self.lines.write({"at_ns": time.time_ns(), "event": "ended by itself", "status": process.returncode})
        if self.by_itself > RESTARTS_BY_ITSELF:
            raise LabError(f"the service ended by itself with {process.returncode}, and not for the first time; "
                            f"{self.service.folder}/agent.log says why")
        self.end_rest()
        self.start()

    def kill(self, draw: random.Random, only: str | None) -> dict[str, Any]:
        """Kills one process, `only` that one if it is given, and starts the service again if it was the first one."""
        if only:
            self.service.wait_for(lambda: only in self.service.processes(), f"another {only}")
        processes = self.service.processes()
        role = only or draw.choice(sorted(processes))
        out: dict[str, Any] = {"role": role, "pid": processes[role], "roles": sorted(processes), "at_ns": time.time_ns()}
        os.kill(processes[role], signal.SIGKILL)
        if role == MAIN:
            self.service.process.wait()
            out["rest_gone_s"], out["left_over"] = self.end_rest()
            out["started_ns"] = time.time_ns()
            self.start()
        return out

    def watch(self, kill: dict[str, Any], seconds: float, is_over: Callable[[], bool]) -> None:
        """Waits until what the kill did is over, and then for so long. Notes when another process has taken the place
        of the one that was killed."""
        latest, due = time.monotonic() + PATIENCE_S, None
        while due is None or time.monotonic() < due:
            self.check()
            if "replaced_s" not in kill and self.service.processes().get(kill["role"], kill["pid"]) != kill["pid"]:
                kill["replaced_s"] = round((time.time_ns() - kill["at_ns"]) / 1e9, 3)
            if due is None and (is_over() or time.monotonic() > latest):
                due = time.monotonic() + seconds
            time.sleep(LOOK_EVERY_S)


def disturb(out: pathlib.Path, seed: int, lines: watchers.Lines, stack: contextlib.ExitStack):
    """Work for a watcher: one short disturbance after another, so that findings open and close."""
    disturbances = neighbors.Short(out, stack)

    def work(over: threading.Event) -> None:
        draw = random.Random(f"disturbances {seed} {time.time_ns()}")
        while not over.wait(draw.uniform(*REST_S)):
            name, act = disturbances.make(draw)
            act.prepare()
            try:
                act.start()
                over.wait(draw.uniform(*DISTURBED_S))
            finally:
                act.stop()
            lines.write({"name": name, "begin_ns": act.began_ns, "end_ns": act.ended_ns})
    return work


def is_judging(service: Service) -> bool:
    status = service.status()
    return status is not None and status["state"] == "judging"


def run(options: argparse.Namespace) -> None:
    out = options.out.resolve()
    make_folder(out)
    pieces = Pieces(out, options.seed, options.reveal.resolve())
    with contextlib.ExitStack() as stack:
        job: subprocess.Popen = start_job(out)
        stack.callback(job.wait)
        stack.callback(job.kill)
        told = watchers.Receiver(watchers.Lines(out / "told.jsonl"))
        stack.callback(told.close)
        service = Service(options.reveal, out, told.url)
        stack.callback(service.stop)
        events = watchers.Lines(out / "service.jsonl")
        keeper = Keeper(service, events)
        keeper.end_rest()
        events.write({"at_ns": time.time_ns(), "event": "run"})
        keeper.start()
        newest = watchers.Newest()
        beside = [watchers.Watcher(work) for work in (
            watchers.windows(service, watchers.Lines(out / "windows.jsonl"), newest),
            disturb(out, options.seed, watchers.Lines(out / "disturbances.jsonl"), stack))]
        for watcher in beside:
            stack.callback(watcher.close)
        service.wait_for(lambda: is_judging(service), "the first verdict", LEARN_S)
        for number in range(len(pieces.kills), options.kills):
            draw = random.Random(f"kill {options.seed} {number}")
            gap = options.every or draw.uniform(LEAST_S, MOST_S)
            kill = {"number": number, **keeper.kill(draw, options.role)}
            keeper.watch(kill, gap, lambda at_ns=kill["at_ns"]: not options.wait or newest.judged_ns > at_ns)
            pieces.add(kill)
            for watcher in beside:
                watcher.check()
            print(f"{time.strftime('%T')} {number}: {kill['role']}, replaced after {kill.get('replaced_s')} s", flush=True)
        time.sleep(options.settle)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reveal", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--wait", action="store_true", help="count these 4 to 12 s from when it judges again")
    parser.add_argument("--role", choices=(MAIN, "agent-recorder", "agent-judge"), help="kill only this process")
    parser.add_argument("--every", type=float, metavar="S", help="the time between two kills")
    parser.add_argument("--settle", type=float, default=75.0, metavar="S",
                        help="how long it goes on after the last kill, until findings are over")
    parser.add_argument("--score", action="store_true")
    options = parser.parse_args()
    if options.score:
        run_as("kills", lambda: print(kills_score.table(options.out, options.reveal)))
    elif options.reveal is None:
        parser.error("--reveal names the program whose agent is killed")
    else:
        run_as("kills", lambda: run(options))


if __name__ == "__main__":
    main()
