"""Whether a finding of a healthy host is false: the job's own log is the judge, the witness says who else was there."""

import dataclasses
import json
import pathlib
from collections.abc import Sequence

import folders  # noqa: F401 first: it knows where the other studies are
import harm
import witness

S = 1_000_000_000
LOST = 0.1  # share of its usual work that a harmed job lost
SLOW = 0.85  # a job whose work rate is this or less is told as slow (docs/work_rate.md)
SLOW_S = 3.0  # for at least so long
HARM, DISTURBED, FALSE = "true harm", "disturbed by others", "false"


def stretches(lines: Sequence[dict]) -> list[tuple[float, float]]:
    """Steps as stretches of time, of the rows of a job's log: of a step that took so many ms, or of several since the
    row before."""
    out: list[tuple[float, float]] = []
    before = None
    for line in lines:
        end = line["end_ns"]
        if "ms" in line:
            out.append((end - line["ms"] * 1e6, end))
        elif before is not None and line["work"]:
            each = (end - before) / line["work"]
            out += [(before + i * each, before + (i + 1) * each) for i in range(line["work"])]
        before = end
    return out


def rows_of(log: pathlib.Path) -> list[dict]:
    """Of a log of JSON, a row a line; none if there is no log. A last line that was cut off is none."""
    if not log.exists():
        return []
    return [json.loads(line) for line in log.read_text(encoding="ascii").splitlines(keepends=True) if line.endswith("\n")]


def steps_of(log: pathlib.Path) -> harm.Steps:
    return harm.Steps(stretches(rows_of(log)))


@dataclasses.dataclass(frozen=True)
class Host:
    """What is known of a recording's host beside the recording."""
    kind: str
    steps: tuple[harm.Steps, ...] = ()
    seconds: tuple[witness.Second, ...] = ()  # nobody looked if there is none
    life: tuple[dict, ...] = ()  # what the job did by itself: begin_ns, end_ns, what


@dataclasses.dataclass(frozen=True)
class Verdict:
    word: str
    lost: float  # share of the usual work of the job that lost most; NaN: not known
    others: witness.Others
    life: str  # what the job itself did meanwhile; empty: nothing


def harms(host: Host, spans: list[tuple[float, float]], which: int) -> list[harm.Harm]:
    return [harm.harm(steps, spans, which) for steps in host.steps if steps.stretches]


def judge(host: Host, spans: list[tuple[float, float]], which: int) -> Verdict:
    """Of stretch `which` of those that were told; the others are not taken for the job's usual."""
    begin, end = spans[which]
    found = harms(host, spans, which)
    others = witness.during(host.seconds, round(begin), round(end))
    word = HARM if any(one.at_least(LOST) for one in found) else DISTURBED if others.disturbed else FALSE
    known = [one.share for one in found if one.share == one.share]
    meanwhile = sorted({one["what"] for one in host.life if one["begin_ns"] < end and one["end_ns"] > begin})
    return Verdict(word, max(known, default=float("nan")), others, ", ".join(meanwhile))


def of_findings(host: Host, findings: Sequence[dict]) -> list[Verdict]:
    """Of findings, or of anything else with begin_ns and end_ns."""
    spans = [(one["begin_ns"], one["end_ns"]) for one in findings]
    return [judge(host, spans, which) for which in range(len(spans))]


def tells_slow_job(finding: dict) -> bool:
    """Whether it says that a job was slow, by its work rate."""
    rate = finding["work_rate"]
    return rate is not None and rate <= SLOW and finding["work_end_ns"] - finding["work_begin_ns"] >= SLOW_S * S


def of_slowdowns(host: Host, findings: Sequence[dict]) -> list[tuple[dict, Verdict]]:
    """The findings that tell of a slow job, each with the verdict on the stretch in which it is said to have been slow."""
    told = [one for one in findings if tells_slow_job(one)]
    spans = [(one["work_begin_ns"], one["work_end_ns"]) for one in told]
    return [(one, judge(host, spans, which)) for which, one in enumerate(told)]
