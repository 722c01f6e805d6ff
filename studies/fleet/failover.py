"""Analysers of a fleet that are killed at random: is an incident lost, or told twice?

    failover.py run OUT --reveal REVEAL --made-fleet MADE_FLEET [--nats NATS_SERVER] [--seconds S] [--seed N]
    failover.py score OUT

A piece is a broker, 32 made hosts that tell their levels, and two analysers with one database. Hosts are slow one after
the other; each is slow once, as an incident raises what is usual for it. Meanwhile one of the analysers is killed (-9),
and started again, over and over: mostly the one that judges. OUT gets a file of each piece; `run` adds one, and `score`
counts over all. It follows from the seed and the number of the piece what happens, but not to the millisecond.
docs/how_to/fleet.md has what came out.
"""

import argparse
import contextlib
import dataclasses
import json
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import failover_score

GROUP = "role=train"
HOSTS = 32
# Before that nobody is judged.
LEARNING_S = 130
# Who takes over closes what it has not seen itself after 30 s.
LAST_S = 60
# One quantity that rises alone is told of after 13 s, once it has risen briefly in the group before.
FAULT_S, BETWEEN_S = (15, 24), (4, 12)
PAUSE_S, DOWN_S = (1, 8), (0, 3)
JUDGE_SHARE = 0.75
PATIENCE_S = 60
BROKER = """
listen: 127.0.0.1:{port}
jetstream {{store_dir: "{folder}/nats", max_file_store: 16G}}
"""


@dataclasses.dataclass(frozen=True)
class Fault:
    host: int
    from_s: int
    to_s: int


def faults_of(rng: random.Random, seconds: int) -> list[Fault]:
    """One after the other, each on another host, as many as there is time for."""
    hosts = list(range(HOSTS))
    rng.shuffle(hosts)
    out, at = [], LEARNING_S
    for host in hosts:
        length = rng.randint(*FAULT_S)
        if at + length + LAST_S > seconds:
            break
        out.append(Fault(host, at, at + length))
        # The next one must not be one incident with it.
        at += max(length, 10) + rng.randint(*BETWEEN_S)
    return out


class Analyser:
    """A process, and the lines that it prints, with when they came."""

    def __init__(self, words: list[str]) -> None:
        self.started_ns = time.time_ns()
        self.told: list[dict] = []
        self.notices: list[tuple[int, str]] = []
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._readers = [threading.Thread(target=self._read_told, daemon=True),
                         threading.Thread(target=self._read_notices, daemon=True)]
        for reader in self._readers:
            reader.start()

    def _read_told(self) -> None:
        for line in self.process.stdout:
            # A kill may cut the last line.
            with contextlib.suppress(ValueError):
                told = json.loads(line)
                self.told.append({"at_ns": time.time_ns(), **{name: told[name] for name in ("told", "id", "revision")}})

    def _read_notices(self) -> None:
        for line in self.process.stderr:
            self.notices.append((time.time_ns(), line.rstrip("\n")))

    def judges_since(self) -> int | None:
        """Since when it judges the group; None: it does not."""
        since = None
        for at, line in list(self.notices):
            if f"no longer judges {GROUP}" in line:
                since = None
            elif f"judges {GROUP}" in line:
                since = at
        return since

    def is_ready(self) -> bool:
        return self.judges_since() is not None or any(f"{GROUP} is judged by" in line for _, line in list(self.notices))

    def end(self, number: int) -> None:
        self.process.send_signal(number)
        self.process.wait(PATIENCE_S)
        for reader in self._readers:
            reader.join(PATIENCE_S)


def wait_until(holds, seconds: float = PATIENCE_S) -> bool:
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


class Piece:
    def __init__(self, options: argparse.Namespace, number: int, folder: pathlib.Path) -> None:
        self._options, self._folder, self._number = options, folder, number
        self._rng = random.Random(f"{options.seed}:{number}")
        self.faults = faults_of(self._rng, options.seconds)
        self.kills: list[dict] = []
        self._over: list[Analyser] = []
        self._stack = contextlib.ExitStack()
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self._port = one.getsockname()[1]
        self._words = [str(options.reveal), "analyser", "--servers", f"nats://127.0.0.1:{self._port}", "--db",
                       str(folder / "fleet.db"), "--json", "--make-streams"]

    def _start(self, words: list[str], **more) -> subprocess.Popen:
        out = subprocess.Popen(words, **more)
        self._stack.callback(lambda: out.poll() is None and (out.kill(), out.wait()))
        return out

    def _start_analyser(self) -> Analyser:
        out = Analyser(self._words)
        self._stack.callback(lambda: out.process.poll() is None and out.process.kill())
        return out

    def run(self) -> dict:
        with self._stack:
            return self._run()

    def _run(self) -> dict:
        configuration = self._folder / "nats.conf"
        configuration.write_text(BROKER.format(port=self._port, folder=self._folder), encoding="ascii")
        with open(self._folder / "nats.log", "ab") as log:
            self._start([self._options.nats, "-c", str(configuration)], stdout=log, stderr=log)
        analysers = [self._start_analyser()]
        if not wait_until((self._folder / "fleet.db").exists):
            raise RuntimeError("the analyser makes no database: " + repr(analysers[0].notices))
        triples = [str(word) for fault in self.faults for word in (fault.host, fault.from_s, fault.to_s)]
        fleet = self._start([str(self._options.made_fleet), f"nats://127.0.0.1:{self._port}", str(HOSTS),
                             str(self._options.seconds), *triples], stdout=subprocess.PIPE, text=True)
        begin_ns = int(fleet.stdout.readline())
        analysers.append(self._start_analyser())
        until_ns = begin_ns + (self._options.seconds - LAST_S) * failover_score.S
        time.sleep(max(0.0, begin_ns / failover_score.S + LEARNING_S - 10 - time.time()))
        while time.time_ns() < until_ns and self._kill_one(analysers):
            pass
        wait_until(lambda: fleet.poll() is not None, LAST_S + PATIENCE_S)
        for one in analysers:
            one.end(signal.SIGTERM)
        return self._result(begin_ns, self._over + analysers)

    def _kill_one(self, analysers: list[Analyser]) -> bool:
        """Returns whether it goes on: not if an analyser does not get ready."""
        if not wait_until(lambda: all(one.is_ready() for one in analysers)):
            return False
        time.sleep(self._rng.uniform(*PAUSE_S))
        by_judge = sorted(analysers, key=lambda one: one.judges_since() is None)
        victim = by_judge[0] if self._rng.random() < JUDGE_SHARE else by_judge[1]
        was_judge = victim.judges_since() is not None
        at_ns = time.time_ns()
        victim.end(signal.SIGKILL)
        self._over.append(victim)
        time.sleep(self._rng.uniform(*DOWN_S))
        analysers[analysers.index(victim)] = self._start_analyser()
        took_s = None
        if was_judge and wait_until(lambda: any(one.judges_since() for one in analysers)):
            took_s = (min(one.judges_since() for one in analysers if one.judges_since()) - at_ns) / failover_score.S
        self.kills.append({"at_ns": at_ns, "was_judge": was_judge, "judged_again_s": took_s})
        return True

    def _result(self, begin_ns: int, runs: list[Analyser]) -> dict:
        with contextlib.closing(sqlite3.connect(self._folder / "fleet.db", timeout=30)) as kept:
            incidents = [dict(zip(("id", "state", "revision", "onset_ns", "end_ns", "name"), row)) for row in kept.execute(
                "SELECT i.id, i.state, i.revision, i.onset_ns, i.end_ns, h.name FROM incidents i "
                "JOIN incident_hosts h ON h.incident = i.id ORDER BY i.onset_ns")]
        return {"piece": self._number, "seed": self._options.seed, "begin_ns": begin_ns,
                "faults": [dataclasses.asdict(one) for one in self.faults], "kills": self.kills, "incidents": incidents,
                "told": [told | {"run": number} for number, run in enumerate(runs) for told in run.told]}


def run(options: argparse.Namespace) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    number = len(failover_score.pieces(options.out)) + 1
    with tempfile.TemporaryDirectory() as folder:
        result = Piece(options, number, pathlib.Path(folder)).run()
    # Nothing of a piece that was broken off is there.
    new = options.out / "new.json"
    new.write_text(json.dumps(result, indent=1), encoding="ascii")
    new.rename(options.out / f"piece_{number}.json")
    print(failover_score.table(failover_score.pieces(options.out)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("out", type=pathlib.Path)
    runs.add_argument("--reveal", type=lambda text: pathlib.Path(text).resolve(), required=True)
    runs.add_argument("--made-fleet", type=lambda text: pathlib.Path(text).resolve(), required=True)
    runs.add_argument("--nats", default=shutil.which("nats-server") or "/usr/sbin/nats-server")
    runs.add_argument("--seconds", type=int, default=840)
    runs.add_argument("--seed", type=int, default=1)
    commands.add_parser("score").add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    if options.command == "run":
        run(options)
    else:
        print(failover_score.table(failover_score.pieces(options.out)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
