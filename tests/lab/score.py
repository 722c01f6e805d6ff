"""How well reports tell what was done to hosts: the truth of scenarios held against their findings.

A fault is found on a host where a finding overlaps it, or begins within a window after its end; a
finding that overlaps no fault is false. What follows a fault for SETTLING_S is neither: caches fill
again, buffers drain. A fault of one host only is expected there; what its peers see of it (who sends
to a host that loses packets sends them again) is neither found nor false.
"""

import dataclasses
import json
import math
import pathlib
import statistics

from faults import FAULTS

WINDOW_S = 3.0
SETTLING_S = 5.0


@dataclasses.dataclass(frozen=True)
class Finding:
    begin_ns: int
    end_ns: int
    subsystems: tuple[str, ...]  # by share, the largest first


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of one fault on one host that can see it."""
    scenario: str
    fault: str
    strength: float
    harm: float  # median step while it lasted over the median of all others; NaN without steps
    found: bool
    incidents: int
    delay_s: float  # from its begin to the end of the first flagged window; NaN where not found
    first: bool  # is the first subsystem one of the fault's?
    second: bool  # or the second?


@dataclasses.dataclass(frozen=True)
class Tally:
    outcomes: list[Outcome]
    false_findings: int
    hours: float  # of hosts without any fault


def findings_of(report: dict) -> list[Finding]:
    out = []
    for finding in report["findings"]:
        shares = sorted(finding["subsystem_shares"].items(), key=lambda item: -item[1])
        out.append(Finding(finding["begin"]["ns"], finding["end"]["ns"], tuple(name for name, _ in shares)))
    return out


def harm(steps: list[dict], begin_ns: int, end_ns: int) -> float:
    inside = [step["ms"] for step in steps if begin_ns <= step["end_ns"] < end_ns]
    outside = [step["ms"] for step in steps if not begin_ns <= step["end_ns"] < end_ns + SETTLING_S * 1e9]
    if not outside:
        return math.nan
    # A job that makes no step at all while it lasts is harmed for all of that time.
    during = statistics.median(inside) if inside else (end_ns - begin_ns) / 1e6
    return during / statistics.median(outside)


def _outcome(scenario: str, event: dict, findings: list[Finding], steps: list[dict]) -> Outcome:
    kind = FAULTS[event["fault"]]
    until = event["end_ns"] + WINDOW_S * 1e9
    mine = [one for one in findings if one.begin_ns < until and one.end_ns > event["begin_ns"]]
    first = min(mine, key=lambda one: one.begin_ns, default=None)
    delay = (max(first.begin_ns + WINDOW_S * 1e9, event["begin_ns"]) - event["begin_ns"]) / 1e9 if first else math.nan
    return Outcome(scenario, event["fault"], event["strength"], harm(steps, event["begin_ns"], event["end_ns"]),
                   bool(mine), len(mine), delay, any(one.subsystems[0] in kind.subsystems for one in mine),
                   any(set(one.subsystems[:2]) & set(kind.subsystems) for one in mine))


def _is_false(finding: Finding, events: list[dict]) -> bool:
    real = [event for event in events if FAULTS[event["fault"]].is_fault]
    return not any(finding.begin_ns < event["end_ns"] + (WINDOW_S + SETTLING_S) * 1e9 and
                   finding.end_ns > event["begin_ns"] for event in real)


def tally(folder: pathlib.Path, report_name: str = "report.json") -> Tally:
    """Of one scenario's folder, where every host has its report."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    events = truth["faults"]
    outcomes, false_findings, hours = [], 0, 0.0
    for host in range(truth["hosts"]):
        findings = findings_of(json.loads((folder / f"host{host}" / report_name).read_text(encoding="utf-8")))
        log = folder / f"steps{host}.jsonl"
        steps = [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()] if log.exists() else []
        for event in events:
            kind = FAULTS[event["fault"]]
            if kind.is_fault and (not kind.own_host or event["host"] == host):
                outcomes.append(_outcome(truth["scenario"], event, findings, steps))
        false_findings += sum(_is_false(finding, events) for finding in findings)
        ill = sum(event["end_ns"] - event["begin_ns"] for event in events) / 1e9
        hours += (truth["seconds"] - ill) / 3600
    return Tally(outcomes, false_findings, hours)


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if of == 0:
        return math.nan, math.nan
    z, p = 1.96, hits / of
    middle, spread = p + z * z / (2 * of), z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return (middle - spread) / (1 + z * z / of), (middle + spread) / (1 + z * z / of)


def _line(name: str, outcomes: list[Outcome]) -> str:
    found = [one for one in outcomes if one.found]
    share = len(found) / len(outcomes)
    low, high = wilson(len(found), len(outcomes))
    harmed = [one.harm for one in outcomes if not math.isnan(one.harm)]
    def of_found(values: list[float]) -> str:
        return f"{statistics.mean(values):.2f}" if values else "-"
    return (f"{name:34} {len(outcomes):4} {statistics.median(harmed) if harmed else math.nan:6.2f} {share:7.2f} "
            f"{low:5.2f}-{high:4.2f} {of_found([one.delay_s for one in found]):>7} "
            f"{of_found([float(one.incidents) for one in found]):>9} {of_found([float(one.first) for one in found]):>6} "
            f"{of_found([float(one.second) for one in found]):>6}")


def table(name: str, tallies: list[Tally]) -> str:
    """A row a fault and strength, the weakest first, and the total."""
    outcomes = [outcome for one in tallies for outcome in one.outcomes]
    groups: dict[tuple[str, float], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.fault, outcome.strength), []).append(outcome)
    rows = sorted(groups.items(), key=lambda item: (statistics.mean(one.found for one in item[1]),
                                                    statistics.mean(one.first for one in item[1]), item[0]))
    false_findings, hours = sum(one.false_findings for one in tallies), sum(one.hours for one in tallies)
    out = [f"{name:34} {'runs':>4} {'harm':>6} {'found':>7} {'95 %':>10} {'delay s':>7} {'incidents':>9} "
           f"{'top-1':>6} {'top-2':>6}"]
    out += [_line(f"{fault} {strength:g} {FAULTS[fault].unit}", group) for (fault, strength), group in rows]
    if outcomes:
        out.append(_line("all", outcomes))
    harmful = [one for one in outcomes if one.harm >= 1.2]
    if harmful:
        out.append(_line("those that harm (steps 1.2 x)", harmful))
    out.append(f"false findings: {false_findings} in {hours:.2f} healthy host-hours"
               + (f", {false_findings / hours:.1f} an hour" if hours else ""))
    return "\n".join(out)
