"""What a report says of each disturbance of a piece, held against the truth."""

import dataclasses
import json
import math
import pathlib
import re
import tempfile
from collections.abc import Sequence

import harm
from shell import run

S = 1_000_000_000
MARGIN_S = 2.0  # a finding so near to a disturbance belongs to it
SHORTEST_ID = 8  # what the name of a channel leaves of one
# Of which subsystem each pattern's advice is; `contract` tests of the program know no such table.
ADVICE = {"gpu": "gpu", "cpu": "cpu", "process_stopped": "cpu", "group_frozen": "cpu", "swapping": "memory", "write_back_surge": "storage", "io_limit": "storage",
          "disk_saturated": "storage", "host_drops_packets": "network", "segments": "network",
          "group_segments": "network", "link": "network",
          "receive_on_one_core": "network", "interrupts_on_one_core": "cpu", "remote_memory": "memory",
          "idle_huge_pages": "memory", "memory": "memory", "network": "network", "storage": "storage", "disk": "storage", "damaged_segments": "network"}
STANDS_STILL = ("process_stopped", "group_frozen")  # patterns whose findings name who was stopped, not who did it
RIGHT, WRONG, NONE = "right", "wrong", "none"


def advice_of(pattern: str) -> str:
    """The subsystem of a pattern's remedy; its own name where it is not known."""
    names = [name for name in ADVICE if pattern.startswith(name)]
    return ADVICE[max(names, key=len)] if names else pattern


@dataclasses.dataclass(frozen=True)
class Told:
    """What every method tells of a finding."""
    begin_ns: int
    end_ns: int
    subsystem: str

    def overlap(self, begin_ns: float, end_ns: float) -> float:
        return min(self.end_ns, end_ns) - max(self.begin_ns, begin_ns)


@dataclasses.dataclass(frozen=True)
class Finding(Told):
    """A finding or a change of report.json, as far as it is held against the truth."""
    severity: float  # NaN: unknown
    word: str
    culprit_channel: str
    sufferer_channel: str
    process: str
    patterns: tuple[str, ...]  # without those beside it and those that something argues against
    fields: dict  # as in the report

    @staticmethod
    def of(fields: dict) -> "Finding":
        severity = fields["severity"]
        patterns = tuple(one["name"] for one in fields["patterns"] if not one["against"] and not one.get("beside"))
        return Finding(fields["begin"]["ns"], fields["end"]["ns"], fields["subsystem"],
                       math.nan if severity is None else severity, fields["severity_word"], fields["culprit_channel"],
                       fields["sufferer_channel"], fields["process"], patterns, fields)

    def sentences(self) -> list[str]:
        names = ("claim", "who", "who_process", "process_unknown", "suffered", "work", "stalled", "onset_order",
                 "incident_order", "meaning", "remedy")
        return [f"{name}: {self.fields[name]}" for name in names if self.fields.get(name)]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of one disturbance. Errors are NaN where it is not found."""
    name: str
    origin: str
    piece: str
    harm: harm.Harm
    harmless: bool  # as planned
    finding: Finding | None  # the one that overlaps it most
    more: int  # further findings that touch it
    change: bool  # only a change tells of it
    subsystem_right: bool
    by_group: bool | None  # None: it has no group of its own
    by_process: bool | None
    begin_error_s: float
    end_error_s: float
    advice: str
    accused: str  # who is named and did not do it; empty: nobody
    contradictions: tuple[str, ...]

    @property
    def found(self) -> bool:
        return self.finding is not None

    @property
    def named(self) -> bool | None:
        """Whether the culprit is named in either way. None: nobody did it."""
        known = [one for one in (self.by_group, self.by_process) if one is not None]
        return any(known) if known else None


@dataclasses.dataclass(frozen=True)
class Tally:
    piece: str
    job: str
    others_cores: tuple[float, float]  # processors in use before the piece and after it
    outcomes: list[Outcome]
    false: list[tuple[Finding, harm.Harm]]  # findings of no disturbance, and what the job lost meanwhile
    seconds: float


def contradictions(finding: Finding) -> tuple[str, ...]:
    """Where two sentences of one finding cannot both be true, as far as a program sees that."""
    fields, out = finding.fields, []
    if finding.culprit_channel and fields["culprit"] == fields["sufferer"]:
        out.append("who did it is who suffered")
    if finding.end_ns <= finding.begin_ns:
        out.append("ends before it begins")
    rate = fields.get("work_rate")
    if rate is not None and rate < 0.9 and "kept its usual rate" in fields["work"]:
        out.append(f"kept its rate, of {100 * rate:.0f} %")
    if rate is not None and rate > 0.98 and finding.word == "major":
        out.append("major, but the job kept its rate")
    if fields.get("remedy") and not finding.patterns:
        out.append("a remedy without a pattern of its own subsystem")
    if finding.patterns and advice_of(finding.patterns[0]) not in (finding.subsystem, *_near(finding.subsystem)):
        out.append(f"{finding.subsystem}, but advice of {finding.patterns[0]}")
    return tuple(out)


def _near(subsystem: str) -> tuple[str, ...]:
    return {"memory": ("storage",), "storage": ("memory",)}.get(subsystem, ())


def belongs(begin_ns: float, end_ns: float, event: dict) -> bool:
    """Whether what was found from then to then is of that event."""
    return min(end_ns, event["end_ns"]) - max(begin_ns, event["begin_ns"]) > -MARGIN_S * S


def of_event(findings: Sequence[Told], event: dict) -> list:
    """Those that belong to it, the one that overlaps it most first."""
    mine = [one for one in findings if belongs(one.begin_ns, one.end_ns, event)]
    return sorted(mine, key=lambda one: -one.overlap(event["begin_ns"], event["end_ns"]))


def of_none(findings: Sequence[Told], events: list[dict]) -> list:
    return [one for one in findings if not any(belongs(one.begin_ns, one.end_ns, event) for event in events)]


def _by_group(finding: Finding | None, event: dict, job_group: str) -> bool | None:
    """Of a limit on the job itself, who suffers is who did it."""
    if not event["group"]:
        return None
    if finding is None:
        return False
    channels = [finding.culprit_channel] + ([finding.sufferer_channel] if event["group"] == job_group else [])
    return any(_is_of(channel, event["group"]) for channel in channels)


def _is_of(channel: str, group: str) -> bool:
    """Whether a channel is of a group, or of one within it. In the names of channels ids are cut off."""
    found = re.search(r"cg=/([^,}]*)", channel)
    parts, wanted = found[1].split("/") if found else [], group.split("/")
    same = (part == whole or (len(part) >= SHORTEST_ID and whole.startswith(part)) for part, whole in zip(parts, wanted))
    return len(parts) >= len(wanted) and all(same)


def _by_process(finding: Finding | None, event: dict) -> bool | None:
    return bool(finding) and finding.process in event["processes"] if event["processes"] else None


def _advice(finding: Finding | None, event: dict) -> str:
    if finding is None or not finding.patterns:
        return NONE
    return RIGHT if advice_of(finding.patterns[0]) in event["subsystems"] else WRONG


def _main(findings: list[Finding], event: dict) -> tuple[Finding | None, int]:
    mine = of_event(findings, event)
    return (mine[0], len(mine) - 1) if mine else (None, 0)


def _accused(finding: Finding | None, event: dict, by_group: bool | None, by_process: bool | None) -> str:
    if finding is None or by_group or by_process or (finding.patterns and finding.patterns[0] in STANDS_STILL):
        return ""
    return finding.fields["culprit"] or finding.process


def outcome(truth: dict, which: int, report: dict, steps: harm.Steps) -> Outcome:
    events = truth["disturbances"]
    event = events[which]
    finding, more = _main([Finding.of(one) for one in report["findings"]], event)
    change, _ = _main([Finding.of(one) for one in report["changes"]], event)
    spans = [(one["begin_ns"], one["end_ns"]) for one in events]
    by_group, by_process = _by_group(finding, event, truth["group"]), _by_process(finding, event)
    return Outcome(
        event["name"], event["origin"], truth["piece"], harm.harm(steps, spans, which), event["harmless"], finding, more,
        finding is None and change is not None, finding is not None and finding.subsystem in event["subsystems"],
        by_group, by_process,
        (finding.begin_ns - event["begin_ns"]) / S if finding else math.nan,
        (finding.end_ns - event["end_ns"]) / S if finding else math.nan,
        _advice(finding, event), _accused(finding, event, by_group, by_process), contradictions(finding) if finding else ())


def harm_beside(finding: Told, events: list[dict], steps: harm.Steps) -> harm.Harm:
    """What the job lost while that finding lasted: others that share the machine disturb it, too."""
    spans = [(one["begin_ns"], one["end_ns"]) for one in events] + [(finding.begin_ns, finding.end_ns)]
    return harm.harm(steps, spans, len(events))


def judge(truth: dict, report: dict, steps: harm.Steps) -> Tally:
    events = truth["disturbances"]
    outcomes = [outcome(truth, which, report, steps) for which in range(len(events))]
    false = [(one, harm_beside(one, events, steps)) for one in of_none(list(map(Finding.of, report["findings"])), events)]
    return Tally(truth["piece"], truth["job"], tuple(truth["others_cores"]), outcomes, false, truth["seconds"])


def tally(folder: pathlib.Path, reveal: pathlib.Path) -> Tally:
    """Of a piece's folder, analyzed by this program."""
    with tempfile.TemporaryDirectory(prefix="reveal_trial_") as out:
        run(reveal, "analyze", folder / "host0", "-o", out, "--no-html")
        report = json.loads((pathlib.Path(out) / "report.json").read_text(encoding="utf-8"))
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    return judge(truth, report, harm.Steps.read(folder / "steps.jsonl"))
