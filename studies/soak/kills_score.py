"""What kill -9 of the agent's processes cost: its recording, its verdicts and its receivers."""

import bisect
import collections
import csv
import dataclasses
import io
import json
import pathlib
import re
import statistics
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from service import MAIN
from watchers import lines_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))

from shell import run  # noqa: E402 after the lab's folder is known

S = 1_000_000_000
RECORDER, JUDGE = "agent-recorder", "agent-judge"
FREE_S = 2.0  # a killed service's recorder ends so much later at most
NEAR_S = 1.0  # a tick so soon after a judge's end may have been lost by it
A_CHANNEL = "cpu_recorder_tick_seconds"  # any that all recordings have: only the times of the frames count
# Whose a gap of the recording is.
STUDY, OTHERS = "study", "others"
FINDING = re.compile(r"\S+ (finding(?: ended| goes on)?) \w{26}: ")
ENDED = re.compile(r"(?:was ended by signal|ended with status) (\d+)")


@dataclasses.dataclass(frozen=True)
class Kill:
    number: int
    role: str
    at_ns: int
    replaced_s: float | None = None  # until another process had taken its place; None: not before the next kill
    started_ns: int = 0  # of a service, when it was started again
    rest_gone_s: float | None = None  # of a service, until its parts had ended by themselves
    left_over: int = 0  # of a service, parts that had to be killed


@dataclasses.dataclass(frozen=True)
class Gap:
    """Ticks that have no frame, between two that have one."""
    last_ns: int
    next_ns: int
    ticks: int


@dataclasses.dataclass(frozen=True)
class Verdicts:
    """How long it took until a window that ended after a kill was judged."""
    seconds: dict[str, list[float]]  # by role, in the order of the kills
    overtaken: int  # kills after which the next kill came first
    never: int  # the last kill, if it did not judge again before the run ended


def read_kills(out: pathlib.Path) -> list[dict[str, Any]]:
    """All kills that the pieces have, in order."""
    files = sorted(out.glob("piece_*.json"), key=lambda path: int(path.stem.partition("_")[2]))
    return [kill for file in files for kill in json.loads(file.read_text(encoding="ascii"))["kills"]]


def kill_of(entry: dict[str, Any]) -> Kill:
    known = {field.name for field in dataclasses.fields(Kill)}
    return Kill(**{name: value for name, value in entry.items() if name in known})


def verdicts(kills: Sequence[Kill], windows: Sequence[dict[str, Any]], since_start: bool = False) -> Verdicts:
    """From each kill, or of a service from its new start, until the first window after it is heard to be judged."""
    judged = [(one["at_ns"], one["judged_ns"]) for one in windows if one["judged_ns"] is not None]
    out: dict[str, list[float]] = collections.defaultdict(list)
    overtaken = never = 0
    for kill, after in zip(kills, [*kills[1:], None]):
        first = next((at for at, end in judged[bisect.bisect(judged, (kill.at_ns,)):] if end > kill.at_ns), None)
        if after and (first is None or first > after.at_ns):
            overtaken += 1
        elif first is None:
            never += 1
        else:
            begin = kill.started_ns if since_start and kill.started_ns else kill.at_ns
            out[kill.role].append((first - begin) / S)
    return Verdicts(dict(out), overtaken, never)


def judged_share(windows: Sequence[dict[str, Any]], since_ns: int, until_ns: int) -> float:
    """Share of the seconds of which a judged window was heard of."""
    seconds = {one["judged_ns"] // S for one in windows
               if one["judged_ns"] is not None and since_ns <= one["judged_ns"] <= until_ns}
    return len(seconds) / max((until_ns - since_ns) / S, 1.0)


def gaps_of(frames: Sequence[tuple[int, int]]) -> list[Gap]:
    """Of frames as (wall time, number of the tick), in order."""
    return [Gap(before, after, number - last - 1)
            for (before, last), (after, number) in zip(frames, frames[1:]) if number > last + 1]


def whose(gap: Gap, kills: Sequence[Kill], runs: Sequence[int]) -> tuple[str, Kill | None]:
    """What made a gap: a kill of the recorder or the service in it, the study itself, or what else was near."""
    def within(at_ns: int, before_s: float) -> bool:
        return gap.last_ns - before_s * S <= at_ns <= gap.next_ns

    if any(within(at, 0) for at in runs):
        return STUDY, None
    for role, before_s in ((RECORDER, 0.0), (MAIN, FREE_S), (JUDGE, NEAR_S)):
        for kill in kills:
            if kill.role == role and within(kill.at_ns, before_s):
                return role, kill
    return OTHERS, None


def lost_before(gap: Gap, kill: Kill, interval_ns: int) -> int:
    """Ticks that were due before the kill and have no frame, but for the one that was in flight."""
    return max((kill.at_ns - gap.last_ns) // interval_ns - 1, 0)


def doubles(told: Iterable[dict[str, Any]]) -> list[str]:
    """Events that were heard more than once."""
    counts = collections.Counter(one["event"] for one in told)
    return [name for name, count in counts.items() if count > 1]


def told_anew(told: Iterable[dict[str, Any]]) -> list[str]:
    """Findings whose begin was told more than once, as several alerts: the labels, which are an alert's identity,
    changed while it went on."""
    counts = collections.Counter(one["id"] for one in told if one["kind"] == "open")
    return [name for name, count in counts.items() if count > 1]


def unpaired(told: Iterable[dict[str, Any]]) -> tuple[int, int]:
    """Episodes whose begin was told without an end, and the other way round. One that comes back at once is the same
    episode, though it is another finding."""
    opened, closed = ({one["episode"] for one in told if one["kind"] == kind} for kind in ("open", "close"))
    return len(opened - closed), len(closed - opened)


def said(log: str) -> tuple[list[str], collections.Counter[str]]:
    """Of the agent's log: ends of parts by anything but kill -9, and what else it said, without numbers and without
    what findings say."""
    wrong, others = [], collections.Counter()
    for line in log.splitlines():
        ended = ENDED.search(line)
        if ended and "ended by signal 9;" in line:
            continue
        if ended:
            wrong.append(line)
        elif news := FINDING.match(line):
            others[news[1]] += 1
        else:
            others[re.sub(r"/\S+|\d+(?:\.\d+)?", "N", line)] += 1
    return wrong, others


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that so many of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * round(share * 1000) // 1000) - 1)]


def spread(values: Sequence[float]) -> str:
    if not values:
        return "none"
    return (f"median {statistics.median(values):.1f}, 95 % {quantile(values, 0.95):.1f}, most {max(values):.1f} "
            f"({len(values)})")


def trend(values: Sequence[float]) -> str:
    """How the first third of them differs from the last: what a judge reads at its start grows for ten minutes."""
    third = len(values) // 3
    if third == 0:
        return ""
    return f"; first third median {statistics.median(values[:third]):.1f}, last {statistics.median(values[-third:]):.1f}"


def frames_of(recording: pathlib.Path, reveal: pathlib.Path) -> list[tuple[int, int]]:
    text = run(reveal, "export", recording, "-o", "-", "--format", "csv", "--channels", A_CHANNEL)
    return [(int(row["time_ns"]), int(row["sequence"])) for row in csv.DictReader(io.StringIO(text))]


def recording_lines(kills: Sequence[Kill], gaps: Sequence[Gap], runs: Sequence[int], interval_ns: int) -> list[str]:
    of: dict[str, list[tuple[Gap, Kill | None]]] = collections.defaultdict(list)
    for gap in gaps:
        role, kill = whose(gap, kills, runs)
        of[role].append((gap, kill))
    out = []
    for role in (RECORDER, MAIN):
        lengths = [(gap.next_ns - gap.last_ns) / S for gap, _ in of[role]]
        lost = [lost_before(gap, kill, interval_ns) for gap, kill in of[role] if kill]
        out.append(f"gaps by kills of {role}, s: {spread(lengths)}; frames lost beyond the one in flight: {sum(lost)}, "
                   f"after {sum(one > 0 for one in lost)} kills")
    judges = sum(kill.role == JUDGE for kill in kills)
    for role, where in ((JUDGE, f"within {NEAR_S:g} s after {judges} kills of {JUDGE}"), (OTHERS, "at other times")):
        out.append(f"ticks missing {where}: {sum(gap.ticks for gap, _ in of[role])} in {len(of[role])} places")
    return out


def table(out: pathlib.Path, reveal: pathlib.Path | None) -> str:
    if not (out / "piece_0.json").exists():
        sys.exit(f"kills: {out} has no piece yet; `kills.py {out} --reveal BINARY` makes them")
    reveal = reveal or pathlib.Path(json.loads((out / "piece_0.json").read_text(encoding="ascii"))["reveal"])
    kills = [kill_of(entry) for entry in read_kills(out)]
    windows, told, service = (lines_of(out / name) for name in ("windows.jsonl", "told.jsonl", "service.jsonl"))
    runs = [one["at_ns"] for one in service if one["event"] == "run"]
    recording = out / "state" / "recording"
    info = json.loads(run(reveal, "info", "--json", recording))
    frames = frames_of(recording, reveal)
    again, since_start = verdicts(kills, windows), verdicts(kills, windows, since_start=True)
    by_role = collections.Counter(kill.role for kill in kills)
    services = [kill for kill in kills if kill.role == MAIN]
    wrong, others = said((out / "agent.log").read_text(encoding="utf-8"))
    by_itself = [one["status"] for one in service if one["event"] == "ended by itself"]
    open_only, close_only = unpaired(told)
    lines = [f"kills: {len(kills)}" + "".join(f", {role} {count}" for role, count in sorted(by_role.items())),
             f"frames: {len(frames)} over {info['span_ns'] / 3.6e12:.2f} h; unreadable places: {len(info['damage'])}"]
    lines += recording_lines(kills, gaps_of(frames), runs, info["interval_ns"])
    lines += [f"seconds from a kill of {role} until a later window is judged: {spread(again.seconds.get(role, []))}"
              f"{trend(again.seconds.get(role, []))}"
              for role in sorted(by_role)]
    lines += [f"  from the new start of the service: {spread(since_start.seconds.get(MAIN, []))}",
              f"  kills before it judged again: {again.overtaken}; never again: {again.never}"]
    lines += [f"seconds until another {role} runs: "
              f"{spread([kill.replaced_s for kill in kills if kill.role == role and kill.replaced_s is not None])}"
              for role in (RECORDER, JUDGE)]
    lines += [f"seconds of which a window was judged: {100 * judged_share(windows, kills[0].at_ns, kills[-1].at_ns):.0f} %",
              f"seconds until a killed service's parts have ended by themselves: "
              f"{spread([kill.rest_gone_s for kill in services if kill.rest_gone_s is not None])}; "
              f"left over: {sum(kill.left_over for kill in services)}",
              f"notifications: {len(told)} of {len({one['episode'] for one in told})} episodes; heard twice: "
              f"{', '.join(doubles(told)) or 0}; findings whose begin was told as several alerts: "
              f"{len(told_anew(told))}; begin without end {open_only}, end without begin {close_only}",
              f"parts that ended by anything but kill -9: {len(wrong)}; the service by itself: {by_itself or 0}"]
    return "\n".join(lines + [f"  {line}" for line in wrong[:10]] + ["the agent's log says besides:"] + [
        f"  {count} x {line}" for line, count in others.most_common(15)])
