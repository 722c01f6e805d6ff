"""The trial: disturbances of all kinds beside real work, recorded, and how well findings tell of them.

    trial.py run OUT --reveal REVEAL [--set NAME] [--seed N] [--only NAME...] [--nice N]
    trial.py score OUT... --reveal REVEAL [--sentences]
    trial.py compare OUT... --reveal REVEAL [--methods NAME...]
    trial.py plan [--set NAME] [--seed N]
    trial.py clean

run needs root and control groups of version 1, and records each piece that OUT does not have yet; it gives
back what it takes, also on Ctrl-C. --only names disturbances or pieces. --nice gives what the trial
starts more of a machine that others use, by the scheduler's groups of sessions. score analyzes all recordings again,
and prints a row for each disturbance, false findings, and the totals against the aims. compare does so by each
method, and prints a row for each. The set `first` has small programs of the trial's own, `tools` stress-ng, fio
and settings of the kernel. docs/trial.md has more.
"""

import argparse
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))

import groups  # noqa: E402 after the lab's folder is known
import machine  # noqa: E402
import methods  # noqa: E402
import outcome  # noqa: E402
import piece  # noqa: E402
import plan  # noqa: E402
import table  # noqa: E402
import tools  # noqa: E402
from disturbances import DISTURBANCES  # noqa: E402
from shell import LabError, make_folder, run_as  # noqa: E402

SETS = {"first": DISTURBANCES, "tools": tools.TOOLS}


def run(options: argparse.Namespace) -> None:
    if os.geteuid() != 0:
        raise LabError("the trial makes network namespaces and control groups; run it as root")
    groups.usable()
    if options.set == "tools":
        tools.check_programs()
    chosen = plan.plan(options.seed, options.only, SETS[options.set])
    if not chosen:
        raise LabError("no disturbance and no piece of that name; `trial.py plan` lists them")
    make_folder(options.out)
    before = machine.state()
    for one in chosen:
        if (options.out / one.name).exists():
            continue
        load = "%.2f" % os.getloadavg()[0]
        print(f"{time.strftime('%T')} {one.name}: {one.seconds:.0f} s, {len(one.events)} disturbances, load {load}",
              flush=True)
        piece.record(one, options.reveal.resolve(), options.out.resolve(), options.nice)
    if left := machine.differences(before, machine.state()):
        raise LabError("left behind: " + "; ".join(left))
    print("trial: nothing was left behind")


def pieces(options: argparse.Namespace) -> list[pathlib.Path]:
    folders = sorted(path.parent for out in options.out for path in out.glob("*/truth.json"))
    if not folders:
        raise LabError("no finished piece there; `trial.py run` records them")
    return folders


def score(options: argparse.Namespace) -> None:
    tallies = [outcome.tally(folder, options.reveal.resolve()) for folder in pieces(options)]
    print(table.table(tallies, options.sentences))


def compare(options: argparse.Namespace) -> None:
    folders = pieces(options)
    print(methods.text({name: methods.row(name, folders, options.reveal.resolve()) for name in options.methods}))


def show_plan(options: argparse.Namespace) -> None:
    for one in plan.plan(options.seed, of=SETS[options.set]):
        print(f"{one.name}: {one.seconds:.0f} s, " + ", ".join(
            f"{event.what.name} {event.at_s:.1f}-{event.until_s:.1f}" for event in one.events))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    runs, scores, compares, plans = (verbs.add_parser(name) for name in ("run", "score", "compare", "plan"))
    verbs.add_parser("clean")
    runs.add_argument("out", type=pathlib.Path)
    for one in (scores, compares):
        one.add_argument("out", type=pathlib.Path, nargs="+")
    for one in (runs, scores, compares):
        one.add_argument("--reveal", type=pathlib.Path, required=True)
    for one in (runs, plans):
        one.add_argument("--seed", type=int, default=0)
        one.add_argument("--set", choices=SETS, default="first")
    runs.add_argument("--only", nargs="*", default=[])
    runs.add_argument("--nice", type=int, default=0)
    scores.add_argument("--sentences", action="store_true", help="print what each finding says")
    compares.add_argument("--methods", nargs="+", choices=methods.METHODS, default=list(methods.METHODS))
    options = parser.parse_args()
    act = {"run": run, "score": score, "compare": compare, "plan": show_plan, "clean": lambda _: piece.remove_what_is_left()}[options.verb]
    run_as("trial", lambda: act(options))


if __name__ == "__main__":
    main()
