"""Records jobs that know their work while something disturbs them (or nothing does).

    record.py OUT --reveal REVEAL [--only NAME...] [--seed N]

Needs root: it makes a network namespace of its own (one host, its ranks on loopback), control groups and
the lab's loop disk. Each run leaves OUT/NAME with host0 (the recording), truth.json and a log of work for
each job. What disturbs comes at times that the seed draws; nothing here was chosen by its result.
"""

import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

LAB = pathlib.Path(__file__).resolve().parents[1] / "lab"
sys.path.insert(0, str(LAB))

import machine  # noqa: E402 of the lab
from shell import run, write  # noqa: E402

PYTHON = "/usr/bin/python3"  # Debian's, which has torch and numpy
JOBS = pathlib.Path(__file__).with_name("jobs.py")
CONTROLLERS = ("cpu", "cpuacct", "memory", "blkio")
WARM_UP_S = 6


@dataclasses.dataclass(frozen=True)
class Run:
    name: str
    jobs: tuple[str, ...]  # kinds of jobs.py, or train:MODEL (two ranks of the lab's trainer)
    disturbances: tuple[tuple[str, float], ...] = ()
    seconds: float = 120


RUNS = (
    Run("serve", ("serve",), (("spin", 2), ("rate", 60), ("quota", 50), ("forks", 1), ("faults", 2))),
    Run("loader", ("loader",), (("spin", 2), ("read", 4), ("write", 160), ("quota", 40), ("cached", 2))),
    Run("exchange", ("exchange",), (("spin", 2), ("rate", 200), ("stop", 1), ("faults", 2), ("flood", 64))),
    Run("fetch", ("fetch",), (("spin", 2), ("rate", 300), ("quota", 60), ("write", 120), ("stop", 1))),
    Run("checkpoint", ("checkpoint",), (("spin", 2), ("quota", 50), ("cached", 2))),
    Run("evaluate", ("evaluate",), (("spin", 3), ("rate", 100), ("quota", 50))),
    Run("long", ("long",), (("spin", 2), ("quota", 50), ("rate", 100)), 150),
    Run("compute", ("compute",), (("spin", 4), ("quota", 50))),
    Run("train_cnn", ("train:cnn",), (("spin", 1), ("rate", 100), ("forks", 1), ("stop", 1), ("write", 160))),
    Run("train_transformer", ("train:transformer",), (("spin", 3), ("quota", 60), ("faults", 2), ("cached", 2))),
    Run("files", ("files",), (("spin", 2), ("quota", 50), ("faults", 2), ("cached", 2))),
    Run("pipe", ("pipe",), (("spin", 2), ("quota", 50), ("cached", 2))),
    Run("shuffle", ("shuffle",), (("spin", 2), ("quota", 50), ("write", 160), ("rate", 300))),
    Run("two_jobs", ("exchange", "loader"), (("spin", 2), ("quota", 40), ("read", 4), ("rate", 200))),
    Run("two_servers", ("serve", "fetch"), (("spin", 2), ("quota", 50), ("rate", 200), ("stop", 1))),
    Run("quiet_serve", ("serve",)),
    Run("quiet_loader", ("loader",)),
    Run("quiet_exchange", ("exchange",)),
    Run("quiet_checkpoint", ("checkpoint",)),
    Run("quiet_evaluate", ("evaluate",)),
    Run("quiet_long", ("long",)),
    Run("quiet_two", ("exchange", "loader")),
    Run("quiet_train", ("train:mlp",)),
)


def forks() -> None:
    while True:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)


def faults() -> None:
    import mmap
    while True:
        memory = mmap.mmap(-1, 16 << 20)
        memory.madvise(mmap.MADV_NOHUGEPAGE)
        for page in range(0, len(memory), mmap.PAGESIZE):
            memory[page] = 1
        memory.close()


def cached(file: str) -> None:
    while True:
        with open(file, "rb", buffering=0) as source:
            while source.read(1 << 20):
                pass


def hog(kind: str, count: str, file: str) -> None:
    """What record.py runs itself as."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    for _ in range(int(count) - 1):
        if os.fork() == 0:
            break
    {"forks": forks, "faults": faults}[kind]() if kind != "cached" else cached(file)


class Host:
    """The jobs of a run, their groups, and what disturbs them."""

    def __init__(self, what: Run, folder: pathlib.Path, disk: machine.Disk) -> None:
        self.what, self.folder, self.disk = what, folder, disk
        self.processes: list[list[subprocess.Popen]] = []

    def group(self, number: int, controller: str) -> pathlib.Path:
        return machine.CGROUPS / controller / f"wr_{self.what.jobs[number].replace(':', '_')}{number}"

    def start(self) -> None:
        self.file = self.disk.file("data", 128)
        for number, kind in enumerate(self.what.jobs):
            for controller in CONTROLLERS:
                self.group(number, controller).mkdir(exist_ok=True)
            self.processes.append([self.spawn(number, words) for words in self.commands(number, kind)])

    def commands(self, number: int, kind: str) -> list[list[str]]:
        log = str(self.folder / f"work{number}.jsonl")
        if kind.startswith("train:"):
            return [[PYTHON, "-B", str(LAB / "train.py"), str(rank), "2", "10.77.0.1", kind[6:], "8",
                     log if rank == 0 else os.devnull] for rank in range(2)]
        return [[PYTHON, "-B", str(JOBS), kind, log, "--data", str(self.file), "--scratch", str(self.disk.root / "checkpoint")]]

    def spawn(self, number: int, words: list[str]) -> subprocess.Popen:
        def join() -> None:
            for controller in CONTROLLERS:
                write(self.group(number, controller) / "cgroup.procs", os.getpid())
        return subprocess.Popen(words, preexec_fn=join, stdout=subprocess.DEVNULL)

    def put_on(self, kind: str, strength: float) -> None:
        self.undo = contextlib.ExitStack()
        if kind == "rate":
            run("tc", "qdisc", "add", "dev", "lo", "root", "tbf", "rate", f"{strength:.0f}mbit", "burst", "256kb", "latency", "20ms")
            self.undo.callback(run, "tc", "qdisc", "del", "dev", "lo", "root")
        elif kind == "quota":
            path = self.group(0, "cpu") / "cpu.cfs_quota_us"
            write(path, int(strength * 1000))
            self.undo.callback(write, path, -1)
        elif kind == "stop":
            stopped = self.processes[-1][-1].pid
            os.kill(stopped, signal.SIGSTOP)
            self.undo.callback(os.kill, stopped, signal.SIGCONT)
        else:
            self.neighbor(kind, strength)

    def neighbor(self, kind: str, strength: float) -> None:
        places = {"spin": "0", "write": str(self.disk.root / "dirty"), "read": str(self.file), "flood": str(int(strength))}
        if kind in places:
            amount = "127.0.0.1" if kind == "flood" else str(int(strength))
            words = [sys.executable, "-B", str(LAB / "hogs.py"), kind, amount, places[kind]]
        else:
            words = [sys.executable, "-B", __file__, "--hog", kind, str(int(strength)), str(self.file)]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.undo.callback(process.wait)
        self.undo.callback(process.send_signal, signal.SIGTERM)

    def stop(self) -> None:
        for process in (one for some in self.processes for one in some):
            process.send_signal(signal.SIGTERM)
        for process in (one for some in self.processes for one in some):
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        time.sleep(0.5)
        for number in range(len(self.what.jobs)):
            for controller in CONTROLLERS:
                with contextlib.suppress(OSError):
                    self.group(number, controller).rmdir()


def perform(what: Run, host: Host, draw: random.Random) -> list[dict]:
    begin = time.monotonic()
    done = []
    first, count = 22.0, len(what.disturbances)
    apart = (what.seconds - first - 10) / max(count, 1)
    for number, (kind, strength) in enumerate(what.disturbances):
        time.sleep(max(0.0, begin + first + number * apart + draw.uniform(0, 3) - time.monotonic()))
        done.append({"fault": kind, "strength": strength, "begin_ns": time.time_ns()})
        host.put_on(kind, strength)
        time.sleep(3 if kind == "stop" else min(8.0, apart / 2))
        host.undo.close()
        done[-1]["end_ns"] = time.time_ns()
    time.sleep(max(0.0, begin + what.seconds - time.monotonic()))
    return done


def record(what: Run, options: argparse.Namespace) -> None:
    folder = options.out / what.name
    folder.mkdir(parents=True)
    with machine.disk() as disk:
        host = Host(what, folder, disk)
        try:
            host.start()
            time.sleep(WARM_UP_S)
            recorder = subprocess.Popen([options.reveal, "record", "-q", "-o", folder / "host0", "--duration",
                                         f"{what.seconds}s"])
            done = perform(what, host, random.Random(f"{what.name} {options.seed}"))
            recorder.wait()
        finally:
            host.stop()
    jobs = [{"name": kind, "group": f"/{host.group(number, 'cpu').name}", "log": f"work{number}.jsonl"}
            for number, kind in enumerate(what.jobs)]
    (folder / "truth.json").write_text(json.dumps(
        {"scenario": what.name, "jobs": jobs, "faults": done, "seconds": what.seconds}, indent=1) + "\n", encoding="ascii")


def main() -> None:
    if len(sys.argv) == 5 and sys.argv[1] == "--hog":
        hog(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reveal", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if os.environ.get("WORK_RATE_NAMESPACE") is None:
        os.environ["WORK_RATE_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "-n", sys.executable, "-B", *sys.argv])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("record.py: ended"))
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "far")
    run("ip", "addr", "add", "10.77.0.1/24", "dev", "eth0")
    run("ip", "link", "set", "eth0", "up")
    for what in RUNS:
        if (not options.only or what.name in options.only) and not (options.out / what.name).exists():
            print(f"{time.strftime('%T')} {what.name}: {what.seconds:.0f} s", flush=True)
            record(what, options)


if __name__ == "__main__":
    main()
