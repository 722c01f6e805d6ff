"""One recording of the trial: a job, its disturbances at their times, and what is known of it all.

A piece's folder holds `truth.json` (what was done and when, to the millisecond), `steps.jsonl` of the job (what it
cost) and `host0`, the recording. It is made under another name, so that a folder of this name is complete.
"""

import contextlib
import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import groups
import machine
import network
import scenario
from acts import Act, CULPRITS, Place
from disturbances import JOB, LOADER, ONE, PACK, PODS, POD, RANKS, Disturbance
from plan import Event, Piece
from shell import LabError, run

PACK_JOB = pathlib.Path(__file__).with_name("pack.py")
HOSTS = 3
WARM_UP_S = 8
BESIDE = "trial_beside"
BIG_MIB, SMALL_MIB, DISK_MIB = 512, 64, 3072
JOB_GROUPS = {RANKS: "trial_ranks", PACK: "slurm/uid_1000/job_4242/step_0", PODS: "trial_pods", ONE: "trial_one",
              LOADER: "trial_loader"}
# `ip netns exec` mounts a /sys of its own, without the control groups below it.
WITH_GROUPS = scenario.WITH_GROUPS.replace("cpu memory", "cpu cpuacct memory")


def job_commands(job: str, folder: pathlib.Path, place: Place) -> list[list[str]]:
    """The words of each process of the job."""
    log, nothing = folder / "steps.jsonl", pathlib.Path(os.devnull)
    train = [scenario.PYTHON, "-B", str(scenario.TRAIN)]
    if job == PACK:
        return [network.inside(0, scenario.PYTHON, "-B", PACK_JOB, log, place.scratch / "packed")]
    if job == ONE:
        return [network.inside(0, *train, 0, 1, network.address(0), "cnn", 8, log)]
    if job == LOADER:
        return [network.inside(0, *train, 0, 1, network.address(0), "mlp", 8, log, "--data", place.disk.root / "data")]
    first = 0 if job == RANKS else 1
    return [network.inside(first + rank, *train, rank, 2, network.address(first), "mlp", 8, nothing if rank else log)
            for rank in range(2)]


class Running:
    """What runs in a piece, and what ends it."""

    def __init__(self, what: Piece, reveal: pathlib.Path, folder: pathlib.Path, disk: machine.Disk,
                 scratch: pathlib.Path, nice: int) -> None:
        self.what, self.reveal, self.folder = what, reveal, folder
        self.group = JOB_GROUPS[what.job]
        self.place = Place(scratch, disk, self.group, lambda: [job.pid for job in self.jobs], nice)
        self.jobs: list[subprocess.Popen] = []
        self.beside: subprocess.Popen | None = None
        self.acts = [event.what.make(self.place) for event in what.events]
        self.active: list[Act] = []
        self.beside_ns: list[int] = []

    def spawn(self, words: list[str], group: str) -> subprocess.Popen:
        with open(self.folder / "jobs.log", "ab") as log:
            return subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
                                    preexec_fn=functools.partial(groups.enter, group, groups.CONTROLLERS, self.place.nice))

    def prepare(self) -> None:
        for name in (self.group, BESIDE):
            groups.make(name)
        for root, name, mebibytes in ((self.place.scratch, "big", BIG_MIB), (self.place.scratch, "small", SMALL_MIB),
                                      (self.place.disk.root, "big", BIG_MIB), (self.place.disk.root, "data", 128)):
            run("dd", "if=/dev/zero", f"of={root / name}", "bs=1M", f"count={mebibytes}", "conv=fsync")
        for act in self.acts:
            act.prepare()
        run("sync")

    def start_job(self) -> None:
        self.jobs = [self.spawn(list(map(str, words)), self.group)
                     for words in job_commands(self.what.job, self.folder, self.place)]

    def start_recorder(self) -> subprocess.Popen:
        with open(self.folder / "recorder.log", "ab") as log:
            return subprocess.Popen(network.inside(
                0, "sh", "-c", WITH_GROUPS, self.reveal, "record", "-q", "-o", self.folder / "host0", "--duration",
                f"{self.what.seconds}s"), stdout=log, stderr=log)

    def check(self) -> None:
        for job in self.jobs:
            if job.poll() is not None:
                raise LabError(f"{self.what.name}: the job ended with {job.returncode}; {self.folder}/jobs.log says why")

    def put_on(self, act: Act) -> None:
        self.active.append(act)
        act.start()

    def take_off(self, act: Act) -> None:
        act.stop()
        self.active.remove(act)

    def start_beside(self) -> None:
        self.beside_ns.append(time.time_ns())
        self.beside = self.spawn([sys.executable, "-B", str(CULPRITS), "beside", str(self.place.scratch / "beside.stamp"),
                                  "beside", "200"], BESIDE)

    def stop_beside(self) -> None:
        if self.beside:
            self.beside.kill()
            self.beside.wait()
            self.beside_ns.append(time.time_ns())
            self.beside = None

    def stop(self) -> None:
        for act in list(self.active):
            with contextlib.suppress(LabError):
                self.take_off(act)
        self.stop_beside()
        for job in self.jobs:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(job.pid, signal.SIGKILL)
            job.wait()
        for name in (self.group, BESIDE):
            groups.remove(name)


def moments(running: Running) -> list[tuple[float, Callable[[], None]]]:
    """What is done when, in order."""
    out: list[tuple[float, Callable[[], None]]] = []
    for event, act in zip(running.what.events, running.acts, strict=True):
        out.append((event.at_s, functools.partial(running.put_on, act)))
        out.append((event.until_s + event.what.lingers_s, functools.partial(running.take_off, act)))
    for since, until in running.what.beside:
        out += [(since, running.start_beside), (until, running.stop_beside)]
    return sorted(out, key=lambda moment: moment[0])


def perform(running: Running) -> None:
    begin = time.monotonic()
    for at, act in moments(running):
        time.sleep(max(0.0, begin + at - time.monotonic()))
        running.check()
        act()
    time.sleep(max(0.0, begin + running.what.seconds - time.monotonic()))


def busy_cores(seconds: float) -> float:
    """How many processors are in use, as the mean over so long."""
    def busy() -> int:
        words = pathlib.Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
        return sum(map(int, words)) - int(words[3]) - int(words[4])
    before = busy()
    time.sleep(seconds)
    return (busy() - before) / os.sysconf("SC_CLK_TCK") / seconds


def _known(what: Disturbance, event: Event, act: Act, group: str) -> dict:
    return {"name": what.name, "origin": what.origin, "begin_ns": act.began_ns, "end_ns": act.ended_ns,
            "planned_s": [event.at_s, event.until_s], "subsystems": what.subsystems,
            "group": group if what.group == JOB else what.group, "processes": what.processes, "harmless": what.harmless}


def truth(running: Running, others: list[float]) -> dict:
    known = [_known(event.what, event, act, running.group)
             for event, act in zip(running.what.events, running.acts, strict=True)]
    return {"piece": running.what.name, "job": running.what.job, "group": running.group,
            "seconds": running.what.seconds, "others_cores": others, "beside_ns": running.beside_ns, "disturbances": known}


@contextlib.contextmanager
def scratch_folder(out: pathlib.Path) -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory(prefix="scratch_", dir=out) as folder:
        yield pathlib.Path(folder)


def record(what: Piece, reveal: pathlib.Path, out: pathlib.Path, nice: int = 0) -> None:
    """Leaves the piece in out/NAME, complete or not at all."""
    groups.weigh(nice)
    folder = out / f"{what.name}.unfinished"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with scratch_folder(out) as scratch, network.hosts(HOSTS), machine.disk(DISK_MIB) as disk:
        running = Running(what, reveal, folder, disk, scratch, nice)
        recorder: subprocess.Popen | None = None
        try:
            others = [busy_cores(2)]
            running.prepare()
            running.start_job()
            time.sleep(WARM_UP_S)
            recorder = running.start_recorder()
            perform(running)
            if recorder.wait(scenario.PATIENCE_S):
                raise LabError(f"{what.name}: the recorder ended with {recorder.returncode}; see {folder}/recorder.log")
        finally:
            running.stop()
            if recorder and recorder.poll() is None:
                recorder.terminate()
                recorder.wait()
        others.append(busy_cores(2))
    (folder / "truth.json").write_text(json.dumps(truth(running, others), indent=1) + "\n", encoding="ascii")
    folder.rename(out / what.name)


def remove_what_is_left() -> None:
    """Of a trial that was killed."""
    for name in {*JOB_GROUPS.values(), BESIDE, POD}:
        groups.remove(name)
    for controller in groups.CONTROLLERS:
        for path in (groups.ROOT / controller).glob("*"):
            if path.is_dir() and path.name.startswith(("trial_", "ux_")):
                groups.remove(path.name)
    network.remove()
    machine.remove_groups()
    machine.remove_disks()
