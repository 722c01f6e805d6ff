"""Records the workloads of the suite, one after another.

Each run leaves OUT/WORKLOAD/RUN with host0 (the recording), steps0.jsonl (the job's log of its work) and job.json (what
it was, as text and numbers). Runs that are there are not made again, so a campaign can be cut into pieces. The first
run of each workload comes before the second of any.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import time

import container  # first: it knows where the other studies are
from record import end, recorder, unfinished
from shell import LabError, make_folder
from workloads import Workload, named

PYTHON = "/usr/bin/python3"  # Debian's, which has torch
WARM_UP_S, PATIENCE_S = 3, 120
SEED = 0


def words_of(what: Workload, rank: int, folder: pathlib.Path, out: pathlib.Path) -> list[str]:
    places = {"LOG": folder / f"steps{rank}.jsonl", "DATA": out / "data", "SCRATCH": folder / "scratch", "RANK": rank}

    def placed(word: str) -> str:
        first, slash, rest = word.partition("/")
        return f"{places.get(first, first)}{slash}{rest}"
    return [str(what.program), *map(placed, what.words)]


class Job:
    """The processes of a workload. They end by themselves, too, if whoever started them is gone."""

    def __init__(self, what: Workload, folder: pathlib.Path, out: pathlib.Path, seconds: float, join) -> None:
        self.log = folder / "steps0.jsonl"
        self.says = folder / "job.log"
        bound = f"{PATIENCE_S + WARM_UP_S + 2 * seconds:.0f}"
        with open(self.says, "ab") as log:
            self.processes = [subprocess.Popen(
                ["timeout", "-k", "5", bound, PYTHON, "-B", *words_of(what, rank, folder, out)],
                preexec_fn=join, stdout=log, stderr=log, cwd=folder) for rank in range(what.ranks)]

    def check(self) -> None:
        for process in self.processes:
            if process.poll() is not None:
                raise LabError(f"the job ended with {process.returncode}; {self.says} says why")

    def wait_for_work(self) -> None:
        until = time.monotonic() + PATIENCE_S
        while not self.log.exists() or self.log.stat().st_size == 0:
            self.check()
            if time.monotonic() > until:
                raise LabError(f"the job did no work in {PATIENCE_S} s; {self.says} may say why")
            time.sleep(0.1)

    def stop(self) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            end(process)


def about(what: Workload, number: int, kind: str, options: argparse.Namespace) -> dict:
    """What is told of a run to those who read it: texts and numbers."""
    return {"workload": what.name, "run": number, "family": what.family, "model": what.model, "task": what.task,
            "environment": kind, "ranks": what.ranks, "batch": what.batch, "optimizer": what.optimizer, "seed": SEED,
            "seconds": options.seconds, "weight": options.weight,
            "load_before": round(os.getloadavg()[0], 2)}


def record(what: Workload, number: int, options: argparse.Namespace) -> None:
    final = options.out / what.name / str(number)
    make_folder(final.parent)
    with unfinished(final) as folder, container.container(f"workload_{what.name}", options.weight) as (kind, join):
        (folder / "scratch").mkdir()
        told = about(what, number, kind, options)
        job = Job(what, folder, options.out, options.seconds, join)
        try:
            job.wait_for_work()
            time.sleep(WARM_UP_S)
            with recorder(options, folder / "host0", options.seconds):
                time.sleep(options.seconds)
                job.check()
        finally:
            job.stop()
        shutil.rmtree(folder / "scratch")
        (folder / "job.json").write_text(json.dumps(told, indent=1) + "\n", encoding="ascii")


def campaign(options: argparse.Namespace) -> None:
    for number in range(options.runs):
        for what in named(options.only):
            if (options.out / what.name / str(number)).exists():
                continue
            print(f"{time.strftime('%T')} {what.name}, run {number}: {options.seconds:g} s", flush=True)
            record(what, number, options)
