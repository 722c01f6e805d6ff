"""Holds the work rate that is estimated from a recording against what its jobs counted themselves.

    evaluate.py FOLDER... --program WORK_RATE [--blocks]

A FOLDER is a run of the lab or of record.py: host0 is the recording, truth.json says what was done when,
steps0.jsonl or the logs that truth.json names say what the jobs got done. For each disturbance the table has
the true and the estimated rate while it lasted, both relative to the run's own good level by one definition;
and for each run how far a block of a second is off, and the slowdowns that were told. A told slowdown is
false if the job really did at least 95 % of its usual.
"""

import argparse
import bisect
import dataclasses
import json
import math
import pathlib
import statistics
import subprocess

GOOD_BLOCKS, GOOD_SHARE = 15, 0.95
# What a job of record.py leaves behind, should two jobs share a host.
RESOURCES = {"loader": "storage"}
HARMLESS = 0.95


class Work:
    """How much a job had done by when; between two lines of its log it went on evenly."""

    def __init__(self, log: pathlib.Path) -> None:
        self.times: list[float] = []
        self.done: list[float] = []
        for line in log.read_text(encoding="ascii").splitlines():
            entry = json.loads(line)
            end, took = entry["end_ns"], entry["ms"] * 1e6 if "ms" in entry else None
            if not self.times:
                self._add(end - (took or 5e7), 0)
            elif took and end - took > self.times[-1]:
                self._add(end - took, 0)
            self._add(end, entry.get("work", 1))

    def _add(self, time: float, work: float) -> None:
        self.times.append(time)
        self.done.append((self.done[-1] if self.done else 0) + work)

    def by(self, time: float) -> float:
        place = bisect.bisect_right(self.times, time)
        if place == 0 or place == len(self.times):
            return self.done[0 if place == 0 else -1]
        share = (time - self.times[place - 1]) / max(self.times[place] - self.times[place - 1], 1)
        return self.done[place - 1] + share * (self.done[place] - self.done[place - 1])

    def rate(self, begin: float, end: float) -> float:
        return (self.by(end) - self.by(begin)) / (end - begin) * 1e9


def good_level(rates: list[float | None]) -> float:
    """As src/work/common_course.h defines it."""
    present = [rate for rate in rates if rate is not None]
    if len(present) <= GOOD_BLOCKS:
        return statistics.median(present)
    most = 3 * statistics.median(present)
    capped = [min(rate, most) if most > 0 else rate for rate in present]
    means = [statistics.fmean(capped[at:at + GOOD_BLOCKS]) for at in range(len(capped) - GOOD_BLOCKS + 1)]
    return statistics.fmean([mean for mean in means if mean >= GOOD_SHARE * max(means)])


@dataclasses.dataclass
class Row:
    run: str
    job: str
    fault: str
    true: float
    estimated: float | None
    told: bool = False  # a slowdown overlaps it

    @property
    def error(self) -> float | None:
        return None if self.estimated is None else self.estimated - self.true


@dataclasses.dataclass
class Result:
    rows: list[Row] = dataclasses.field(default_factory=list)
    lines: list[str] = dataclasses.field(default_factory=list)
    slowdowns: int = 0
    false_slowdowns: int = 0
    seconds: float = 0


def estimate(program: pathlib.Path, recording: pathlib.Path) -> dict:
    done = subprocess.run([program, recording], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


GPUS = 2  # the kind of a job by its GPUs


def of_job(jobs: list[dict], name: str, group: str | None, on_gpus: bool = False) -> dict:
    """The estimate that is of this job: its GPUs' or its group's if that is known, else the host's of its resource."""
    if on_gpus:
        return next((job for job in jobs if job.get("kind") == GPUS), {"not_known": "no GPU is used"})
    own = [job for job in jobs if group and job["job"] == f"cg={group}" and not job["not_known"]]
    resource = RESOURCES.get(name, "network")
    host = [job for job in jobs if job["not_known"] or any(member.startswith(resource) for member in job["members"])]
    unnamed = [job for job in host if not group or not job["job"]]
    return (own or unnamed or [{"not_known": "the host's counters go along with another job"}])[0]


def mean_in(blocks: list[tuple[float, float, float]], begin: float, end: float) -> float | None:
    """Of (begin, end, rate), by how much of each lies in the span."""
    total = weight = 0.0
    for since, until, rate in blocks:
        part = min(until, end) - max(since, begin)
        if part > 0 and rate is not None:
            total, weight = total + part * rate, weight + part
    return total / weight if weight else None


def blocks_of(found: dict, rates: list) -> list[tuple[float, float, float]]:
    return list(zip(found["begin_ns"], found["end_ns"], rates, strict=True))


def true_rates(work: Work, found: dict) -> list[float | None]:
    """By block of the estimate, relative to their good level; none where the estimate has none."""
    rates = [work.rate(begin, end) if known is not None else None
             for begin, end, known in zip(found["begin_ns"], found["end_ns"], found["rate"], strict=True)]
    usual = good_level(rates)
    return [None if rate is None else rate / usual for rate in rates]


def compare(run: str, job: dict, found: dict, faults: list[dict], work: Work, out: Result) -> None:
    if found["not_known"]:
        out.lines.append(f"  {job['name']}: not known: {found['not_known']}")
        out.rows += [Row(run, job["name"], f"{fault['fault']} {fault['strength']:g}", math.nan, None) for fault in faults]
        return
    true = true_rates(work, found)
    off = [abs(estimated - real) for estimated, real in zip(found["rate"], true, strict=True) if estimated is not None]
    out.lines.append(f"  {job['name']}: {found['job'] or 'host'}; a block is off by {statistics.median(off):.3f} (median), "
                     f"{sorted(off)[int(0.9 * len(off))]:.3f} (90 %); told {found['block_error']:.3f}, bias "
                     f"{found['bias_error']:.3f}; period {found['period_s']}; {len(found['members'])} members")
    for fault in faults:
        real = mean_in(blocks_of(found, true), fault["begin_ns"], fault["end_ns"])
        estimated = mean_in(blocks_of(found, found["rate"]), fault["begin_ns"], fault["end_ns"])
        if real is None:
            out.lines.append(f"    {fault['fault']} {fault['strength']:g}: no block of it has a rate")
            continue
        told = any(slow["begin_ns"] < fault["end_ns"] and slow["end_ns"] > fault["begin_ns"] for slow in found["slowdowns"])
        out.rows.append(Row(run, job["name"], f"{fault['fault']} {fault['strength']:g}", real, estimated, told))
        out.lines.append(f"    {fault['fault']:<22} {fault['strength']:>6g}  true {real:5.2f}  estimated {estimated:5.2f}  "
                         f"error {estimated - real:+.3f}")
    for slow in found.get("slowdowns", []):
        real = mean_in(blocks_of(found, true), slow["begin_ns"], slow["end_ns"])
        is_false = real is not None and real >= HARMLESS
        out.slowdowns += 1
        out.false_slowdowns += is_false
        since = (slow["begin_ns"] - found["begin_ns"][0]) / 1e9
        out.lines.append(f"    slow at {since:6.1f} s for {(slow['end_ns'] - slow['begin_ns']) / 1e9:5.1f} s: told {slow['rate']:.2f}, "
                         f"true {real:.2f}{'  FALSE' if is_false else ''}")


def evaluate(folder: pathlib.Path, program: pathlib.Path, out: Result) -> None:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    found = estimate(program, folder / "host0")
    out.lines.append(f"{folder.name}: estimate {found['estimate_ms']:.1f} ms, a tick {found['add_us_a_tick']:.2f} us; jobs: "
                     + ", ".join(f"{one['job'] or 'host'}{' (not known)' if one['not_known'] else ''}" for one in found["jobs"]))
    out.seconds += truth["seconds"]
    jobs = truth.get("jobs") or [{"name": truth.get("model", "job"), "log": "steps0.jsonl"}]
    for job in jobs:
        if not (folder / job["log"]).exists():
            first = found["jobs"][0]
            out.lines.append(f"  no truth; slowdowns told: {[(s['begin_ns'] - first['begin_ns'][0]) / 1e9 for s in first.get('slowdowns', [])]}")
            continue
        estimated = of_job(found["jobs"], job["name"], job.get("group"), job.get("gpus", False))
        compare(folder.name, job, estimated, truth["faults"], Work(folder / job["log"]), out)


def summary(out: Result) -> list[str]:
    errors = sorted(abs(row.error) for row in out.rows if row.error is not None)
    lines = [f"{len(out.rows)} disturbances, {len(out.rows) - len(errors)} of them not known"]
    if errors:
        lines.append(f"error of the rate while it lasts: median {statistics.median(errors):.3f}, 90 % "
                     f"{errors[int(0.9 * len(errors))]:.3f}, within .03 {sum(e <= 0.03 for e in errors)}, within .07 "
                     f"{sum(e <= 0.07 for e in errors)}, within .10 {sum(e <= 0.1 for e in errors)} of {len(errors)}")
    for most in (0.85, 0.7, 0.5):
        harmful = [row for row in out.rows if row.estimated is not None and row.true <= most]
        lines.append(f"disturbances with a rate of {most:g} or less: {len(harmful)}, told as slowdowns: {sum(row.told for row in harmful)}")
    lines.append(f"slowdowns told: {out.slowdowns}, false: {out.false_slowdowns}, in {out.seconds / 60:.0f} min")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    options = parser.parse_args()
    out = Result()
    for folder in options.folders:
        if (folder / "truth.json").exists():
            evaluate(folder, options.program, out)
    print("\n".join(out.lines + [""] + summary(out)))


if __name__ == "__main__":
    main()
