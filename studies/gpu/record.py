"""Records training and serving on a real GPU while something disturbs them (or nothing does).

    record.py OUT --reveal REVEAL [--only NAME...] [--seed N] [--small]
    record.py OUT --reveal REVEAL --cost [--only KIND]    # what the recorder costs the job, on and off in turn

Needs root, a control group hierarchy of version 2 and a Python with torch. Each run leaves OUT/NAME with host0 (the
recording), truth.json and work0.jsonl, the job's log of its work; studies/work_rate/evaluate.py holds the estimated
work rate against it. What disturbs comes at times that the seed draws; nothing here was chosen by its result.
"""

import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
GROUPS = pathlib.Path(os.environ.get("REVEAL_GROUPS", "/sys/fs/cgroup"))
JOB, NEIGHBOR = "gpu_job", "gpu_neighbor"
WARM_UP_S, FIRST_S, LASTS_S, REST_S = 4, 14, 6, 8
SWITCH_S, SETTLE_S = 6, 1.5


@dataclasses.dataclass(frozen=True)
class Run:
    name: str
    kind: str
    disturbances: tuple[tuple[str, float], ...] = ()

    @property
    def seconds(self) -> float:
        return FIRST_S + max(3, len(self.disturbances)) * (LASTS_S + REST_S)


CORES = os.cpu_count() or 1
RUNS = (
    Run("loader", "loader", (("spin", 3 * CORES), ("stop_loaders", 1), ("read", 16), ("quota", 2))),
    Run("launch", "launch", (("spin", 3 * CORES), ("quota", 0.4), ("gpu", 8192), ("stop", 1))),
    Run("transformer", "transformer", (("gpu", 8192), ("pcie", 256), ("spin", CORES), ("bandwidth", CORES))),
    Run("serve", "serve", (("spin", 3 * CORES), ("gpu", 4096), ("quota", 0.5))),
    Run("quiet_checkpoint", "checkpoint"),
)


def make_group(name: str) -> None:
    for controller in ("cpu", "memory", "io"):
        with contextlib.suppress(OSError):
            (GROUPS / "cgroup.subtree_control").write_text(f"+{controller}", encoding="ascii")
    (GROUPS / name).mkdir(exist_ok=True)


def start(words: list[object], group: str, log: pathlib.Path, says: bool = False) -> subprocess.Popen:
    def join() -> None:
        (GROUPS / group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
    with open(log, "ab") as out:
        return subprocess.Popen([str(word) for word in words], preexec_fn=join,
                                stdout=subprocess.PIPE if says else out, stderr=out)


def end(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Job:
    """A job of train.py in its control group."""

    def __init__(self, kind: str, folder: pathlib.Path, options: argparse.Namespace) -> None:
        make_group(JOB)
        make_group(NEIGHBOR)
        self.folder, self.log = folder, folder / "work0.jsonl"
        self.words = folder / "jobs.log"
        self.data = options.out / "images"
        self.process = start([sys.executable, "-B", HERE / "train.py", kind, self.log, "--data", self.data,
                              "--scratch", options.out / "checkpoint", *["--small"] * options.small], JOB, self.words)

    def wait_for_work(self) -> None:
        while not self.log.exists() or self.log.stat().st_size == 0:
            if self.process.poll() is not None:
                sys.exit(f"record.py: the job ended with {self.process.returncode} before it worked; {self.words} says why")
            time.sleep(0.2)

    def loaders(self) -> list[int]:
        """The job's processes but the first."""
        pids = [int(pid) for pid in (GROUPS / JOB / "cgroup.procs").read_text(encoding="ascii").split()]
        return [pid for pid in pids if pid != self.process.pid]

    def prepare(self, kind: str, strength: float) -> subprocess.Popen | None:
        """A neighbor, which takes seconds until it has a place on the GPU, and waits there."""
        if kind in ("quota", "stop", "stop_loaders"):
            return None
        place = [sorted(self.data.glob("*.images"))[0]] if kind == "read" else []
        return start([sys.executable, "-B", HERE / "neighbors.py", kind, f"{strength:.0f}", *place], NEIGHBOR,
                     self.words, says=True)

    def wait_for(self, kind: str, neighbor: subprocess.Popen | None) -> None:
        if neighbor and not neighbor.stdout.readline():
            sys.exit(f"record.py: the neighbor {kind} ended before it was ready; {self.words} says why")

    def put_on(self, kind: str, strength: float, neighbor: subprocess.Popen | None) -> contextlib.ExitStack:
        """Returns what takes it off again."""
        undo = contextlib.ExitStack()
        if kind == "quota":
            path = GROUPS / JOB / "cpu.max"
            path.write_text(f"{strength * 100_000:.0f} 100000", encoding="ascii")
            undo.callback(path.write_text, "max 100000", encoding="ascii")
        elif kind in ("stop", "stop_loaders"):
            pids = [self.process.pid] if kind == "stop" else self.loaders()
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
                undo.callback(os.kill, pid, signal.SIGCONT)
        else:
            neighbor.send_signal(signal.SIGUSR1)
            undo.callback(end, neighbor)
        return undo

    def stop(self) -> None:
        end(self.process)
        time.sleep(0.5)


def perform(what: Run, job: Job, neighbors: list, draw: random.Random) -> list[dict]:
    begin = time.monotonic()
    done = []
    for number, ((kind, strength), neighbor) in enumerate(zip(what.disturbances, neighbors, strict=True)):
        at = FIRST_S + number * (LASTS_S + REST_S) + draw.uniform(0, 2)
        time.sleep(max(0.0, begin + at - time.monotonic()))
        known = {"fault": kind, "strength": strength, "begin_ns": time.time_ns()}
        try:
            undo = job.put_on(kind, strength, neighbor)
        except OSError as refused:
            print(f"record.py: {what.name} goes on without {kind}: {refused}", file=sys.stderr)
            continue
        time.sleep(3 if kind == "stop" else LASTS_S)
        undo.close()
        done.append(known | {"end_ns": time.time_ns()})
    time.sleep(max(0.0, begin + what.seconds - time.monotonic()))
    return done


def record(what: Run, options: argparse.Namespace) -> None:
    folder = options.out / what.name
    folder.mkdir(parents=True)
    job = Job(what.kind, folder, options)
    neighbors = []
    try:
        if what.kind == "loader":  # its images are what a neighbor reads
            job.wait_for_work()
        neighbors += [job.prepare(kind, strength) for kind, strength in what.disturbances]
        job.wait_for_work()
        for (kind, _), neighbor in zip(what.disturbances, neighbors, strict=True):
            job.wait_for(kind, neighbor)
        time.sleep(WARM_UP_S)
        recorder = subprocess.Popen([options.reveal, "record", "-q", "-o", folder / "host0", "--duration",
                                     f"{what.seconds:.0f}s"])
        done = perform(what, job, neighbors, random.Random(f"{what.name} {options.seed}"))
        recorder.wait()
    finally:
        for neighbor in neighbors:
            if neighbor and neighbor.poll() is None:
                end(neighbor)
        job.stop()
    truth = {"scenario": what.name, "jobs": [{"name": what.kind, "group": f"/{JOB}", "gpus": True, "log": job.log.name}],
             "faults": done, "seconds": what.seconds}
    (folder / "truth.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="ascii")


def done_between(log: pathlib.Path, begin_ns: int, end_ns: int) -> float:
    """Work a second, from the first line after begin to the last before end."""
    lines = [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()]
    inside = [line for line in lines if begin_ns <= line["end_ns"] < end_ns]
    if len(inside) < 2:
        return float("nan")
    return sum(line["work"] for line in inside[1:]) / (inside[-1]["end_ns"] - inside[0]["end_ns"]) * 1e9


def cost(kind: str, options: argparse.Namespace) -> None:
    """The job's pace without and with a recorder, in turn."""
    folder = options.out / f"cost_{kind}"
    folder.mkdir(parents=True)
    job = Job(kind, folder, options)
    paces: dict[bool, list[float]] = {False: [], True: []}
    try:
        job.wait_for_work()
        time.sleep(WARM_UP_S)
        for turn in range(8):
            on = turn % 2 == 1
            recorder = subprocess.Popen([options.reveal, "record", "-q", "-o", folder / f"host{turn}", "--duration",
                                         f"{SWITCH_S}s"]) if on else None
            begin = time.time_ns() + int(SETTLE_S * 1e9)
            time.sleep(SWITCH_S)
            paces[on].append(done_between(job.log, begin, time.time_ns()))
            if recorder:
                recorder.wait()
    finally:
        job.stop()
    for on, each in paces.items():
        print(f"{kind}, recorder {'on' if on else 'off'}: {' '.join(f'{one:.2f}' for one in each)} a second; "
              f"median {statistics.median(each):.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reveal", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--small", action="store_true", help="a look without a GPU")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("record.py: ended"))
    if not (GROUPS / "cgroup.procs").exists():
        sys.exit(f"record.py: {GROUPS} is no control group hierarchy of version 2; boot with systemd.unified_cgroup_hierarchy=1, "
                 f"or mount -t cgroup2 none {GROUPS}")
    if options.cost:
        for kind in options.only or ("transformer", "launch"):
            cost(kind, options)
        return
    for what in RUNS:
        if (not options.only or what.name in options.only) and not (options.out / what.name).exists():
            print(f"{time.strftime('%T')} {what.name}: {what.seconds:.0f} s", flush=True)
            record(what, options)


if __name__ == "__main__":
    main()
