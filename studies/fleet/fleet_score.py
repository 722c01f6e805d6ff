"""What a run of the fleet study says: which disturbances were told, of which host, by what, and after how long.

All is matched within the job that a disturbance hit, whose hosts are a group of the fleet. What is told of a host belongs
to a disturbance if it was told between its begin and 10 s after its end, and if that host became slow then or in the
10 s before: by so much the analyser moves an onset to that of the host's own finding.
"""

import collections
import dataclasses
import gzip
import json
import math
import pathlib
import statistics

from shell import LabError

S = 1_000_000_000
BEFORE_NS, AFTER_NS = 10 * S, 10 * S
PAST_NS = 30 * S  # with which steps during a disturbance are compared
HARM = 1.25
WEEK_S = 7 * 86_400


@dataclasses.dataclass(frozen=True)
class Naming:
    """A line of the analyser that calls a host the cause."""
    at_ns: int
    host: str
    onset_ns: int
    subsystem: str | None


@dataclasses.dataclass(frozen=True)
class Incident:
    id: str
    job: str
    onset_ns: int
    end_ns: int
    sentence: str
    namings: tuple[Naming, ...]
    first_at_ns: int = 0  # when it was told first


@dataclasses.dataclass(frozen=True)
class Finding:
    """A host's own, with when it was known to the analyser."""
    host: str
    at_ns: int
    onset_ns: int
    end_ns: int
    subsystem: str
    claim: str


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Of one disturbance. Times are seconds from its begin, nan if there is none."""
    harm: float  # how much longer steps took; nan if unknown
    named: tuple[str, ...]  # hosts that were called the cause, in order
    named_last: str | None
    named_after_s: float  # the right one
    subsystem: str | None  # with which the right one was named first
    found_after_s: float  # its own finding
    found_subsystem: str | None
    seen: bool  # an incident began, whoever was named


def incidents_of(lines: list[dict]) -> list[Incident]:
    """Of the analyser's lines, {"at_ns", "incident"} each. An incident has the state of its last line."""
    by_id = collections.defaultdict(list)
    for line in lines:
        by_id[line["incident"]["id"]].append(line)
    return [_incident_of(each) for each in by_id.values()]


def _incident_of(lines: list[dict]) -> Incident:
    last, namings = lines[-1]["incident"], []
    for line in lines:
        told = line["incident"]
        causes = [host for host in told["hosts"] if host["name"] == told["cause"]]
        namings += [Naming(line["at_ns"], told["cause"], host["onset"]["ns"], told["subsystem"]) for host in causes[:1]]
    return Incident(last["id"], last["group"].removeprefix("role="), last["onset"]["ns"], last["end"]["ns"],
                    last["sentence"], tuple(namings), lines[0]["at_ns"])


def belongs(at_ns: int, onset_ns: int, fault: dict) -> bool:
    """Whether what was told at that time, of what began at that time, is of the disturbance."""
    last = fault["end_ns"] + AFTER_NS
    return fault["begin_ns"] <= at_ns <= last and fault["begin_ns"] - BEFORE_NS <= onset_ns <= last


def overlaps(begin_ns: int, end_ns: int, fault: dict) -> bool:
    return begin_ns <= fault["end_ns"] + AFTER_NS and end_ns >= fault["begin_ns"]


def harm_of(fault: dict, steps: list[list]) -> float:
    """Mean length of the steps that the disturbance met, by the median of those of the half minute before; of a host
    with several logs the worst one. A step is [log, end in ns, ms]; without ms it lasted since the step before."""
    worst = math.nan
    for log in {step[0] for step in steps}:
        mine = sorted((end, ms) for place, end, ms in steps if place == log)
        spans = [(end - round(ms * 1e6) if ms is not None else mine[place - 1][0] if place else end, end)
                 for place, (end, ms) in enumerate(mine)]
        before = [end - begin for begin, end in spans if fault["begin_ns"] - PAST_NS <= begin and end <= fault["begin_ns"]]
        during = [end - begin for begin, end in spans if begin < fault["end_ns"] and end > fault["begin_ns"]]
        if before and during and (usual := statistics.median(before)) > 0:
            here = statistics.fmean(during) / usual
            worst = here if math.isnan(worst) else max(worst, here)
    return worst


def outcome_of(fault: dict, incidents: list[Incident], findings: list[Finding], steps: list[list]) -> Outcome:
    mine = [incident for incident in incidents if incident.job == fault["job"]]
    namings = sorted((naming for incident in mine for naming in incident.namings
                      if belongs(naming.at_ns, naming.onset_ns, fault)), key=lambda one: one.at_ns)
    right = next((naming for naming in namings if naming.host == fault["name"]), None)
    own = min((finding for finding in findings if finding.host == fault["name"]
               and belongs(finding.at_ns, finding.onset_ns, fault)), key=lambda one: one.at_ns, default=None)
    return Outcome(
        harm_of(fault, steps), tuple(dict.fromkeys(naming.host for naming in namings)),
        namings[-1].host if namings else None,
        (right.at_ns - fault["begin_ns"]) / S if right else math.nan, right.subsystem if right else None,
        (own.at_ns - fault["begin_ns"]) / S if own else math.nan, own.subsystem if own else None,
        bool(namings) or any(belongs(incident.first_at_ns, incident.onset_ns, fault) for incident in mine))


def false_ones(faults: list[dict], incidents: list[Incident]) -> list[Incident]:
    """Incidents of a job that nothing disturbed at that time."""
    return [one for one in incidents
            if not any(one.job == fault["job"] and overlaps(one.onset_ns, one.end_ns, fault) for fault in faults)]


def false_findings(faults: list[dict], findings: list[Finding], jobs: dict[str, str]) -> list[Finding]:
    return [one for one in findings if not any(jobs.get(one.host) == fault["job"]
                                               and overlaps(one.onset_ns, one.end_ns, fault) for fault in faults)]


def quantile(values: list[float], share: float) -> float:
    """The smallest value that so large a share does not exceed; nan of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


def is_right(fault: dict, outcome: Outcome) -> bool:
    """The host that was called the cause first is the disturbed one."""
    return outcome.named[:1] == (fault["name"],)


def is_told(fault: dict, outcome: Outcome) -> bool:
    """By the fleet, or by the host's own finding if the fleet named nobody."""
    return is_right(fault, outcome) or (not outcome.named and not math.isnan(outcome.found_after_s))


def share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({100 * part / whole:.0f} %)" if whole else "")


def _seconds(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1f}"


def summary(pairs: list[tuple[dict, Outcome]]) -> list[str]:
    """Counts over disturbances. Those for which no subsystem is to blame do not count for the subsystem."""
    right = [(fault, out) for fault, out in pairs if is_right(fault, out)]
    blamed = [(fault, out) for fault, out in right if fault["subsystems"]]
    wrong = sum(any(name != fault["name"] for name in out.named) for fault, out in pairs)
    of_subsystem = sum(out.subsystem in fault["subsystems"] for fault, out in blamed)
    delays = [out.named_after_s for _, out in pairs if not math.isnan(out.named_after_s)]
    either = [min(x for x in (out.named_after_s, out.found_after_s) if not math.isnan(x)) for fault, out in pairs
              if is_told(fault, out)]
    return [
        f"an incident: {share(sum(out.seen for _, out in pairs), len(pairs))}",
        f"right host named first: {share(len(right), len(pairs))}; "
        f"of those for which a host was named: {share(len(right), sum(bool(out.named) for _, out in pairs))}",
        f"right host named last: {share(sum(out.named_last == fault['name'] for fault, out in pairs), len(pairs))}",
        f"a wrong host named at any time: {share(wrong, len(pairs))}",
        f"right subsystem, of right hosts: {share(of_subsystem, len(blamed))}",
        f"seconds to the named host: median {_seconds(quantile(delays, 0.5))}, 95 % {_seconds(quantile(delays, 0.95))}",
        f"with the host's own findings where nobody was named: {share(len(either), len(pairs))}; "
        f"seconds: median {_seconds(quantile(either, 0.5))}, 95 % {_seconds(quantile(either, 0.95))}"]


def cost_lines(truth: dict) -> list[str]:
    if "cost_end" not in truth:
        return ["the run did not come to its end: no cost"]
    begin, end, hosts = truth["cost_begin"], truth["cost_end"], len(truth["hosts"])
    seconds = (end["at_ns"] - begin["at_ns"]) / S
    host_seconds = hosts * seconds

    def spent(what: str) -> float:
        return end.get(what, math.nan) - begin.get(what, math.nan)
    agents, broker, analyser = (1000 * spent(f"{who}_cpu_s") / host_seconds for who in ("agents", "broker", "analyser"))
    return [f"cost in {seconds:.0f} s of {hosts} hosts, CPU ms a host-second: agents {agents:.2f}, broker {broker:.3f}, "
            f"analyser {analyser:.3f}",
            f"to the broker: {spent('bytes') / host_seconds:.0f} bytes and {spent('messages') / host_seconds:.2f} messages "
            f"a host-second",
            f"the machine: {100 * spent('machine_busy_s') / seconds / truth['cpus']:.0f} % of {truth['cpus']} processors busy"]


def row(fault: dict, outcome: Outcome) -> str:
    named = " ".join(outcome.named) or ("(nobody)" if outcome.seen else "-")
    harm = "?" if math.isnan(outcome.harm) else f"{outcome.harm:.1f}"
    return (f"{fault['job']:6} {fault['name']:4} {fault['kind']:12} {harm:>6} {named:12} {_seconds(outcome.named_after_s):>6} "
            f"{outcome.subsystem or '-':9} {_seconds(outcome.found_after_s):>6} {outcome.found_subsystem or '-':9} "
            f"{fault['strength']}")


def _read_lines(path: pathlib.Path) -> list[dict]:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def findings_of(path: pathlib.Path) -> list[Finding]:
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return [Finding(one["name"], one["at_ns"], one["onset_ns"], one["end_ns"], one["subsystem"], one["claim"]) for one in rows]


def table(out: pathlib.Path) -> str:
    if not (out / "truth.json").exists():
        raise LabError(f"{out} has no run; `agents.py run {out} --reveal REVEAL` makes one")
    truth = json.loads((out / "truth.json").read_text(encoding="utf-8"))
    steps = {}
    if (out / "steps.json.gz").exists():
        with gzip.open(out / "steps.json.gz", "rt", encoding="ascii") as packed:
            steps = json.load(packed)
    incidents, findings = incidents_of(_read_lines(out / "incidents.jsonl")), findings_of(out / "findings.json")
    faults = sorted(truth["faults"], key=lambda fault: fault["begin_ns"])
    jobs = {host["name"]: host["job"] for host in truth["hosts"]}
    pairs = [(fault, outcome_of(fault, incidents, findings, steps.get(fault["name"], []))) for fault in faults]
    lines = ["job    host disturbance    harm named        after by        own s by        strength"]
    lines += [row(*pair) for pair in pairs]
    for what, some in (("all that have peers", [pair for pair in pairs if pair[0]["job"] != "gpu"]),
                       (f"those that made steps {HARM} times as long", [
                           pair for pair in pairs if pair[0]["job"] != "gpu" and pair[1].harm >= HARM]),
                       ("on the host without peers", [pair for pair in pairs if pair[0]["job"] == "gpu"])):
        if some:
            lines += [f"{what}: {len(some)}", *(f"  {line}" for line in summary(some))]
    false, own = false_ones(faults, incidents), false_findings(faults, findings, jobs)
    seconds = (truth.get("end_ns", truth["begin_ns"]) - truth["begin_ns"]) / S * len(jobs)
    by_week = [f"{WEEK_S * len(some) / seconds:.0f}" if seconds else "?" for some in (false, own)]
    lines.append(f"of no disturbance, in {seconds:.0f} host-seconds: {len(false)} incidents, {len(own)} findings of hosts "
                 f"({' and '.join(by_week)} a host-week)")
    lines += [f"  {one.job}, {(one.onset_ns - truth['begin_ns']) / S:.0f} s: {one.sentence}" for one in false]
    lines += [f"  {one.host}, {(one.onset_ns - truth['begin_ns']) / S:.0f} s: {one.subsystem}: {one.claim}" for one in own]
    return "\n".join(lines + cost_lines(truth) + [f"note: {note}" for note in truth["notes"]])
