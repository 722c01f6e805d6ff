"""Outcomes as a table: a row a disturbance, then what was found of nothing, then the totals against the aims."""

import math
import statistics
from collections.abc import Callable, Iterable

from harm import Harm
from outcome import NONE, RIGHT, WRONG, Finding, Outcome, Tally

HARM = 0.10
COLUMNS = (("disturbance", 17), ("of", 7), ("piece", 8), ("harm %", 11), ("found", 8), ("subsystem", 12), ("group", 6),
           ("process", 8), ("begin s", 8), ("end s", 7), ("severity", 9), ("advice", 24))


def _yes(value: bool | None) -> str:
    return {None: "-", True: "yes", False: "no"}[value]


def _number(value: float, form: str) -> str:
    return "-" if math.isnan(value) else format(value, form)


def _percent(one: Harm) -> str:
    return "-" if math.isnan(one.share) else f"{100 * one.share:.0f} ± {100 * one.error:.0f}"


def _found(one: Outcome) -> str:
    if one.found:
        return "yes" if one.more == 0 else f"yes +{one.more}"
    return "change" if one.change else "no"


def _line(cells: Iterable[str]) -> str:
    return "".join(f"{cell:<{width}}" for cell, (_, width) in zip(cells, COLUMNS, strict=True)).rstrip()


def row(one: Outcome) -> str:
    finding = one.finding
    subsystem = f"{finding.subsystem}{'' if one.subsystem_right else ' !'}" if finding else "-"
    advice = f"{one.advice} {finding.patterns[0]}" if finding and finding.patterns else ("none" if finding else "-")
    cells = (one.name, one.origin, one.piece, _percent(one.harm) + (" (h)" if one.harmless else ""), _found(one),
             subsystem, _yes(one.by_group), _yes(one.by_process), _number(one.begin_error_s, "+.2f"),
             _number(one.end_error_s, "+.2f"), _number(finding.severity if finding else math.nan, ".2f"), advice)
    remarks = [f"accuses {one.accused}"] if one.accused else []
    return "  ".join([_line(cells), "; ".join(remarks + list(one.contradictions))]).rstrip()


def harmful(one: Outcome) -> bool:
    return one.harm.at_least(HARM)


def truly_harmless(one: Outcome) -> bool:
    """A control that did no harm; what did less than the bar, but some, is neither."""
    return one.harmless and not one.harm.share >= HARM


def _share(name: str, of: list[Outcome], hit: Callable[[Outcome], bool]) -> str:
    hits = sum(map(hit, of))
    return f"{name}: {hits} of {len(of)}" + (f", {100 * hits / len(of):.0f} %" if of else "")


def _errors(name: str, errors: list[float]) -> str:
    sizes = sorted(abs(one) for one in errors if not math.isnan(one))
    if not sizes:
        return f"error of {name}: nothing found"
    return (f"error of {name}: median {statistics.median(sizes):.2f} s, within 0.3 s {sum(one <= 0.3 for one in sizes)} "
            f"of {len(sizes)}, within 1 s {sum(one <= 1 for one in sizes)}, worst {sizes[-1]:.1f} s")


def totals(outcomes: list[Outcome], tallies: list[Tally]) -> list[str]:
    hurt = [one for one in outcomes if harmful(one)]
    found = [one for one in hurt if one.found]
    false = [cost for one in tallies for _, cost in one.false]
    harmed = sum(one.at_least(HARM) for one in false)
    hours = sum(one.seconds for one in tallies) / 3600
    out = [_share("found of those with harm of 10 % or more (aim 95 %)", hurt, lambda one: one.found)]
    out += [_share(f"  of {origin}", [one for one in hurt if one.origin == origin], lambda one: one.found)
            for origin in dict.fromkeys(one.origin for one in outcomes)]
    uncertain = [one.name for one in outcomes if one.harm.share >= HARM and not harmful(one)]
    return out + [
        f"harm of 10 % or more, but within the error (not counted): {', '.join(uncertain) or 'none'}",
        _share("findings of a harmless one (aim 0)", [one for one in outcomes if truly_harmless(one)], lambda one: one.found),
        _share("culprit named by group or process (aim all)", [one for one in found if one.named is not None],
               lambda one: bool(one.named)),
        _share("  by group", [one for one in found if one.by_group is not None], lambda one: bool(one.by_group)),
        _share("  by process", [one for one in found if one.by_process is not None], lambda one: bool(one.by_process)),
        _share("somebody else accused", found, lambda one: bool(one.accused)),
        _errors("begin (aim 0.3 s)", [one.begin_error_s for one in found]),
        _errors("end (aim 0.3 s)", [one.end_error_s for one in found]),
        _share("subsystem right", found, lambda one: one.subsystem_right),
        _share("advice of the right subsystem (aim 90 %)", found, lambda one: one.advice == RIGHT),
        _share("  advice of another", found, lambda one: one.advice == WRONG),
        _share("  no advice", found, lambda one: one.advice == NONE),
        f"sentences that contradict others: {sum(len(one.contradictions) for one in outcomes)}",
        f"findings of none of these: {len(false)} in {hours:.2f} h, in {harmed} of which the job lost 10 % or more all "
        "the same"]


def _said(finding: Finding, begin_ns: int) -> list[str]:
    return [f"    {(finding.begin_ns - begin_ns) / 1e9:+.1f} to {(finding.end_ns - begin_ns) / 1e9:+.1f} s, "
            f"{finding.subsystem}, {finding.word}"] + [f"      {line}" for line in finding.sentences()]


def table(tallies: list[Tally], sentences: bool = False) -> str:
    out = [_line(name for name, _ in COLUMNS)]
    for one in tallies:
        out.append(f"{one.piece}: others used {one.others_cores[0]:.2f} processors before it, "
                   f"{one.others_cores[1]:.2f} after it")
        for each in one.outcomes:
            out.append("  " + row(each))
            if sentences and each.finding:
                out += _said(each.finding, each.finding.begin_ns)
        for finding, cost in one.false:
            length_s = (finding.end_ns - finding.begin_ns) / 1e9
            out.append(f"  of none of these: {finding.begin_ns / 1e9:.1f}, {length_s:.1f} s, job's loss {_percent(cost)} %, "
                       f"{finding.subsystem}, {finding.word}: {finding.fields['claim']}")
            if sentences:
                out += _said(finding, finding.begin_ns)
    return "\n".join(out + [""] + totals([each for one in tallies for each in one.outcomes], tallies))
