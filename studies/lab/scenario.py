"""One scenario: hosts that work, a recorder on each, faults at their times, and what is known of it all.

A scenario's folder holds `truth.json` (what was done, when, where), `steps<N>.jsonl` of each rank
(what it cost the job) and `host<N>/`, the recordings. Nobody who detects sees anything but those.
"""

import contextlib
import dataclasses
import functools
import json
import math
import pathlib
import random
import signal
import subprocess
import time
from collections.abc import Callable

import machine
import network
from faults import FAULTS, Fault, Target
from shell import LabError

PYTHON = "/usr/bin/python3"  # Debian's, which has torch
TRAIN = pathlib.Path(__file__).with_name("train.py")
LIVE = pathlib.Path(__file__).with_name("live.py")
CONFIG = pathlib.Path(__file__).with_name("recorder.toml")
WARM_UP_S = 8  # the ranks find each other and the model its speed
PATIENCE_S = 60
# `ip netns exec` mounts a /sys of its own, without the control groups below it.
WITH_GROUPS = ("mount -t tmpfs none /sys/fs/cgroup && cd /sys/fs/cgroup && for one in cpu memory blkio; do "
               "mkdir $one && mount -t cgroup -o $one none $one || exit 1; done; exec \"$0\" \"$@\"")


@dataclasses.dataclass(frozen=True)
class Event:
    fault: str
    strength: float
    at_s: float  # from the recording's start
    for_s: float
    host: int = 0


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    seconds: float
    events: tuple[Event, ...] = ()
    hosts: int = 2
    model: str = "mlp"  # or "none": CMD alone, or nothing at all
    batch: int = 8
    reads_disk: bool = False
    train: tuple[str, ...] = ()  # further words for every rank
    command: tuple[str, ...] = ()  # a job that is no training, on host 0; DISK is the folder of the lab's disk
    job_from_s: float = 0.0  # from the recording's start; 0: the job runs, and has its speed, before that
    job_until_s: float = math.inf
    watched: bool = False  # host 0, by `reveal top`, while it is recorded (live.py)

    @property
    def elastic(self) -> bool:
        """Whether the workload changes by itself while it is recorded."""
        return bool(self.job_from_s or self.job_until_s < self.seconds
                    or {"--pause", "--batch-from"} & set(self.train))


class Running:
    """The processes of a scenario, and what ends them."""

    def __init__(self, scenario: Scenario, reveal: pathlib.Path, folder: pathlib.Path, disk: machine.Disk) -> None:
        self.scenario, self.reveal, self.folder, self.disk = scenario, reveal, folder, disk
        self.jobs: list[subprocess.Popen] = []
        self.recorders: list[subprocess.Popen] = []
        self.faults = [FAULTS[event.fault].make(
            Target(event.host, disk, lambda host=event.host: self.recorders[host].pid), event.strength)
            for event in scenario.events]
        self.active: list[Fault] = []

    def spawn(self, host: int, *words: object) -> subprocess.Popen:
        log = open(self.folder / f"host{host}.log", "ab")  # noqa: SIM115 the process keeps it
        with log:
            return subprocess.Popen(network.inside(host, *words), stdout=log, stderr=log)

    def start_job(self) -> None:
        scenario = self.scenario
        if scenario.command:
            self.jobs.append(self.spawn(0, *(word.replace("DISK", str(self.disk.root)) for word in scenario.command)))
        if scenario.model == "none":
            return
        data = ["--data", str(self.disk.file("data", 128))] if scenario.reads_disk else []
        for host in range(scenario.hosts):
            job = self.spawn(host, PYTHON, "-B", TRAIN, host, scenario.hosts, network.address(0), scenario.model,
                             scenario.batch, self.folder / f"steps{host}.jsonl", *data, *scenario.train)
            machine.join(host, job.pid)
            self.jobs.append(job)

    def start_recorders(self) -> None:
        for host in range(self.scenario.hosts):
            self.recorders.append(self.spawn(
                host, "sh", "-c", WITH_GROUPS, self.reveal, "record", "-q", "--config", CONFIG,
                "-o", self.folder / f"host{host}", "--duration", f"{self.scenario.seconds}s"))
        if self.scenario.watched:
            self.recorders.append(subprocess.Popen(
                [PYTHON, "-B", LIVE, self.folder / "host0", self.reveal, self.folder / "live.jsonl"]))

    def check(self) -> None:
        for process in self.jobs + self.recorders:
            if process.poll() not in (None, 0):
                raise LabError(f"{' '.join(map(str, process.args[4:]))} ended with {process.returncode}; "
                               f"{self.folder}/host*.log say why")

    def put_on(self, fault: Fault) -> None:
        self.active.append(fault)
        fault.start()

    def take_off(self, fault: Fault) -> None:
        fault.stop()
        self.active.remove(fault)

    def stop(self) -> None:
        for fault in list(self.active):
            self.take_off(fault)
        self.end(self.jobs + self.recorders)

    def end(self, processes: list[subprocess.Popen]) -> None:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _moments(running: Running, truth: list[dict]) -> list[tuple[float, Callable[[], None]]]:
    """What is done when, in order; `truth` learns when that really was."""
    def put_on(number: int, event: Event) -> None:
        truth.append({"event": number, "fault": event.fault, "strength": event.strength, "host": event.host,
                      "begin_ns": time.time_ns()})
        running.put_on(running.faults[number])

    def take_off(number: int) -> None:
        running.take_off(running.faults[number])
        next(known for known in truth if known["event"] == number)["end_ns"] = time.time_ns()

    scenario = running.scenario
    out: list[tuple[float, Callable[[], None]]] = []
    if scenario.job_from_s:
        out.append((scenario.job_from_s, running.start_job))
    if scenario.job_until_s < scenario.seconds:
        out.append((scenario.job_until_s, lambda: running.end(running.jobs)))
    for number, event in enumerate(scenario.events):
        out.append((event.at_s, functools.partial(put_on, number, event)))
        out.append((event.at_s + event.for_s, functools.partial(take_off, number)))
    return sorted(out, key=lambda event: event[0])


def _perform(running: Running) -> list[dict]:
    """Puts the faults on and takes them off, each at its time; returns when that really was."""
    begin = time.monotonic()
    truth: list[dict] = []
    for at, act in _moments(running, truth):
        time.sleep(max(0.0, begin + at - time.monotonic()))
        running.check()
        act()
    time.sleep(max(0.0, begin + running.scenario.seconds - time.monotonic()))
    return truth


def shifted(scenario: Scenario, seed: int) -> Scenario:
    """The same with every event up to three seconds later, by the seed."""
    draw = random.Random(seed)
    events = tuple(dataclasses.replace(event, at_s=event.at_s + draw.uniform(0, 3)) for event in scenario.events)
    return dataclasses.replace(scenario, events=events)


def run(scenario: Scenario, reveal: pathlib.Path, folder: pathlib.Path, disk: machine.Disk) -> None:
    """Runs the scenario and leaves its recordings and its truth in `folder`, which must be new."""
    folder.mkdir(parents=True)
    with network.hosts(scenario.hosts), machine.control_groups(scenario.hosts):
        running = Running(scenario, reveal, folder, disk)
        try:
            for fault in running.faults:
                fault.prepare()
            if not scenario.job_from_s:
                running.start_job()
                time.sleep(WARM_UP_S)
            running.start_recorders()
            truth = _perform(running)
        finally:
            running.stop()
    known = {"scenario": scenario.name, "hosts": scenario.hosts, "model": scenario.model,
             "seconds": scenario.seconds, "elastic": scenario.elastic, "faults": truth}
    (folder / "truth.json").write_text(json.dumps(known, indent=1) + "\n", encoding="ascii")
