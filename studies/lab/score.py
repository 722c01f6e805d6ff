"""How well reports tell what was done to hosts: the truth of scenarios held against their findings.

A fault is found on a host where a finding overlaps it, or begins within a window after its end; a
finding that overlaps no fault is false. What follows a fault for SETTLING_S is neither: caches fill
again, buffers drain. A fault of one host only is expected there; what its peers see of it (who sends
to a host that loses packets sends them again) is neither found nor false, but they must not show
more of it than the host itself, or an operator looks at the wrong host.
"""

import dataclasses
import json
import math
import pathlib
import statistics

import campaigns
from faults import FAULTS

WINDOW_S, STRIDE_S = 3.0, 1.0
SETTLING_S = 5.0
# A job's first half a minute, of which recorders see so much: they start eight seconds after it.
START_S = 22.0
# What a host's time is when nothing is wrong with it.
STEADY, ELASTIC, BESIDE = "steady", "elastic", "beside faults"
KINDS_OF_TIME = (STEADY, ELASTIC, BESIDE)


@dataclasses.dataclass(frozen=True)
class Finding:
    begin_ns: int
    end_ns: int
    subsystems: tuple[str, ...]  # by share, the largest first
    agreement: int  # the most detectors that agree on a window
    windows: frozenset[int]  # ids of those flagged
    elsewhere: bool = False  # does it look like something that comes from another host?


@dataclasses.dataclass(frozen=True)
class Report:
    """What a method says of one host's recording."""
    begin_ns: int
    windows: dict[int, int]  # of each analyzed window's id, when it begins
    findings: list[Finding]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of one fault on one host that can see it."""
    run: str  # folder of the run, which with `event` is one fault
    event: int
    fault: str
    strength: float
    harm: float  # median step while it lasted over the median of all others; NaN without steps
    findings: int
    delay_s: float  # from its begin to the end of the first flagged window; NaN where not found
    windows: int  # analyzed windows of which at least half lies in the fault
    flagged: int  # of these
    begin_off_s: float  # begin of its first finding less its own; NaN where not found
    end_off_s: float  # end of its last finding less its own; likewise
    first: bool  # is the first subsystem one of the fault's?
    second: bool  # or the second?
    right_host: bool | None  # of all hosts, is its host's strongest finding the strongest? None: no such question

    @property
    def found(self) -> bool:
        return self.findings > 0


@dataclasses.dataclass
class Quiet:
    """Host time in which nothing is wrong, and what was found there."""
    false_findings: int = 0
    hours: float = 0.0


@dataclasses.dataclass(frozen=True)
class Tally:
    """Of one run."""
    scenario: str
    outcomes: list[Outcome]
    quiet: dict[str, Quiet]  # of each of KINDS_OF_TIME

    @property
    def false_findings(self) -> int:
        return sum(one.false_findings for one in self.quiet.values())

    @property
    def hours(self) -> float:
        return sum(one.hours for one in self.quiet.values())


def read_report(path: pathlib.Path) -> Report:
    """All that the scores read of a report.json."""
    report = json.loads(path.read_text(encoding="utf-8"))
    findings = []
    for finding in report["findings"]:
        shares = sorted(finding["subsystem_shares"].items(), key=lambda item: -item[1])
        likeliest = next((one for one in finding.get("patterns", ()) if not one["against"]), {})
        findings.append(Finding(finding["begin"]["ns"], finding["end"]["ns"], tuple(name for name, _ in shares),
                                finding["agreement"], frozenset(window["id"] for window in finding["windows"]),
                                likeliest.get("cause") == "other_end"))
    windows = dict(zip(report["windows"]["id"], report["windows"]["begin_ns"]))
    return Report(report["run"]["begin"]["ns"], windows, findings)


def harm(steps: list[dict], begin_ns: int, end_ns: int) -> float:
    inside = [step["ms"] for step in steps if begin_ns <= step["end_ns"] < end_ns]
    outside = [step["ms"] for step in steps if not begin_ns <= step["end_ns"] < end_ns + SETTLING_S * 1e9]
    if not outside:
        return math.nan
    # A job that makes no step at all while it lasts is harmed for all of that time.
    during = statistics.median(inside) if inside else (end_ns - begin_ns) / 1e6
    return during / statistics.median(outside)


def _of_event(event: dict, findings: list[Finding]) -> list[Finding]:
    until = event["end_ns"] + WINDOW_S * 1e9
    return [one for one in findings if one.begin_ns < until and one.end_ns > event["begin_ns"]]


def windows_of(event: dict, windows: dict[int, int]) -> set[int]:
    """Ids of those of which at least half lies in the fault."""
    half = WINDOW_S / 2 * 1e9
    return {name for name, begin in windows.items() if event["begin_ns"] - half <= begin <= event["end_ns"] - half}


def right_host(event: dict, reports: list[Report]) -> bool | None:
    """Whether the fault's host has a finding of it that is stronger than that of any other host: it does
    not look like something that comes from another host, or more detectors agree or, of as many, it has
    more windows. None where no host has one. Ties point nowhere."""
    nothing = (False, 0, 0)
    strongest = [max(((not one.elsewhere, one.agreement, len(one.windows))
                      for one in _of_event(event, report.findings)), default=nothing) for report in reports]
    if max(strongest) == nothing:
        return None
    mine = strongest.pop(event["host"])
    return all(mine > other for other in strongest)


def _outcome(run: str, event: dict, host: int, reports: list[Report], steps: list[dict]) -> Outcome:
    kind, report = FAULTS[event["fault"]], reports[host]
    mine = _of_event(event, report.findings)
    seen = min((report.windows[name] for one in mine for name in one.windows), default=math.nan)
    delay = max(seen + WINDOW_S * 1e9 - event["begin_ns"], 0) / 1e9 if mine else math.nan
    begin = min((one.begin_ns for one in mine), default=math.nan)
    end = max((one.end_ns for one in mine), default=math.nan)
    windows = windows_of(event, report.windows)
    flagged = windows & {name for one in report.findings for name in one.windows}
    return Outcome(run, event["event"], event["fault"], event["strength"],
                   harm(steps, event["begin_ns"], event["end_ns"]), len(mine), delay, len(windows), len(flagged),
                   (begin - event["begin_ns"]) / 1e9, (end - event["end_ns"]) / 1e9,
                   any(one.subsystems[0] in kind.subsystems for one in mine),
                   any(set(one.subsystems[:2]) & set(kind.subsystems) for one in mine),
                   right_host(event, reports) if kind.own_host and len(reports) > 1 else None)


def is_elastic(truth: dict) -> bool:
    """Whether the workload changes by itself. Recordings of earlier labs do not say, but their names do."""
    known = {one.name: one.elastic for scenarios in campaigns.CAMPAIGNS.values() for one in scenarios}
    return truth.get("elastic", known.get(truth["scenario"], False))


def _kind_of_time(truth: dict, report: Report, faults: list[dict], at_ns: int) -> str:
    if is_elastic(truth) or at_ns < report.begin_ns + START_S * 1e9:
        return ELASTIC
    return BESIDE if faults else STEADY


def _quiet_time(truth: dict, report: Report, faults: list[dict], into: dict[str, Quiet]) -> None:
    """Adds one host's windows and findings that no fault touches."""
    def untouched(begin_ns: float, end_ns: float) -> bool:
        return not any(begin_ns < event["end_ns"] + (WINDOW_S + SETTLING_S) * 1e9 and end_ns > event["begin_ns"]
                       for event in faults)

    for begin in report.windows.values():
        if untouched(begin, begin + WINDOW_S * 1e9):
            into[_kind_of_time(truth, report, faults, begin)].hours += STRIDE_S / 3600
    for one in report.findings:
        if untouched(one.begin_ns, one.end_ns):
            into[_kind_of_time(truth, report, faults, one.begin_ns)].false_findings += 1


def _steps(log: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()] if log.exists() else []


def tally(folder: pathlib.Path, report_name: str = "report.json") -> Tally:
    """Of one run's folder, where every host has its report."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    faults = [event for event in truth["faults"] if FAULTS[event["fault"]].is_fault]
    reports = [read_report(folder / f"host{host}" / report_name) for host in range(truth["hosts"])]
    outcomes, quiet = [], {kind: Quiet() for kind in KINDS_OF_TIME}
    for host, report in enumerate(reports):
        steps = _steps(folder / f"steps{host}.jsonl")
        outcomes += [_outcome(str(folder), event, host, reports, steps) for event in faults
                     if not FAULTS[event["fault"]].own_host or event["host"] == host]
        _quiet_time(truth, report, faults, quiet)
    return Tally(truth["scenario"], outcomes, quiet)
