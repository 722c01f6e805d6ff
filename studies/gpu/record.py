"""Records training and serving on a real GPU while something disturbs them (or nothing does).

    record.py OUT --reveal REVEAL [--only NAME...] [--seed N] [--small]
    record.py OUT --reveal REVEAL --cost [--only KIND]    # what the recorder costs the job, on and off in turn

Needs root, a control group hierarchy of version 2 and a Python with torch. Each run leaves OUT/NAME with host0 (the
recording), truth.json and work0.jsonl, the job's log of its work; studies/work_rate/evaluate.py holds the estimated
work rate against it. A run that did not come to its end is NAME.unfinished, and is made anew by the next call. What
disturbs comes at times that the seed draws; nothing here was chosen by its result.
"""

import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lab"))

import shell  # noqa: E402 of the lab
from shell import LabError  # noqa: E402

TRAIN = HERE / "train.py"
GROUPS = pathlib.Path(os.environ.get("REVEAL_GROUPS", "/sys/fs/cgroup"))
JOB, NEIGHBOR = "gpu_job", "gpu_neighbor"
WARM_UP_S, FIRST_S, LASTS_S, REST_S = 4, 14, 6, 8
SWITCH_S, SETTLE_S = 6, 1.5
RECORDER_PATIENCE_S, REMOVAL_PATIENCE_S = 30, 10


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
    Run("checkpoint_disturbed", "checkpoint", (("write", 4), ("memory", 0.8), ("stop", 1))),
)


def make_group(name: str) -> None:
    for controller in ("cpu", "memory", "io"):
        with contextlib.suppress(OSError):
            (GROUPS / "cgroup.subtree_control").write_text(f"+{controller}", encoding="ascii")
    try:
        (GROUPS / name).mkdir(exist_ok=True)
    except OSError as refused:
        raise LabError(f"cannot make the control group {GROUPS / name}: {refused.strerror}; run as root") from refused
    if (GROUPS / name / "cpu.max").exists():
        shell.write(GROUPS / name / "cpu.max", "max")


def remove_group(name: str) -> None:
    """Ends what is left in the group, and removes it."""
    path = GROUPS / name
    with contextlib.suppress(OSError), open(path / "cgroup.kill", "r+", encoding="ascii") as kill:
        kill.write("1")
    until = time.monotonic() + REMOVAL_PATIENCE_S
    while path.exists():
        try:
            path.rmdir()
        except OSError as refused:
            if time.monotonic() >= until:
                print(f"record.py: the control group {path} stays: {refused.strerror}", file=sys.stderr)
                return
            time.sleep(0.1)


@contextlib.contextmanager
def unfinished(folder: pathlib.Path) -> Iterator[pathlib.Path]:
    """A new folder that has the name `folder` only once all is done."""
    if folder.exists():
        raise LabError(f"{folder} is there already; remove it or name another place")
    new = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(new, ignore_errors=True)
    shell.make_folder(new)
    yield new
    new.rename(folder)


def start(words: list[object], group: str, log: pathlib.Path, says: bool = False) -> subprocess.Popen:
    def join() -> None:
        (GROUPS / group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
    with open(log, "ab") as out:
        try:
            return subprocess.Popen([str(word) for word in words], preexec_fn=join if group else None,
                                    stdout=subprocess.PIPE if says else out, stderr=out)
        except (OSError, subprocess.SubprocessError) as refused:
            raise LabError(f"cannot start {words[0]}: {refused}") from refused


def end(process: subprocess.Popen) -> None:
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def recorder(options: argparse.Namespace, into: pathlib.Path, seconds: float) -> Iterator[None]:
    """Records into that folder, and waits for the end of it."""
    log = into.with_name("recorder.log")
    process = start([options.reveal, "record", "-q", "-o", into, "--duration", f"{seconds:.0f}s"], "", log)
    try:
        yield
        try:
            ended = process.wait(RECORDER_PATIENCE_S)
        except subprocess.TimeoutExpired as late:
            raise LabError(f"the recorder of {into} did not end in time; {log} may say why") from late
        if ended != 0:
            raise LabError(f"the recorder of {into} ended with {ended}; {log} says why")
    finally:
        end(process)


def resume(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


class Job:
    """A job of train.py in its control group."""

    def __init__(self, kind: str, folder: pathlib.Path, options: argparse.Namespace) -> None:
        self.folder, self.log = folder, folder / "work0.jsonl"
        self.words = folder / "jobs.log"
        self.data = options.out / "images"
        self.process = start([sys.executable, "-B", TRAIN, kind, self.log, "--data", self.data,
                              "--scratch", options.out / "checkpoint", *["--small"] * options.small], JOB, self.words)

    def wait_for_work(self) -> None:
        while not self.log.exists() or self.log.stat().st_size == 0:
            if self.process.poll() is not None:
                raise LabError(f"the job ended with {self.process.returncode} before it worked; {self.words} says why")
            time.sleep(0.2)

    def loaders(self) -> list[int]:
        """The job's processes but the first."""
        pids = [int(pid) for pid in (GROUPS / JOB / "cgroup.procs").read_text(encoding="ascii").split()]
        return [pid for pid in pids if pid != self.process.pid]

    def prepare(self, kind: str, strength: float) -> subprocess.Popen | None:
        """A neighbor, which takes seconds until it has a place on the GPU, and waits there."""
        if kind in ("quota", "memory", "stop", "stop_loaders"):
            return None
        places = {"read": sorted(self.data.glob("*.images"))[:1], "write": [self.folder.parent / "written"]}
        place = places.get(kind, [])
        return start([sys.executable, "-B", HERE / "neighbors.py", kind, f"{strength:.0f}", *place], NEIGHBOR,
                     self.words, says=True)

    def wait_for(self, kind: str, neighbor: subprocess.Popen | None) -> None:
        if neighbor and not neighbor.stdout.readline():
            raise LabError(f"the neighbor {kind} ended before it was ready; {self.words} says why")

    def put_on(self, kind: str, strength: float, neighbor: subprocess.Popen | None) -> contextlib.ExitStack:
        """Returns what takes it off again; of what fails halfway nothing stays."""
        with contextlib.ExitStack() as undo:
            if kind == "quota":
                path = GROUPS / JOB / "cpu.max"
                undo.callback(shell.write, path, "max")
                shell.write(path, f"{strength * 100_000:.0f} 100000")
            elif kind == "memory":  # a limit that the kernel reclaims for, as of a container that is too small
                group = GROUPS / JOB
                undo.callback(shell.write, group / "memory.high", "max")
                now = int((group / "memory.current").read_text(encoding="ascii"))
                shell.write(group / "memory.high", str(int(strength * now)))
            elif kind in ("stop", "stop_loaders"):
                for pid in [self.process.pid] if kind == "stop" else self.loaders():
                    undo.callback(resume, pid)
                    os.kill(pid, signal.SIGSTOP)
            else:
                undo.callback(end, neighbor)
                neighbor.send_signal(signal.SIGUSR1)
            return undo.pop_all()

    def stop(self) -> None:
        end(self.process)
        time.sleep(0.5)


@contextlib.contextmanager
def job_of(kind: str, folder: pathlib.Path, options: argparse.Namespace) -> Iterator[Job]:
    """A job in its control group, and beside it that of its neighbors, which are empty before and gone after."""
    try:
        for name in (JOB, NEIGHBOR):
            make_group(name)
        job = Job(kind, folder, options)
        try:
            yield job
        finally:
            job.stop()
    finally:
        for name in (JOB, NEIGHBOR):
            remove_group(name)


def perform(what: Run, job: Job, neighbors: list, draw: random.Random) -> list[dict]:
    begin = time.monotonic()
    done = []
    for number, ((kind, strength), neighbor) in enumerate(zip(what.disturbances, neighbors, strict=True)):
        at = FIRST_S + number * (LASTS_S + REST_S) + draw.uniform(0, 2)
        time.sleep(max(0.0, begin + at - time.monotonic()))
        known = {"fault": kind, "strength": strength, "begin_ns": time.time_ns()}
        try:
            undo = job.put_on(kind, strength, neighbor)
        except (OSError, LabError) as refused:
            print(f"record.py: {what.name} goes on without {kind}: {refused}", file=sys.stderr)
            continue
        with undo:
            time.sleep(3 if kind == "stop" else LASTS_S)
        done.append(known | {"end_ns": time.time_ns()})
    time.sleep(max(0.0, begin + what.seconds - time.monotonic()))
    return done


def record(what: Run, options: argparse.Namespace) -> None:
    """Leaves the run in OUT/NAME, complete or not at all."""
    with unfinished(options.out / what.name) as folder:
        with job_of(what.kind, folder, options) as job, contextlib.ExitStack() as ends:
            if what.kind == "loader":  # its images are what a neighbor reads
                job.wait_for_work()
            neighbors = []
            for kind, strength in what.disturbances:
                neighbors.append(job.prepare(kind, strength))
                if neighbors[-1]:
                    ends.callback(end, neighbors[-1])
            job.wait_for_work()
            for (kind, _), neighbor in zip(what.disturbances, neighbors, strict=True):
                job.wait_for(kind, neighbor)
            time.sleep(WARM_UP_S)
            with recorder(options, folder / "host0", what.seconds):
                done = perform(what, job, neighbors, random.Random(f"{what.name} {options.seed}"))
        truth = {"scenario": what.name, "faults": done, "seconds": what.seconds,
                 "jobs": [{"name": what.kind, "group": f"/{JOB}", "gpus": True, "log": job.log.name}]}
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
    paces: dict[bool, list[float]] = {False: [], True: []}
    with unfinished(options.out / f"cost_{kind}") as folder, job_of(kind, folder, options) as job:
        job.wait_for_work()
        time.sleep(WARM_UP_S)
        for turn in range(8):
            on = turn % 2 == 1
            into = folder / f"host{turn}"
            with recorder(options, into, SWITCH_S) if on else contextlib.nullcontext():
                begin = time.time_ns() + int(SETTLE_S * 1e9)
                time.sleep(SWITCH_S)
                paces[on].append(done_between(job.log, begin, time.time_ns()))
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
    if not (GROUPS / "cgroup.procs").exists():
        raise LabError(f"{GROUPS} is no control group hierarchy of version 2; boot with "
                       f"systemd.unified_cgroup_hierarchy=1, or mount -t cgroup2 none {GROUPS}")
    if options.cost:
        for kind in options.only or ("transformer", "launch"):
            cost(kind, options)
        return
    for what in RUNS:
        if (not options.only or what.name in options.only) and not (options.out / what.name).exists():
            print(f"{time.strftime('%T')} {what.name}: {what.seconds:.0f} s", flush=True)
            record(what, options)


if __name__ == "__main__":
    shell.run_as("record.py", main)
