"""A soak: the agent for hours, with a page open and a scraper, beside a job, and neighbors that disturb it.

    soak.py OUT --reveal BINARY --hours H [--seed N]     # as root
    soak.py OUT --reveal BINARY --hours H --no-faults    # only what it costs
    soak.py OUT --reveal BINARY --hours H --no-faults --busy    # how soon it judges if all processors are busy
    soak.py OUT --reveal BINARY --score

OUT gets plan.json (which neighbor comes when, and when each really began and ended), cost.csv, told.jsonl (what
the webhook heard), page.jsonl, verdicts.jsonl (when each window was judged), scrapes.jsonl, steps.jsonl (of the job)
and the agent's own folder. All is written as it comes, so --score tells of a run that was cut off, too.
docs/soak.md has more.
"""

import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

import neighbors
import soak_score
import watchers
from service import Service
from shell import LabError, make_folder, run_as

JOB = pathlib.Path(__file__).resolve().parents[1] / "trial" / "pack.py"
COST_S, SCRAPE_S = 30.0, 15.0
LOOK_S = 1.0


def write_plan(out: pathlib.Path, plan: dict) -> None:
    new = out / "plan.json.new"
    new.write_text(json.dumps(plan, indent=1) + "\n", encoding="ascii")
    new.rename(out / "plan.json")


def start_job(out: pathlib.Path) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-B", JOB, out / "steps.jsonl", out / "packed"], stdin=subprocess.DEVNULL,
                            start_new_session=True)


def start_busy(stack: contextlib.ExitStack) -> None:
    """Starts a process for each processor that keeps it busy."""
    for _ in range(os.cpu_count() or 1):
        one = subprocess.Popen([sys.executable, "-c", "while True: pass"], stdin=subprocess.DEVNULL, start_new_session=True)
        stack.callback(one.wait)
        stack.callback(one.kill)


def soak(service: Service, job: subprocess.Popen, beside: list[watchers.Watcher], out: pathlib.Path, plan: dict,
         acts: list) -> None:
    """From now on for as long as the plan says."""
    begin = time.monotonic()

    def wait_until(second: float) -> None:
        while (left := begin + second - time.monotonic()) > 0:
            service.check()
            for watcher in beside:
                watcher.check()
            if job.poll() is not None:
                raise LabError(f"the job ended with {job.returncode}; run {JOB.name} by hand")
            time.sleep(min(left, LOOK_S))

    plan["begin_ns"] = time.time_ns()
    write_plan(out, plan)
    for fault, act in zip(plan["faults"], acts, strict=True):
        wait_until(fault["at_s"])
        act.prepare()
        try:
            act.start()
            wait_until(fault["until_s"])
        finally:
            act.stop()
            fault["begin_ns"], fault["end_ns"] = act.began_ns, act.ended_ns
            write_plan(out, plan)
    wait_until(plan["seconds"])


def run(options: argparse.Namespace) -> None:
    out = options.out.resolve()
    if (out / "plan.json").exists():
        raise LabError(f"{out} has a soak already; --score tells of it, and another one needs a folder of its own")
    make_folder(out)
    seconds = options.hours * 3600
    plan = {"seed": options.seed, "seconds": seconds, "cpus": os.cpu_count(), "busy": options.busy,
            "faults": [] if options.no_faults else neighbors.plan(options.seed, seconds)}
    with contextlib.ExitStack() as stack:
        acts = neighbors.acts(plan["faults"], out, stack)
        job = start_job(out)
        stack.callback(job.wait)
        stack.callback(job.kill)
        if options.busy:
            start_busy(stack)
        told = watchers.Receiver(watchers.Lines(out / "told.jsonl"))
        stack.callback(told.close)
        service = Service(options.reveal, out, told.url)
        stack.callback(service.stop)
        service.start()
        service.wait_for(lambda: service.status() is not None, "its first answer")
        beside = [watchers.Watcher(work) for work in (
            watchers.each(COST_S, watchers.measure_cost(service, out / "cost.csv")),
            watchers.each(SCRAPE_S, watchers.scrape(service, watchers.Lines(out / "scrapes.jsonl"))),
            watchers.page(service, watchers.Lines(out / "page.jsonl"), watchers.Lines(out / "verdicts.jsonl")))]
        for watcher in beside:
            stack.callback(watcher.close)
        soak(service, job, beside, out, plan, acts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reveal", type=pathlib.Path, required=True)
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-faults", action="store_true")
    parser.add_argument("--busy", action="store_true", help="keep all processors busy meanwhile")
    parser.add_argument("--score", action="store_true")
    options = parser.parse_args()
    if options.score:
        run_as("soak", lambda: print(soak_score.table(options.out, options.reveal.resolve())))
    else:
        run_as("soak", lambda: run(options))


if __name__ == "__main__":
    main()
