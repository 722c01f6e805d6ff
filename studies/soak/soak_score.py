"""What a soak shows: what was found and told, how soon, and what the agent cost."""

import collections
import csv
import dataclasses
import json
import math
import pathlib
import statistics
import sys
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any

from kills_score import quantile, told_anew
from watchers import lines_of

STUDIES = pathlib.Path(__file__).resolve().parents[1]
for folder in ("lab", "trial"):
    sys.path.insert(0, str(STUDIES / folder))

import outcome  # noqa: E402 after the folders are known
from shell import run  # noqa: E402

S = 1_000_000_000
DAY_S = 86_400.0
MOMENT_S = 5.0  # between two measurements is more
SETTLED_S = 1200.0  # the judge remembers 20 minutes: until then it grows
LEARNED_NS = 300 * S  # by when the judge has learned what is usual, and judges each window as it ends
MOST_POINTS = 500  # of a slope


@dataclasses.dataclass(frozen=True)
class Found(outcome.Told):
    claim: str
    told_ns: int = 0  # when the receiver heard of it first; 0: it did not, or it is of an analysis afterwards


@dataclasses.dataclass(frozen=True)
class Outcome:
    name: str
    found: bool
    subsystem_right: bool
    told_after_s: float  # from its begin; NaN where none was told


@dataclasses.dataclass(frozen=True)
class Sample:
    at_s: float
    process: str
    pid: int
    cpu_s: float
    rss: int
    pss: int


@dataclasses.dataclass(frozen=True)
class Memory:
    """Of one process, in MB (1e6 bytes)."""
    first: float
    last: float
    most: float
    per_day: float  # slope after the first minutes; NaN if that is too short


def live_findings(kept: Iterable[dict[str, Any]], told: Iterable[dict[str, Any]]) -> list[Found]:
    """Of the finding.json that the agent kept, and of what the webhook heard. A finding that comes back at once is
    not told anew."""
    first: dict[str, int] = {}
    for one in told:
        first.setdefault(one["id"], one["at_ns"])
    return [Found(one["begin_ns"], one["end_ns"], one["subsystem"], one["claim"], first.get(one["id"], 0)) for one in kept]


def kept_findings(state: pathlib.Path) -> list[dict[str, Any]]:
    return [json.loads(file.read_text(encoding="utf-8")) for file in sorted(state.glob("findings/*/*/*/*/finding.json"))]


def reported_findings(report: dict[str, Any]) -> list[Found]:
    """Of a report.json."""
    return [Found(one["begin"]["ns"], one["end"]["ns"], one["subsystem"], one["claim"]) for one in report["findings"]]


def done(faults: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that have been, of a run that may have been cut off."""
    return [fault for fault in faults if "end_ns" in fault]


def outcome_of(fault: dict[str, Any], findings: Sequence[Found]) -> Outcome:
    mine = outcome.of_event(findings, fault)
    told = [one.told_ns for one in mine if one.told_ns]
    return Outcome(fault["name"], bool(mine), bool(mine) and mine[0].subsystem in fault["subsystems"],
                   (min(told) - fault["begin_ns"]) / S if told else math.nan)


def samples_of(text: str) -> list[Sample]:
    """Of cost.csv. A last line that was cut off is none."""
    whole = text[:text.rfind("\n") + 1]
    return [Sample(int(row["at_ns"]) / S, row["process"], int(row["pid"]), float(row["cpu_s"]), int(row["rss_bytes"]),
                   int(row["pss_bytes"])) for row in csv.DictReader(whole.splitlines())]


def cpu_share(samples: Sequence[Sample], since_s: float = 0.0) -> float:
    """Of one process, in cores, from the first to the last sample. One that was started anew counts from 0."""
    chosen = [one for one in samples if one.at_s >= since_s]
    if len(chosen) < 2:
        return math.nan
    used = sum(after.cpu_s - (before.cpu_s if after.pid == before.pid else 0.0)
               for before, after in zip(chosen, chosen[1:]))
    return used / (chosen[-1].at_s - chosen[0].at_s)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Median of the slopes of all pairs (Theil 1950, Sen 1968): a few outliers change nothing. NaN of too few."""
    chosen = points[::max(1, -(-len(points) // MOST_POINTS))]
    slopes = [(y2 - y1) / (x2 - x1) for i, (x1, y1) in enumerate(chosen) for x2, y2 in chosen[i + 1:] if x2 > x1]
    return statistics.median(slopes) if slopes else math.nan


def memory(samples: Sequence[Sample], settled_s: float, which: str) -> Memory:
    sizes = [(one.at_s, getattr(one, which) / 1e6) for one in samples]
    settled = [point for point in sizes if point[0] >= settled_s]
    return Memory(sizes[0][1], sizes[-1][1], max(size for _, size in sizes), DAY_S * slope(settled))


def by_process(samples: Iterable[Sample], begin_s: float) -> dict[str, list[Sample]]:
    """From the begin on: before it a process may have been something else."""
    out: dict[str, list[Sample]] = collections.defaultdict(list)
    for one in samples:
        if one.at_s >= begin_s:
            out[one.process].append(one)
    return dict(out)


def shares_by_moment(processes: Iterable[Sequence[Sample]]) -> list[float]:
    """Sums over the processes, in MB, each time that they were measured, one after the other."""
    sums: list[float] = []
    last_s = -math.inf
    for one in sorted((one for mine in processes for one in mine), key=lambda one: one.at_s):
        if one.at_s - last_s > MOMENT_S:
            sums.append(0.0)
        sums[-1] += one.pss / 1e6
        last_s = one.at_s
    return sums


def cost_lines(samples: Sequence[Sample], begin_s: float) -> list[str]:
    settled_s = begin_s + SETTLED_S
    processes = by_process(samples, begin_s)
    if not processes:
        return ["cost: nothing is measured yet"]
    out = [f"{'process':<16}{'% of a core':>12}{'after 20 min':>14}{'MB: first':>11}{'last':>7}{'most':>7}{'MB a day':>10}"
           f"{'its share, MB':>16}{'MB a day':>10}"]
    totals = [0.0] * 6
    for name, mine in sorted(processes.items()):
        shares = [100 * cpu_share(mine), 100 * cpu_share(mine, settled_s)]
        resident, share = memory(mine, settled_s, "rss"), memory(mine, settled_s, "pss")
        for i, value in enumerate((*shares, resident.last, resident.per_day, share.last, share.per_day)):
            totals[i] += value
        out.append(f"{name:<16}{shares[0]:>12.2f}{shares[1]:>14.2f}{resident.first:>11.1f}{resident.last:>7.1f}"
                   f"{resident.most:>7.1f}{resident.per_day:>+10.2f}{share.last:>16.1f}{share.per_day:>+10.2f}")
    out.append(f"{'all':<16}{totals[0]:>12.2f}{totals[1]:>14.2f}{'':>11}{totals[2]:>7.1f}{'':>7}{totals[3]:>+10.2f}"
               f"{totals[4]:>16.1f}{totals[5]:>+10.2f}")
    moments = shares_by_moment(processes.values())
    out.append(f"all shares at one moment, MB: median {statistics.median(moments):.1f}, most {max(moments):.1f}")
    last = max(one.at_s for one in samples)
    return out + [f"measured for {(last - begin_s) / 3600:.2f} h; in a share, a page that n processes map counts 1/n"]


def finding_lines(title: str, faults: Sequence[dict[str, Any]], findings: Sequence[Found], hours: float) -> list[str]:
    outcomes = [outcome_of(fault, findings) for fault in faults]
    out = []
    for name in sorted({one.name for one in outcomes}):
        mine = [one for one in outcomes if one.name == name]
        out.append(f"{title}: {name}: found {sum(one.found for one in mine)} of {len(mine)}, subsystem right "
                   f"{sum(one.subsystem_right for one in mine)}")
    false = outcome.of_none(findings, faults)
    out.append(f"{title}: found {sum(one.found for one in outcomes)} of {len(outcomes)}; of no fault: {len(false)} in "
               f"{hours:.2f} h")
    out += [f"  {(one.end_ns - one.begin_ns) / S:.1f} s, {one.subsystem}: {one.claim}" for one in false]
    delays = [one.told_after_s for one in outcomes if not math.isnan(one.told_after_s)]
    if delays:
        out.append(f"{title}: seconds from a fault's begin to the webhook: median {statistics.median(delays):.1f}, "
                   f"95 % {quantile(delays, 0.95):.1f}, most {max(delays):.1f}")
    return out


def watcher_lines(out: pathlib.Path) -> list[str]:
    scrapes, streams = lines_of(out / "scrapes.jsonl"), lines_of(out / "page.jsonl")
    answered = [one["ms"] for one in scrapes if one["bytes"]]
    lines = []
    if answered:
        lines.append(f"scrapes: {len(answered)} of {len(scrapes)} answered, ms: median {statistics.median(answered):.1f}, "
                     f"95 % {quantile(answered, 0.95):.1f}, most {max(answered):.1f}")
    if streams:
        events = collections.Counter()
        for one in streams:
            events.update(one["events"])
        lines.append(f"streams: {len(streams)}, events: " + ", ".join(f"{name} {count}" for name, count in events.items()))
    return lines


def verdict_line(verdicts: Sequence[dict[str, Any]], since_ns: int) -> str:
    """How long after its end each window was judged. Before `since_ns` the judge reads what was recorded meanwhile."""
    lags = [(one["at_ns"] - one["judged_ns"]) / S for one in verdicts if one["judged_ns"] >= since_ns]
    if not lags:
        return "verdicts: none yet"
    return (f"verdicts: {len(lags)} windows, seconds from a window's end: median {statistics.median(lags):.2f}, "
            f"95 % {quantile(lags, 0.95):.2f}, 99 % {quantile(lags, 0.99):.2f}, most {max(lags):.2f}")


def analyzed(recording: pathlib.Path, reveal: pathlib.Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="reveal_soak_") as out:
        run(reveal, "analyze", recording, "-o", out, "--no-html")
        return json.loads((pathlib.Path(out) / "report.json").read_text(encoding="utf-8"))


def table(out: pathlib.Path, reveal: pathlib.Path) -> str:
    if not (out / "plan.json").exists():
        sys.exit(f"soak: {out} has no soak; `soak.py {out} --reveal BINARY --hours H` makes one")
    plan = json.loads((out / "plan.json").read_text(encoding="ascii"))
    faults = done(plan["faults"])
    samples = samples_of((out / "cost.csv").read_text(encoding="ascii"))
    recording = out / "state" / "recording"
    info = json.loads(run(reveal, "info", "--json", recording))
    hours = info["span_ns"] / 3.6e12
    lines = [f"soak of {hours:.2f} h, {plan['cpus']} processors, {info['channels']} channels, {len(faults)} faults"
             f"{', all processors kept busy' if plan.get('busy') else ''}; ticks missed: "
             f"{sum(gap['ticks'] for gap in info['gaps'])} of {info['frames']}"]
    if (out / "verdicts.jsonl").exists():
        lines.append(verdict_line(lines_of(out / "verdicts.jsonl"), plan["begin_ns"] + LEARNED_NS))
    told = lines_of(out / "told.jsonl")
    live = live_findings(kept_findings(out / "state"), told)
    lines += cost_lines(samples, plan["begin_ns"] / S) + watcher_lines(out)
    lines.append(f"notifications: {len(told)} of {len({one['id'] for one in told})} findings, of which the begin of "
                 f"{len(told_anew(told))} was told as several alerts")
    lines += finding_lines("live", faults, live, hours)
    lines += finding_lines("analyzed afterwards", faults, reported_findings(analyzed(recording, reveal)), hours)
    return "\n".join(lines)
