"""Scores as a table: a row a fault and strength, the weakest first, then all, then what was found of nothing."""

import math
import statistics
from collections.abc import Callable, Iterable

from faults import FAULTS
from intervals import byar, wilson
from score import KINDS_OF_TIME, Outcome, Quiet, Tally

HARMFUL = 1.2  # steps so much longer


def _share(outcomes: list[Outcome], hit: Callable[[Outcome], bool]) -> tuple[float, float, float]:
    """The share of hits, and its interval, which counts each fault once: hosts that see the same fault
    are no trials of their own."""
    share = statistics.mean(float(hit(one)) for one in outcomes)
    faults = len({(one.run, one.event) for one in outcomes})
    return share, *wilson(share * faults, faults)


def _mean(values: Iterable[float]) -> str:
    known = list(values)
    return f"{statistics.mean(known):.2f}" if known else "-"


def _median_size(errors: Iterable[float]) -> str:
    sizes = [abs(one) for one in errors]
    return f"{statistics.median(sizes):.2f}" if sizes else "-"


COLUMNS = (("faults", 6), ("seen", 5), ("harm", 6), ("found", 6), ("95 %", 10), ("windows", 8), ("delay s", 8),
           ("begin s", 8), ("end s", 6), ("findings", 10), ("top-1", 6), ("top-2", 6), ("host", 5))


def _row(name: str, cells: Iterable[str]) -> str:
    return f"{name:44}" + "".join(f"{cell:>{width}}" for cell, (_, width) in zip(cells, COLUMNS, strict=True))


def _line(name: str, outcomes: list[Outcome]) -> str:
    found = [one for one in outcomes if one.found]
    share, low, high = _share(outcomes, lambda one: one.found)
    harmed = [one.harm for one in outcomes if not math.isnan(one.harm)]
    windows = sum(one.windows for one in outcomes)
    return _row(name, (
        f"{len({(one.run, one.event) for one in outcomes})}", f"{len(outcomes)}",
        f"{statistics.median(harmed):.2f}" if harmed else "-", f"{share:.2f}", f"{low:.2f}-{high:.2f}",
        f"{sum(one.flagged for one in outcomes) / windows:.2f}" if windows else "-",
        _mean(one.delay_s for one in found), _median_size(one.begin_off_s for one in found),
        _median_size(one.end_off_s for one in found), _mean(float(one.findings) for one in found),
        _mean(float(one.first) for one in found), _mean(float(one.second) for one in found),
        _mean(float(one.right_host) for one in outcomes if one.right_host is not None)))


def _shares_of_all(outcomes: list[Outcome]) -> list[str]:
    """What the columns say of all faults, with intervals."""
    found = [one for one in outcomes if one.found]
    of_one_host = [one for one in outcomes if one.right_host is not None]
    out = []
    for name, chosen, hit in (("subsystem first", found, lambda one: one.first),
                              ("subsystem among two", found, lambda one: one.second),
                              ("right host", of_one_host, lambda one: one.right_host)):
        if chosen:
            share, low, high = _share(chosen, hit)
            out.append(f"{name}: {share:.2f} ({low:.2f}-{high:.2f}) of {len({(one.run, one.event) for one in chosen})} "
                       "faults")
    return out


def _false_findings(tallies: list[Tally]) -> list[str]:
    out = []
    for kind in KINDS_OF_TIME:
        quiet = [one.quiet[kind] for one in tallies]
        total = Quiet(sum(one.false_findings for one in quiet), sum(one.hours for one in quiet))
        if total.hours:
            low, high = (bound / total.hours for bound in byar(total.false_findings))
            out.append(f"false findings, {kind}: {total.false_findings} in {total.hours:.2f} host-hours, "
                       f"{total.false_findings / total.hours:.1f} an hour ({low:.1f}-{high:.1f})")
    return out


def table(name: str, tallies: list[Tally]) -> str:
    outcomes = [outcome for one in tallies for outcome in one.outcomes]
    groups: dict[tuple[str, float], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.fault, outcome.strength), []).append(outcome)
    rows = sorted(groups.items(), key=lambda item: (statistics.mean(one.found for one in item[1]),
                                                    statistics.mean(one.first for one in item[1]), item[0]))
    out = [_row(name, (heading for heading, _ in COLUMNS))]
    out += [_line(f"{fault} {strength:g} {FAULTS[fault].unit}", group) for (fault, strength), group in rows]
    if outcomes:
        out.append(_line("all", outcomes))
    harmful = [one for one in outcomes if one.harm >= HARMFUL]
    if harmful:
        out.append(_line(f"those that harm (steps {HARMFUL} x)", harmful))
    out.append(f"of {len(tallies)} runs of {len({one.scenario for one in tallies})} scenarios")
    return "\n".join(out + _shares_of_all(outcomes) + _false_findings(tallies))
