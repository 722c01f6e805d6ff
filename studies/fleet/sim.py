"""A simulated fleet of up to ten thousand hosts, a real broker and a real analyser, on this machine.

    sim.py run OUT --reveal REVEAL --fleet-sim FLEET_SIM [--hosts N] [--seconds S] [--seed N] [RECORDING...]
    sim.py judge OUT --fleet-judge FLEET_JUDGE [--hosts N] [--seconds S] [--seed N] [RECORDING...]
    sim.py score OUT

`fleet_sim` is one process with a connection to the broker for each host. Hosts are made of real recordings: RECORDING is
a folder of the lab with host0 and truth.json; those of tests/recordings unless told. A host has the healthy part of one,
shifted in time, times factors of its own, and heavy-tailed noise on all that moves. Faults are the faulty parts of the
same recording, put into one host at a time of a group. The truth is in OUT/truth.json, what was measured in
OUT/result.json. The simulator has one processor, broker and analyser another. `judge` has the same hosts judged in one
process, in made time and without a broker: it says who is named when, on a machine that is busy too, and nothing of cost.
docs/fleet_study.md has what came out.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "studies" / "lab"))
import faults  # noqa: E402
import sim_score  # noqa: E402

S = 1_000_000_000
RECORDINGS = REPOSITORY / "tests" / "recordings"
SIZES = (3, 4, 9, 32, 100, 500)
# Nothing is put in before the analyser judges, and a group's faults are no single incident.
FIRST_S, APART_S = 140, 45
# Around a fault a recording is not healthy: its begin is known to a second, and what it leaves behind lasts.
BEFORE_NS, BEHIND_NS = 2 * S, 12 * S
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
BROKER = """
listen: 127.0.0.1:{port}
http: 127.0.0.1:{http}
max_connections: 65536
jetstream {{store_dir: "{folder}/nats", max_file_store: 16G}}
"""
TLS = """
tls {{cert_file: "{folder}/broker.pem", key_file: "{folder}/broker.key", timeout: 10}}
"""


def tapes_of(recordings: list[pathlib.Path]) -> list[dict]:
    """What there is of each recording: where its faults are, and when it is not healthy."""
    out = []
    for folder in recordings:
        done = json.loads((folder / "truth.json").read_text())["faults"]
        out.append({"recording": str(folder / "host0"),
                    "faults": [one for one in done if faults.FAULTS[one["fault"]].is_fault],
                    "avoid": [[one["begin_ns"] - BEFORE_NS, one["end_ns"] + BEHIND_NS] for one in done]})
    return out


def groups_of(hosts: int, tapes: int, sizes: tuple[int, ...] = SIZES) -> list[dict]:
    """Groups of these sizes in turn, with one tape after the other, until there are so many hosts."""
    out, left = [], hosts
    while left > 0:
        size = min(sizes[len(out) % len(sizes)], left)
        # What is left over is no group of two.
        if left - size in (1, 2):
            size = left
        # One more with each round of the sizes, so that each size meets each tape.
        tape = (len(out) + len(out) // len(sizes)) % tapes
        out.append({"role": f"role=g{len(out):03d}", "tape": tape, "hosts": size})
        left -= size
    return out


def faults_of(rng: random.Random, groups: list[dict], tapes: list[dict], seconds: int) -> list[dict]:
    """One after the other in each group whose tape has some, each on another host."""
    out, first = [], 0
    for group in groups:
        kinds = tapes[group["tape"]]["faults"]
        hosts = rng.sample(range(group["hosts"]), group["hosts"])
        at = FIRST_S + rng.randrange(APART_S)
        for host in hosts:
            if not kinds or at + APART_S > seconds:
                break
            kind = rng.choice(kinds)
            length = (kind["end_ns"] - kind["begin_ns"]) // S + 1
            out.append({"number": first + host, "host": f"s{first + host:05d}", "group": group["role"],
                        "kind": kind["fault"], "strength": kind["strength"], "subsystems": faults.FAULTS[kind["fault"]].subsystems,
                        "from_s": at, "to_s": at + length, "tape_from_ns": kind["begin_ns"],
                        "tape_to_ns": kind["end_ns"]})
            at += APART_S + rng.randrange(10)
        first += group["hosts"]
    return out


class Usage:
    """CPU time and memory of a process, once a second."""

    def __init__(self, pid: int) -> None:
        self._stat, self.samples = pathlib.Path(f"/proc/{pid}/stat"), []

    def sample(self) -> None:
        with contextlib.suppress(OSError):
            words = self._stat.read_text().rpartition(") ")[2].split()
            self.samples.append((time.time(), (int(words[11]) + int(words[12])) / TICK, int(words[21]) * PAGE))

    def over(self, begin: float, end: float) -> dict:
        """CPU-seconds a second, the most of any ten seconds, and the largest memory in between."""
        own = [one for one in self.samples if begin <= one[0] <= end]
        if len(own) < 12:
            return {}
        tens = [(later[1] - one[1]) / (later[0] - one[0]) for one, later in zip(own, own[10:])]
        return {"cores": (own[-1][1] - own[0][1]) / (own[-1][0] - own[0][0]), "cores_worst_10_s": max(tens),
                "rss_mib": max(one[2] for one in own) / 2**20}


class Watch:
    """Samples processes and the broker's own numbers until it is stopped."""

    def __init__(self, processes: dict[str, subprocess.Popen], http: int) -> None:
        self.usages = {name: Usage(one.pid) for name, one in processes.items()}
        self.pending: list[tuple[float, int]] = []
        self._http, self._stop = http, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def ask(self, path: str) -> dict:
        with urllib.request.urlopen(f"http://127.0.0.1:{self._http}/{path}", timeout=10) as answer:
            return json.load(answer)

    def _run(self) -> None:
        number = 0
        while not self._stop.wait(1):
            for usage in self.usages.values():
                usage.sample()
            number += 1
            if number % 5 == 0:
                with contextlib.suppress(OSError, ValueError):
                    self.pending.append((time.time(), self._pending()))

    def _pending(self) -> int:
        """Messages of levels that the broker has not handed to the analyser yet."""
        told = self.ask("jsz?consumers=1&streams=1")
        return max((consumer.get("num_pending", 0) for account in told.get("account_details", [])
                    for stream in account.get("stream_detail", []) if stream["name"].startswith("RV_LVL")
                    for consumer in stream.get("consumer_detail") or []), default=0)


class JudgedAfter:
    """How long after its end a host's second is judged, by the analyser's own count (docs/reference/analyser_metrics.md)."""

    NAME = "reveal_fleet_judged_after_seconds"

    def __init__(self, page: int) -> None:
        self._page, self.samples = page, []

    def sample(self) -> None:
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self._page}/metrics?collect[]=judging", timeout=10) as answer:
                self.samples.append(self.read(answer.read().decode()))

    @classmethod
    def read(cls, text: str) -> dict[str, float]:
        """Host-seconds by the end of their range, all of them as +Inf; and their sum."""
        found = re.findall(rf'^{cls.NAME}(?:_bucket{{le="([^"]+)"}}|_(sum)) (\S+)$', text, re.MULTILINE)
        return {bound or word: float(number) for bound, word, number in found}

    def result(self) -> dict:
        """Over all samples, and the worst between two of them: shares of host-seconds."""
        if len(self.samples) < 2 or not self.samples[0]:
            return {}
        steps = [self.shares(one, later) for one, later in zip(self.samples, self.samples[1:])]
        return self.shares(self.samples[0], self.samples[-1]) | {"worst": min((one["1.5"] for one in steps if one), default=None)}

    @staticmethod
    def shares(begin: dict[str, float], end: dict[str, float]) -> dict:
        more = {name: value - begin[name] for name, value in end.items()}
        count = more.get("+Inf", 0)
        return {name: value / count for name, value in more.items()} if count > 0 else {}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def make_certificate(folder: pathlib.Path) -> None:
    """The broker's own authority, for the address of this machine."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", "/CN=broker", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-addext", "basicConstraints=critical,CA:TRUE",
                    "-keyout", folder / "broker.key", "-out", folder / "broker.pem"], check=True, stderr=subprocess.DEVNULL)


class Plan:
    """Tapes, groups and faults that the options ask for."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._tapes = tapes_of(options.recordings or sorted(path.parent for path in RECORDINGS.glob("*/truth.json")))
        self.groups = groups_of(options.hosts, len(self._tapes))
        self.faults = faults_of(random.Random(options.seed), self.groups, self._tapes, options.seconds)

    def write(self, port: int) -> pathlib.Path:
        options = self._options
        # Who judges without a broker has no such option.
        has_tls = getattr(options, "tls", False)
        plan = {"port": port, "ca_file": str(options.out / "broker.pem") if has_tls else "", "seconds": options.seconds,
                "seed": options.seed, "noise": options.noise, "host_factor": options.host_factor,
                "own_offset": options.own_offset, "shift_s": options.shift, "connects": options.connects,
                "tapes": [{"recording": one["recording"], "avoid": one["avoid"]} for one in self._tapes],
                "groups": self.groups,
                "faults": [{"host": one["number"], **{name: one[name] for name in ("from_s", "tape_from_ns", "tape_to_ns")}}
                           for one in self.faults]}
        path = options.out / "plan.json"
        path.write_text(json.dumps(plan))
        (options.out / "truth.json").write_text(json.dumps(self.faults, indent=1))
        return path


def result_of(options: argparse.Namespace, plan: Plan, begin_ns: int, told: list[dict]) -> dict:
    """What a score needs of any run; the incidents stand beside it."""
    (options.out / "told.json").write_text(json.dumps(told, indent=1))
    return {"options": {name: str(value) for name, value in vars(options).items()}, "begin_ns": begin_ns,
            "hosts": options.hosts, "seconds": options.seconds, "groups": len(plan.groups)}


def judge(options: argparse.Namespace) -> dict:
    plan = Plan(options)
    done = subprocess.run([str(options.fleet_judge), str(plan.write(0))], stdout=subprocess.PIPE, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    told = [{"at_ns": one["at_ns"], **one["news"]} for one in lines if "news" in one]
    return result_of(options, plan, lines[0]["begin_ns"], told) | {"counts": lines[-1]["end"]}


class Run:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options, self._folder = options, options.out
        self._port, self._http, self._page = free_port(), free_port(), free_port()
        self._plan = Plan(options)
        self._told: list[dict] = []
        self._stack = contextlib.ExitStack()
        self._processors = sorted(os.sched_getaffinity(0))

    def _start(self, processor: int, words: list[str], **more) -> subprocess.Popen:
        own = {self._processors[processor % len(self._processors)]}
        out = subprocess.Popen(words, preexec_fn=lambda: os.sched_setaffinity(0, own), **more)
        self._stack.callback(lambda: out.poll() is None and (out.kill(), out.wait()))
        return out

    def _read_told(self, analyser: subprocess.Popen) -> None:
        for line in analyser.stdout:
            self._told.append({"at_ns": time.time_ns(), **json.loads(line)})

    def run(self) -> dict:
        with self._stack:
            return self._run()

    def _configure_broker(self) -> list[str]:
        """Returns the words by which an analyser reaches the broker."""
        configuration = BROKER.format(port=self._port, http=self._http, folder=self._folder)
        words = ["--servers", f"nats://127.0.0.1:{self._port}"]
        if self._options.tls:
            make_certificate(self._folder)
            configuration += TLS.format(folder=self._folder)
            words = ["--servers", f"tls://127.0.0.1:{self._port}", "--ca-file", str(self._folder / "broker.pem")]
        (self._folder / "nats.conf").write_text(configuration)
        return words

    def _run(self) -> dict:
        log = self._stack.enter_context(open(self._folder / "log", "ab"))
        reached_by = self._configure_broker()
        broker = self._start(1, [self._options.nats, "-c", str(self._folder / "nats.conf")], stdout=log, stderr=log)
        analyser = self._start(self._options.analyser_core,
                               [str(self._options.reveal), "analyser", *reached_by, "--db", str(self._folder / "fleet.db"),
                                "--json", "--make-streams", "--listen", f"127.0.0.1:{self._page}"],
                               stdout=subprocess.PIPE, stderr=log, text=True)
        reader = threading.Thread(target=self._read_told, args=(analyser,), daemon=True)
        reader.start()
        time.sleep(5)
        simulator = self._start(0, [str(self._options.fleet_sim), str(self._plan.write(self._port))], stdout=subprocess.PIPE, text=True)
        watch = Watch({"simulator": simulator, "broker": broker, "analyser": analyser}, self._http)
        reports, after = [], JudgedAfter(self._page)
        for line in simulator.stdout:
            reports.append(json.loads(line))
            print(line, end="", flush=True)
            after.sample()
        end = time.time()
        slow = watch.ask("varz").get("slow_consumers")
        watch.stop()
        analyser.terminate()
        analyser.wait(60)
        reader.join(60)
        begin_ns = next((one["begin_ns"] for one in reports if "begin_ns" in one), None)
        if simulator.wait() != 0 or begin_ns is None:
            raise RuntimeError(f"fleet_sim failed; {self._folder}/log has more")
        return self._result(begin_ns, end, reports, watch, slow) | {"judged_after": after.result()}

    def _result(self, begin_ns: int, end: float, reports: list[dict], watch: Watch, slow: int) -> dict:
        begin = begin_ns / S
        return result_of(self._options, self._plan, begin_ns, self._told) | {
            "load": os.getloadavg(), "simulator": reports[-1], "ten_seconds": reports,
            "usage": {name: one.over(begin, end) for name, one in watch.usages.items()},
            "pending": {"most": max((count for at, count in watch.pending if at > begin), default=0),
                        "seen": watch.pending},
            "slow_consumers": slow}


def incidents_of(told: list[dict], begin_ns: int) -> list[dict]:
    return [{"at_s": (one["at_ns"] - begin_ns) / S, "told": one["told"], "id": one["id"], "group": one["group"],
             "cause": one["cause"], "subsystem": one["subsystem"], "onset_s": (one["onset"]["ns"] - begin_ns) / S,
             "hosts": [host["name"] for host in one["hosts"]]} for one in told]


def lag_of(result: dict) -> list[str]:
    after = result.get("judged_after")
    if not after:
        return []
    shares = ", ".join(f"{100 * after[bound]:.2f} % within {bound} s" for bound in ("1", "1.5", "2", "3"))
    return [f"seconds of hosts judged after their end: {after['sum']:.2f} s (mean), {shares}; in the worst 10 s "
            f"{100 * after['worst']:.1f} % within 1.5 s"]


def cost_of(result: dict) -> list[str]:
    """What it took a broker and an analyser; nothing if there were none."""
    if "simulator" not in result:
        return [f"judged in one process: {result['counts']}"]
    sent = result["simulator"]
    return [f"load {result['load']}",
            *(f"{name}: {use['cores']:.2f} of a core, {use['cores_worst_10_s']:.2f} at worst in 10 s, "
              f"{use['rss_mib']:.0f} MiB" for name, use in result["usage"].items() if use),
            f"sent {sent['sent']}, {sent['bytes'] / max(sent['sent'], 1):.0f} bytes each; skipped {sent['skipped']}, lost "
            f"{sent['lost']}, refused {sent['refused']}, connections closed {sent['closed']}",
            f"not handed to the analyser yet: at most {result['pending']['most']} messages; slow consumers "
            f"{result['slow_consumers']}", *lag_of(result)]


def table(out: pathlib.Path) -> str:
    result = json.loads((out / "result.json").read_text())
    truth = json.loads((out / "truth.json").read_text())
    told = incidents_of(json.loads((out / "told.json").read_text()), result["begin_ns"])
    score = sim_score.score(truth, told, result["hosts"], result["seconds"])
    lines = [f"{result['hosts']} hosts in {result['groups']} groups, {result['seconds']} s", *cost_of(result),
             f"named after {score['after_s']['p50']} s, 95 % {score['after_s']['p95']} s"]
    for kind, row in sorted(score["kinds"].items()):
        lines.append(f"{kind}: {row['faults']} faults, {row['told']} told, {row['right']} right host, {row['subsystem']} "
                     "and subsystem")
    weekly = score["false_a_host_week"]
    lines.append(f"false: {score['false']} in {score['host_weeks']:.2f} host-weeks"
                 + (f", {weekly:.1f} a host-week" if weekly is not None else "") + f" {score['false_by_subsystem']}")
    return "\n".join(lines)


def add_options(parser: argparse.ArgumentParser, programs: tuple[str, ...]) -> None:
    parser.add_argument("out", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("recordings", type=lambda text: pathlib.Path(text).resolve(), nargs="*")
    for name in programs:
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve(), required=True)
    for name, value in (("--hosts", 1000), ("--seconds", 600), ("--seed", 1), ("--connects", 500), ("--shift", 10)):
        parser.add_argument(name, type=int, default=value)
    for name, value in (("--noise", 0.05), ("--host-factor", 0.1), ("--own-offset", 0.05)):
        parser.add_argument(name, type=float, default=value)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, words in (("run", ("--reveal", "--fleet-sim")), ("judge", ("--fleet-judge",))):
        add_options(commands.add_parser(name), words)
    commands.choices["run"].add_argument("--nats", default=shutil.which("nats-server") or "/usr/sbin/nats-server")
    commands.choices["run"].add_argument("--analyser-core", type=int, choices=(0, 1), default=1,
                                         help="the analyser has the processor of the broker (1) or of the simulator (0)")
    commands.choices["run"].add_argument("--tls", action="store_true", help="all connections are encrypted")
    commands.add_parser("score").add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    if options.command != "score":
        options.out.mkdir(parents=True, exist_ok=True)
        result = Run(options).run() if options.command == "run" else judge(options)
        (options.out / "result.json").write_text(json.dumps(result, indent=1))
    print(table(options.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
