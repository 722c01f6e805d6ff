"""False findings per host-week: healthy hosts, recorded in pieces, judged, and resampled to weeks (docs/quiet.md).

    quiet.py record OUT --reveal BINARY --minutes M [--seed N]    # as root: a piece of at most an hour
    quiet.py record OUT --dry                                     # what would run
    quiet.py judge OUT... --reveal BINARY [--also [KIND=]FOLDER ...]
    quiet.py weeks OUT... --reveal BINARY [--also [KIND=]FOLDER ...] [--weeks N] [--block MINUTES]
                                                                 [--min-severity moderate]
    quiet.py slowdowns OUT... --work-rate BINARY [--also [KIND=]FOLDER ...]
    quiet.py clean                                                # as root: what a killed piece left

Each OUT has one piece. What was analyzed is kept in judged/ of the first OUT, by program and recording, so that a later
call goes on.
"""

import argparse
import json
import os
import pathlib
from collections.abc import Iterable

import folders  # noqa: F401 first: it knows where the other studies are
import hosts
import judging
import pieces
import reports
import tables
from shell import LabError, run_as


def plan(options: argparse.Namespace) -> str:
    folder = options.out.resolve()
    out = [f"{host.name}: {host.kind}, recorded in {folder / hosts.recording(host)}" for host in hosts.HOSTS]
    return "\n".join(out + [f"host {job.host}, group {hosts.GROUP}/{job.group}: {' '.join(job.words)}"
                            for job in hosts.jobs(folder, folder / "scratch", options.seed)])


def record(options: argparse.Namespace) -> None:
    if options.dry:
        print(plan(options))
        return
    if not 0 < options.minutes <= pieces.MOST_MINUTES:
        raise LabError(f"a piece has more than 0 and at most {pieces.MOST_MINUTES} minutes, not {options.minutes:g}")
    if os.geteuid() != 0:
        raise LabError("a piece needs namespaces and control groups; run it as root")
    if options.reveal is None:
        raise LabError("name the program: --reveal BINARY")
    about = pieces.record(options.out, options.reveal.resolve(), 60 * options.minutes, options.seed)
    print(json.dumps({name: value for name, value in about.items() if name != "hosts"}, indent=1))


def sources_of(options: argparse.Namespace) -> list[judging.Source]:
    sources = []
    for folder in options.out:
        if not (folder / "piece.json").exists():
            raise LabError(f"{folder} has no piece: no piece.json")
        sources += judging.sources_of(folder)
    for text in options.also:
        more = judging.also(text)
        if not more:
            raise LabError(f"--also {text}: there is no recording")
        sources += more
    return sources


def that_say(found: Iterable) -> list:
    """Prints why a recording says nothing, and returns the others."""
    out = []
    for one in found:
        if isinstance(one, str):
            print(one)
        else:
            out.append(one)
    if not out:
        raise LabError("no recording could be judged")
    return out


def judged(options: argparse.Namespace) -> list[judging.Judged]:
    kept = reports.Kept.open(options.out[0] / "judged", options.reveal.resolve())
    modes = [reports.RECORDED, *([reports.PAST] if options.past else [])]
    return that_say(judging.each(sources_of(options), kept, modes))


def slowdowns(options: argparse.Namespace) -> None:
    kept = reports.Kept.open(options.out[0] / "judged", options.work_rate.resolve())
    print("\n".join(tables.slowdowns_table(that_say(judging.slowdowns(sources_of(options), kept)))))


def judge(options: argparse.Namespace) -> None:
    found = judged(options)
    print("\n".join([*tables.judged_table(found), "", *tables.shown_lines(found)]))


def tell_weeks(options: argparse.Namespace) -> None:
    found = [one.at_least(options.min_severity) for one in judged(options)]
    more = tables.sensitivity_table(found, options.weeks, options.seed)
    print("\n".join([f"Blocks of {options.block} minutes.", "",
                     *tables.weeks_table(found, options.weeks, options.block, options.seed), *(["", *more] if more else [])]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("record")
    one.add_argument("out", type=pathlib.Path)
    one.add_argument("--reveal", type=pathlib.Path)
    one.add_argument("--minutes", type=float, default=60)
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--dry", action="store_true")
    one.set_defaults(act=record)
    for name, act in (("slowdowns", slowdowns), ("judge", judge), ("weeks", tell_weeks)):
        one = commands.add_parser(name)
        one.add_argument("out", type=pathlib.Path, nargs="+")
        one.add_argument("--also", nargs="*", default=[], metavar="[KIND=]FOLDER")
        one.set_defaults(act=act)
        if act == slowdowns:
            one.add_argument("--work-rate", type=pathlib.Path, required=True)
            continue
        one.add_argument("--reveal", type=pathlib.Path, required=True)
        one.add_argument("--past", action="store_true", help="judge each recording as it would have been live, too")
    one.add_argument("--weeks", type=int, default=100)
    one.add_argument("--min-severity", choices=judging.SEVERITIES, default=judging.SEVERITIES[0], help="count no finding below it")
    one.add_argument("--block", type=int, default=10, help="minutes")
    one.add_argument("--seed", type=int, default=0)
    commands.add_parser("clean").set_defaults(act=lambda _: pieces.remove_what_is_left())
    options = parser.parse_args()
    run_as("quiet", lambda: options.act(options))


if __name__ == "__main__":
    main()
