"""One piece: healthy hosts in namespaces of this machine, all at once, each with a recorder, and an agent of the machine.

A piece's folder has piece.json (what it was), a recording for each host, the agent's folder, the logs of the jobs and
witness.csv. All is written as it comes, so a piece that was cut off can be judged as far as it went.
"""

import contextlib
import functools
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import time
from collections.abc import Iterator

import folders  # noqa: F401 first: it knows where the other studies are
import groups
import hosts
import network
import scenario
import watchers
import witness
from service import Service
from shell import LabError, make_folder, write

MOST_MINUTES = 60
WARM_UP_S = 20  # the ranks find each other, and the agent its metrics
LOOK_S = 1.0
WITH_GROUPS = scenario.WITH_GROUPS.replace("cpu memory", "cpu cpuacct memory")


def write_about(folder: pathlib.Path, about: dict) -> None:
    new = folder / "piece.json.new"
    new.write_text(json.dumps(about, indent=1) + "\n", encoding="ascii")
    new.rename(folder / "piece.json")


@contextlib.contextmanager
def control_groups(jobs: list[hosts.Job]) -> Iterator[None]:
    """Of the jobs and of the study itself, which is in its own meanwhile."""
    groups.usable()
    try:
        groups.make(hosts.OWN)
        for job in jobs:
            groups.make(f"{hosts.GROUP}/{job.group}")
            write(groups.path("cpu", f"{hosts.GROUP}/{job.group}") / "cpu.shares", job.shares)
        groups.join(hosts.OWN)
        yield
    finally:
        groups.join(".")
        for name in [hosts.OWN, *(f"{hosts.GROUP}/{job.group}" for job in jobs)]:
            groups.remove(name)


class Running:
    """The processes of a piece, and what ends them."""

    def __init__(self, reveal: pathlib.Path, folder: pathlib.Path, seconds: float) -> None:
        self.reveal, self.folder, self.seconds = reveal, folder, seconds
        self.jobs: list[subprocess.Popen] = []
        self.recorders: list[subprocess.Popen] = []

    def _spawn(self, host: int, log: str, *words: object, group: str = "") -> subprocess.Popen:
        enter = functools.partial(groups.enter, group, groups.CONTROLLERS, 0)
        with open(self.folder / log, "ab") as out:
            return subprocess.Popen(network.inside(host, *words), stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                                    start_new_session=True, preexec_fn=enter)

    def start_jobs(self, jobs: list[hosts.Job]) -> None:
        for job in jobs:
            self.jobs.append(self._spawn(job.host, "jobs.log", *job.words, group=f"{hosts.GROUP}/{job.group}"))

    def start_recorders(self) -> None:
        for host in hosts.HOSTS:
            if host.number >= 0:
                self.recorders.append(self._spawn(
                    host.number, "recorders.log", "sh", "-c", WITH_GROUPS, self.reveal, "record", "-q", "--config",
                    scenario.CONFIG, "-o", self.folder / hosts.recording(host), "--duration", f"{self.seconds}s"))

    def check(self) -> None:
        for job in self.jobs:
            if job.poll() is not None:
                raise LabError(f"{' '.join(map(str, job.args[4:]))} ended with {job.returncode}; {self.folder}/jobs.log "
                               "says why")
        for recorder in self.recorders:
            if recorder.poll() not in (None, 0):
                raise LabError(f"a recorder ended with {recorder.returncode}; {self.folder}/recorders.log says why")

    def stop(self) -> None:
        """Recorders first, so that none sees how the jobs end."""
        for processes in (self.recorders, self.jobs):
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)
            for process in processes:
                try:
                    process.wait(scenario.PATIENCE_S)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()


def about_now(reveal: pathlib.Path, seconds: float, seed: int) -> dict:
    known = [{"name": host.name, "kind": host.kind, "recording": hosts.recording(host), "steps": list(host.steps)}
             for host in hosts.HOSTS]
    return {"seed": seed, "seconds": seconds, "cpus": os.cpu_count(), "program": str(reveal), "hosts": known,
            "begin_ns": time.time_ns()}


def used(seconds: list[witness.Second], cpus: int) -> dict:
    """What the piece used of the processors, as piece.json tells it."""
    if not seconds:
        return {}
    means = {f"{name}_cores": round(statistics.mean(getattr(one, name) for one in seconds), 4)
             for name in ("busy", "own", "others", "steal")}
    full = sum(one.busy > 0.75 * cpus for one in seconds) / len(seconds)
    disturbed = len(witness.disturbed_spans(seconds)) / len(seconds)
    return {**means, "share_of_seconds_above_75_percent": round(full, 4), "share_of_seconds_disturbed": round(disturbed, 4)}


def _live(running: Running, service: Service, folder: pathlib.Path, beside: list[watchers.Watcher]) -> None:
    """From now on for as long as the recorders record."""
    until = time.monotonic() + running.seconds
    while (left := until - time.monotonic()) > 0:
        running.check()
        service.check()
        for watcher in beside:
            watcher.check()
        time.sleep(min(left, LOOK_S))
    for recorder in running.recorders:
        if recorder.wait(scenario.PATIENCE_S):
            raise LabError(f"a recorder ended with {recorder.returncode}; {folder}/recorders.log says why")


def start_agent(reveal: pathlib.Path, folder: pathlib.Path, stack: contextlib.ExitStack) -> Service:
    told = watchers.Receiver(watchers.Lines(folder / "told.jsonl"))
    stack.callback(told.close)
    service = Service(reveal, folder / "agent", told.url)
    stack.callback(service.stop)
    service.start()
    service.wait_for(lambda: service.status() is not None, "its first answer")
    return service


def record(folder: pathlib.Path, reveal: pathlib.Path, seconds: float, seed: int) -> dict:
    """Leaves a piece in `folder`, which must have none. Returns what piece.json says."""
    folder = folder.resolve()
    if (folder / "piece.json").exists():
        raise LabError(f"{folder} has a piece already; another one needs a folder of its own")
    make_folder(folder)
    scratch = folder / "scratch"
    make_folder(scratch)
    network.use_names(hosts.PREFIX)
    jobs = hosts.jobs(folder, scratch, seed)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        stack.enter_context(network.hosts(hosts.NAMESPACES))
        stack.enter_context(control_groups(jobs))
        running = Running(reveal, folder, seconds)
        stack.callback(running.stop)
        running.start_jobs(jobs)
        time.sleep(WARM_UP_S)
        running.check()
        about = about_now(reveal, seconds, seed)
        write_about(folder, about)
        service = start_agent(reveal, folder, stack)
        running.start_recorders()
        beside = [watchers.Watcher(work) for work in (
            watchers.each(witness.EVERY_S, witness.write(hosts.GROUP, folder / "witness.csv")),
            watchers.windows(service, watchers.Lines(folder / "windows.jsonl"), watchers.Newest()))]
        for watcher in beside:
            stack.callback(watcher.close)
        _live(running, service, folder, beside)
        about["end_ns"] = time.time_ns()
    about.update(used(witness.seconds_of(folder / "witness.csv"), about["cpus"]))
    write_about(folder, about)
    return about


def remove_what_is_left() -> None:
    """Of a piece that was killed."""
    network.use_names(hosts.PREFIX)
    for path in sorted(groups.path("cpuacct", hosts.GROUP).glob("*")):
        if path.is_dir():
            groups.remove(f"{hosts.GROUP}/{path.name}")
    network.remove()
