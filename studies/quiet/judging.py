"""All recordings of pieces, and others that are known to be of healthy hosts: what was shown, and what of it was false."""

import dataclasses
import json
import pathlib
from collections.abc import Iterable, Iterator, Sequence

import folders  # noqa: F401 first: it knows where the other studies are
import reports
import soak_score
import verdicts
import watchers
import witness

S = 1_000_000_000
LIVE = "live"  # by the agent, while it was recorded
OTHER = "other"
SEVERITIES = ("minor", "moderate", "major")  # of findings, the least first (docs/report.md)
TOLD = "moderate"  # an agent tells its receivers of no less, unless it is configured so (docs/how_to/be_told.md)


@dataclasses.dataclass(frozen=True)
class Source:
    """A recording, and what is known of its host."""
    name: str
    recording: pathlib.Path
    host: verdicts.Host
    agent: pathlib.Path | None = None  # the piece's folder, if the agent judged this host live


@dataclasses.dataclass(frozen=True)
class Shown:
    """A finding that was shown, and the verdict on it."""
    finding: dict
    verdict: verdicts.Verdict
    slow: bool  # it says that a job was slow
    slow_word: str  # the verdict on that; empty if it does not

    @property
    def false(self) -> bool:
        return self.verdict.word == verdicts.FALSE

    @property
    def false_slow(self) -> bool:
        return self.slow_word == verdicts.FALSE

    def is_at_least(self, severity: str) -> bool:
        return SEVERITIES.index(self.finding["severity_word"]) >= SEVERITIES.index(severity)


@dataclasses.dataclass(frozen=True)
class Judged:
    """A recording, as judged in one way."""
    name: str
    kind: str
    mode: str
    begin_ns: int
    seconds: float
    by_chance: float | None
    rate_known_s: float
    not_judged_s: float
    disturbed_s: float
    witnessed: bool
    away: tuple[tuple[int, int], ...]  # what was not judged, and what others disturbed: it is no time in which all was well
    shown: tuple[Shown, ...]

    def at_least(self, severity: str) -> "Judged":
        """The same, as if nothing less severe had been shown. What chance is said to make is of all severities."""
        kept = tuple(one for one in self.shown if one.is_at_least(severity))
        return dataclasses.replace(self, shown=kept, by_chance=self.by_chance if severity == SEVERITIES[0] else None)


def union(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same time, as spans that do not overlap, in order."""
    out: list[tuple[int, int]] = []
    for since, until in sorted(spans):
        if out and since <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], until))
        else:
            out.append((since, until))
    return out


def overlap(spans: Iterable[tuple[int, int]], begin_ns: int, end_ns: int) -> float:
    """Seconds of the spans, which do not overlap one another, in the stretch."""
    return sum(max(0, min(until, end_ns) - max(since, begin_ns)) for since, until in spans) / S


def shown(host: verdicts.Host, findings: Sequence[dict]) -> tuple[Shown, ...]:
    slow = {id(one): verdict.word for one, verdict in verdicts.of_slowdowns(host, findings)}
    return tuple(Shown(one, verdict, id(one) in slow, slow.get(id(one), ""))
                 for one, verdict in zip(findings, verdicts.of_findings(host, findings), strict=True))


def judged(source: Source, mode: str, facts: dict) -> Judged:
    begin_ns = facts["begin_ns"]
    end_ns = begin_ns + round(facts["seconds"] * S)
    not_judged = union((one["begin_ns"], one["end_ns"]) for one in facts["not_judged"])
    disturbed = witness.disturbed_spans(source.host.seconds)
    return Judged(source.name, source.host.kind, mode, begin_ns, facts["seconds"], facts["by_chance"], facts["rate_known_s"],
                  overlap(not_judged, begin_ns, end_ns), overlap(disturbed, begin_ns, end_ns),
                  bool(source.host.seconds), tuple(union([*not_judged, *disturbed])), shown(source.host, facts["findings"]))


def live_facts(piece: pathlib.Path) -> dict | None:
    """What the agent showed while the piece went on, as facts of an analysis are; None if it judged nothing."""
    ends = sorted({one["judged_ns"] for one in watchers.lines_of(piece / "windows.jsonl") if one["judged_ns"]})
    if len(ends) < 2:
        return None
    kept = soak_score.kept_findings(piece / "agent" / "state")
    found = [{**{name: one.get(name) for name in reports.PLAIN}, "begin_ns": one["begin_ns"], "end_ns": one["end_ns"],
              "work_begin_ns": one["work_begin"]["ns"], "work_end_ns": one["work_end"]["ns"]}
             for one in soak_score.kept_findings(piece / "agent" / "state")]
    gaps = [(before, after) for before, after in zip(ends, ends[1:]) if after - before > 2 * S]
    return {"begin_ns": ends[0], "seconds": (ends[-1] - ends[0]) / S, "windows": len(ends), "by_chance": None,
            "findings": found, "changes": 0, "rate_known_s": 0.0,
            "not_judged": [{"begin_ns": since, "end_ns": until, "why": "gap"} for since, until in gaps]}


def sources_of(piece: pathlib.Path) -> list[Source]:
    """Of a piece, which may have been cut off."""
    about = json.loads((piece / "piece.json").read_text(encoding="ascii"))
    seconds = tuple(witness.seconds_of(piece / "witness.csv"))
    life = tuple(verdicts.rows_of(piece / "life.jsonl"))
    steps = {name: verdicts.steps_of(piece / name) for one in about["hosts"] for name in one["steps"]}
    out = []
    for one in about["hosts"]:
        host = verdicts.Host(one["kind"], tuple(steps[name] for name in one["steps"]), seconds, life)
        out.append(Source(f"{piece.name}/{one['name']}", piece / one["recording"], host,
                          piece if one["recording"].startswith("agent/") else None))
    return [source for source in out if reports.is_recording(source.recording)]


def also(text: str) -> list[Source]:
    """Of [KIND=]FOLDER: each recording there. A job's log beside it is its judge; no witness saw it."""
    kind, equals, folder = text.rpartition("=")
    root = pathlib.Path(folder)
    out = []
    for recording in reports.recordings_below(root):
        logs = tuple(map(verdicts.steps_of, sorted(recording.parent.glob("steps*.jsonl"))))
        name = str(recording.relative_to(root.parent))
        out.append(Source(name, recording, verdicts.Host(kind if equals else OTHER, logs)))
    return out


@dataclasses.dataclass(frozen=True)
class Slowdowns:
    """Of a recording, the slowdowns of the work rate, each with its verdict."""
    name: str
    kind: str
    rate_known_s: float
    witnessed: bool
    told: tuple[tuple[dict, verdicts.Verdict], ...]

    @property
    def false(self) -> int:
        return sum(verdict.word == verdicts.FALSE for _, verdict in self.told)


def slowdowns(sources: Sequence[Source], kept: reports.Kept) -> Iterator[Slowdowns | str]:
    """Of each recording, or why there are none to tell."""
    for source in sources:
        facts = kept.facts(source.recording, reports.SLOWDOWNS)
        if "error" in facts:
            yield f"{source.name}: {facts['error']}"
            continue
        told = facts["slowdowns"]
        yield Slowdowns(source.name, source.host.kind, facts["rate_known_s"], bool(source.host.seconds),
                        tuple(zip(told, verdicts.of_findings(source.host, told), strict=True)))


def each(sources: Sequence[Source], kept: reports.Kept, modes: Sequence[str]) -> Iterator[Judged | str]:
    """What each recording says in each way, or why it says nothing."""
    for source in sources:
        for mode in modes:
            facts = kept.facts(source.recording, mode)
            yield f"{source.name}: {mode}: {facts['error']}" if "error" in facts else judged(source, mode, facts)
        if source.agent:
            live = live_facts(source.agent)
            yield judged(source, LIVE, live) if live else f"{source.name}: {LIVE}: the agent judged nothing"
