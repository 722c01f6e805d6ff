"""Holds every metric that Reveal reads of a real NVIDIA GPU against nvidia-smi, under a load that is known.

    check.py run OUT --reveal REVEAL [--gpu N] [--seconds S] [--lock-clock]
    check.py score OUT

run records this host while cuda_load.py goes through its phases and nvidia-smi tells its numbers twice a second,
then prints pass or FAIL for each metric. OUT keeps all, so that score can print it again. The exit status is 1 if
anything failed. --lock-clock changes a setting of the GPU, and takes it back: while all multiprocessors are busy
once more it locks their clock to half of the highest (nvidia-smi -lgc, -rgc; needs root). docs/gpu.md has more.
"""

import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lab"))

import check_score  # noqa: E402
from check_fields import FIELDS  # noqa: E402
from shell import LabError, make_folder, run, run_as  # noqa: E402 of the lab

EVERY_MS = 500
PROCESSES_EVERY_S = 1.0
SETTLE_S = 4.0
LOCKED_PHASE = "busy again"


def known_fields() -> list[str]:
    """Those of FIELDS that this nvidia-smi has. Their names are those of its answer's first line."""
    said = run("nvidia-smi", "--help-query-gpu")
    return [field.name for field in FIELDS if f'"{field.name}"' in said]


@contextlib.contextmanager
def running(words: list[object], out: pathlib.Path):
    """A program beside the load, whose output goes to a file; it is ended afterwards."""
    with open(out, "wb") as file:
        process = subprocess.Popen([str(word) for word in words], stdout=file, stderr=subprocess.STDOUT)
    try:
        yield process
        if process.poll() is not None:
            raise LabError(f"{words[0]} ended early with {process.returncode}; {out} says why")
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def note_processes(gpu: int, file) -> None:
    said = run("nvidia-smi", "-i", gpu, "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits")
    rows = [line.split(",") for line in said.splitlines() if "," in line]
    used = [check_score.whole(row[1]) for row in rows]
    file.write(json.dumps({"at_ns": time.time_ns(), "processes": len(rows), "mib": used}) + "\n")
    file.flush()


def half_of_highest(gpu: int) -> int:
    said = run("nvidia-smi", "-i", gpu, "--query-gpu=clocks.max.sm", "--format=csv,noheader,nounits")
    return int(said) // 2


class ClockLock:
    """Locks the clock while the load is busy for the second time."""

    def __init__(self, wanted: bool, gpu: int) -> None:
        self._gpu, self._wanted, self._locked = gpu, wanted, False

    def follow(self, phases: pathlib.Path) -> None:
        """The phase after `copy` is the one; its own line comes when it has ended."""
        names = [one["phase"] for one in check_score.lines_of(phases)]
        if self._wanted and not self._locked and "copy" in names and LOCKED_PHASE not in names:
            clock = half_of_highest(self._gpu)
            run("nvidia-smi", "-i", self._gpu, "-lgc", f"{clock},{clock}")
            self._locked = True
        if self._locked and LOCKED_PHASE in names:
            self.release()

    def release(self) -> None:
        if self._locked:
            run("nvidia-smi", "-i", self._gpu, "-rgc")
            self._locked, self._wanted = False, False


def record(options: argparse.Namespace) -> None:
    out = options.out
    make_folder(out)
    fields = known_fields()
    smi = ["nvidia-smi", "-i", options.gpu, f"--query-gpu=timestamp,pci.bus_id,{','.join(fields)}",
           "--format=csv,nounits", "-lms", EVERY_MS]
    load = [sys.executable, "-B", HERE / "cuda_load.py", "--gpu", options.gpu, "--seconds", options.seconds]
    if options.lock_clock:
        load.append("--again")
    lock = ClockLock(options.lock_clock, options.gpu)
    with (running([options.reveal, "record", "-q", "-o", out / "host0"], out / "recorder.log"),
          running(smi, out / "smi.csv"), open(out / "processes.jsonl", "w", encoding="ascii") as processes):
        time.sleep(SETTLE_S)
        with open(out / "phases.jsonl", "wb") as said, open(out / "load.log", "wb") as errors:
            job = subprocess.Popen([str(word) for word in load], stdout=said, stderr=errors)
        try:
            while job.poll() is None:
                note_processes(options.gpu, processes)
                lock.follow(out / "phases.jsonl")
                time.sleep(PROCESSES_EVERY_S)
        finally:
            job.kill()
            lock.release()
        if job.returncode != 0:
            raise LabError(f"the load ended with {job.returncode}: {(out / 'load.log').read_text(encoding='ascii', errors='replace').strip()}")
        time.sleep(1)


def export(options: argparse.Namespace) -> None:
    """The recording's GPU metrics as text, in base units, and the counters as they were."""
    for name, words in (("derived.csv", ["--derived"]), ("raw.csv", [])):
        run(options.reveal, "export", options.out / "host0", "--format", "csv", "--layout", "long", "--channels", "gpu_*",
            "-o", options.out / name, *words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("run", "score"))
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reveal", type=pathlib.Path)
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=16.0)
    parser.add_argument("--lock-clock", action="store_true")
    options = parser.parse_args()
    if options.verb == "run" and options.reveal is None:
        parser.error("run needs --reveal")
    if options.lock_clock and os.geteuid() != 0:
        parser.error("--lock-clock needs root")

    def act() -> None:
        if options.verb == "run":
            record(options)
            export(options)
        sys.exit(1 if check_score.print_score(options.out) else 0)

    run_as("check.py", act)


if __name__ == "__main__":
    main()
