"""What the study prints, as Markdown."""

import math
from collections.abc import Sequence

import folders  # noqa: F401 first: it knows where the other studies are
import judging
import verdicts
import weeks
from intervals import poisson

S = 1_000_000_000
ALL = "all"
NOTHING = "of 0 not known"
ONE_SIDE = 0.05  # of a bound of 95 %


def number(value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def heading(*cells: str) -> list[str]:
    return [row(*cells), "|---" * len(cells) + "|"]


def by_kind(judged: Sequence[judging.Judged]) -> list[tuple[str, str, list[judging.Judged]]]:
    """By how it was judged and the kind of host, and then all kinds together, if there are several."""
    out = []
    for mode in dict.fromkeys(one.mode for one in judged):
        mine = [one for one in judged if one.mode == mode]
        kinds = list(dict.fromkeys(one.kind for one in mine))
        out += [(mode, kind, [one for one in mine if one.kind == kind]) for kind in kinds]
        if len(kinds) > 1:
            out.append((mode, ALL, mine))
    return out


def others_words(verdict: verdicts.Verdict, witnessed: bool) -> str:
    if not witnessed:
        return "nobody looked for others"
    return f"others {verdict.others.cores:.2f} and stolen {verdict.others.steal:.2f} of a processor"


def shown_lines(judged: Sequence[judging.Judged]) -> list[str]:
    """A line for each finding that was shown."""
    out = []
    for one in judged:
        for shown in one.shown:
            fields, verdict = shown.finding, shown.verdict
            meanwhile = f"; the job's {verdict.life}" if verdict.life else ""
            lost = "the job's loss is not known" if math.isnan(verdict.lost) else f"the job lost {verdict.lost:.0%}"
            chance = "" if fields["by_chance"] is None else f", by chance {number(fields['by_chance'])}"
            slow = f"; tells of a slow job: {shown.slow_word}" if shown.slow else ""
            out.append(f"- {one.name}, {one.mode}, {(fields['begin_ns'] - one.begin_ns) / S:.0f} s, for "
                       f"{(fields['end_ns'] - fields['begin_ns']) / S:.1f} s: {fields['severity_word']}, "
                       f"{fields['subsystem']}: {fields['claim']} (votes {fields['agreement']}{chance}). **{verdict.word}**: "
                       f"{lost}; {others_words(verdict, one.witnessed)}{meanwhile}{slow}")
    return out


def judged_table(judged: Sequence[judging.Judged]) -> list[str]:
    words = (verdicts.HARM, verdicts.DISTURBED, verdicts.FALSE)
    out = heading("judged", "host", "hours", "not judged", "disturbed by others", "shown", *words,
                  f"false and {judging.TOLD} or more", "work rate known, h",
                  "slow jobs told", "false", "rate of these per h, at most (95 %)")
    for mode, kind, mine in by_kind(judged):
        shown = [one for each in mine for one in each.shown]
        known_h = sum(one.rate_known_s for one in mine) / 3600
        false_slow = sum(one.false_slow for one in shown)
        out.append(row(mode, kind, f"{sum(one.seconds for one in mine) / 3600:.2f}",
                       f"{sum(one.not_judged_s for one in mine) / 3600:.2f}",
                       f"{sum(one.disturbed_s for one in mine) / 3600:.2f}", len(shown),
                       *(sum(one.verdict.word == word for one in shown) for word in words),
                       sum(one.false and one.is_at_least(judging.TOLD) for one in shown), f"{known_h:.2f}",
                       sum(one.slow for one in shown), false_slow, at_most(false_slow, known_h)))
    return out


def at_most(count: int, hours: float) -> str:
    """The exact bound of a rate per hour, 95 % on one side."""
    return number(poisson(count, ONE_SIDE)[1] / hours) if hours > 0 else "-"


def slowdowns_table(found: Sequence[judging.Slowdowns]) -> list[str]:
    out = heading("host", "work rate known, h", "slowdowns told", verdicts.HARM, verdicts.DISTURBED, verdicts.FALSE,
                  "false per h, at most (95 %)")
    kinds = list(dict.fromkeys(one.kind for one in found))
    for kind, mine in [*((kind, [one for one in found if one.kind == kind]) for kind in kinds), (ALL, found)]:
        words = [verdict.word for one in mine for _, verdict in one.told]
        hours = sum(one.rate_known_s for one in mine) / 3600
        out.append(row(kind, f"{hours:.2f}", len(words), *(words.count(word) for word in (
            verdicts.HARM, verdicts.DISTURBED, verdicts.FALSE)), at_most(words.count(verdicts.FALSE), hours)))
    lines = [f"- {one.name}, job '{told['job']}': {(told['end_ns'] - told['begin_ns']) / S:.0f} s at {told['rate']:.2f}: "
             f"**{verdict.word}**, lost by its log {verdict.lost:.0%}; {others_words(verdict, one.witnessed)}"
             for one in found for told, verdict in one.told]
    return [*out, *(["", *lines] if lines else [])]


def pair(low: float, high: float) -> str:
    return f"{number(low)} to {number(high)}"


def weeks_table(judged: Sequence[judging.Judged], count: int, block: int, seed: int) -> list[str]:
    out = heading("judged", "host", "hours in which all was well", "false findings", "per host-week", "exact 95 % (Poisson)",
                  "resampled, 5 % to 95 %", f"{count} weeks: mean", "5 % to 95 %", "by chance, as reports say",
                  "weeks, 5 % to 95 %", "recordings that do not say", "is it covered")
    for mode, kind, mine in by_kind(judged):
        told = weeks.tell(mine, count, block, seed)
        resampled = [pair(*told.resampled), number(told.weeks[0]), pair(*told.weeks[1:])] if told.false else [NOTHING, "0", "-"]
        out.append(row(mode, kind, f"{told.well_h:.2f}", told.false, number(told.rate), pair(*told.poisson), *resampled,
                       number(told.chance), pair(*told.chance_resampled), f"{told.chance_unknown} of {told.recordings}",
                       told.covers))
    return out


def sensitivity_table(judged: Sequence[judging.Judged], count: int, seed: int) -> list[str]:
    """The resampled interval of the rate, by the length of a block; rows without a false finding are left out."""
    out = heading("judged", "host", *(f"blocks of {block} min: 5 % to 95 %" for block in weeks.BLOCKS))
    for mode, kind, mine in by_kind(judged):
        told = [weeks.tell(mine, count, block, seed) for block in weeks.BLOCKS]
        if told[0].false:
            out.append(row(mode, kind, *(pair(*one.resampled) for one in told)))
    return out if len(out) > 2 else []
