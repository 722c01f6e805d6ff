"""The lab: real faults on real work, recorded, analyzed and scored.

    lab.py run OUT --reveal REVEAL [--campaign quick|page|full|cases|hour] [--only NAME...]
               [--seed FIRST] [--seeds N]
    lab.py score OUT... --reveal REVEAL [--methods NAME...]
    lab.py traces OUT/SCENARIO-SEED --reveal REVEAL [--every SECONDS]
    lab.py live OUT/SCENARIO-SEED
    lab.py clean

run needs root, as it makes network namespaces and control groups; what it takes it gives back, and says
so where it could not. Each seed is a run of every scenario with its events at other moments. score
analyses all recordings of these campaigns by each method and prints how each did. traces prints
what TCP did on every host of one run, live what `reveal top` said of host 0 while it went on.
"""

import argparse
import os
import pathlib
import sys
from collections.abc import Callable

import campaigns
import k_means
import live
import machine
import network
import robust_z
import scenario
import score
import score_table
import traces
from shell import LabError, run as run_program


def by_reveal(*words: str) -> Callable[[pathlib.Path, pathlib.Path, pathlib.Path], None]:
    return lambda reveal, host, out: run_program(reveal, "analyze", host, "-o", out, "--no-html", *words)


# What is compared: each writes report.json of a recording to a folder.
METHODS = {"default": by_reveal(), "paper": by_reveal("--method", "paper"), "robust_z": robust_z.analyze,
           "k_means": k_means.analyze}
# What the default's parts do by themselves.
PARTS = {"saturation_alone": by_reveal("--detectors", "saturation"),
         "without_saturation": by_reveal("--detectors", "robust_outlier_share,outlier_share,pca_mahalanobis,pca_residual")}


def run(options: argparse.Namespace) -> None:
    if os.geteuid() != 0:
        raise LabError("the lab makes network namespaces and control groups; run it as root")
    before = machine.state()
    chosen = [one for one in campaigns.CAMPAIGNS[options.campaign] if not options.only or one.name in options.only]
    if not chosen:
        raise LabError(f"no scenario of that name in {options.campaign}; there are "
                       + ", ".join(one.name for one in campaigns.CAMPAIGNS[options.campaign]))
    for seed in range(options.seed, options.seed + options.seeds):
        for one in chosen:
            print(f"lab: {one.name}, seed {seed}: {one.seconds:.0f} s", flush=True)
            with machine.disk() as disk:
                scenario.run(scenario.shifted(one, seed), options.reveal.resolve(), options.out / f"{one.name}-{seed}",
                             disk)
    left = machine.differences(before, machine.state())
    if left:
        raise LabError("the lab left something behind:\n  " + "\n  ".join(left))
    print("lab: nothing was left behind")


def analyze(options: argparse.Namespace, host: pathlib.Path, method: str) -> None:
    out = host / method
    out.mkdir(exist_ok=True)
    (METHODS | PARTS)[method](options.reveal.resolve(), host, out)


def show_scores(options: argparse.Namespace) -> None:
    folders = []
    for out in options.out:
        runs = sorted(path.parent for path in out.glob("*/truth.json"))
        if not runs:
            raise LabError(f"no scenario in {out}: `lab.py run {out}` makes them")
        folders += runs
    for method in options.methods:
        tallies = []
        for folder in folders:
            for host in sorted(path for path in folder.glob("host*") if path.is_dir()):
                analyze(options, host, method)
            tallies.append(score.tally(folder, f"{method}/report.json"))
        print(score_table.table(method, tallies), end="\n\n")


def show_traces(options: argparse.Namespace) -> None:
    print(traces.table(options.run, options.reveal.resolve(), options.every))


def clean() -> None:
    network.remove()
    machine.remove_groups()
    machine.remove_disks()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    runs = verbs.add_parser("run")
    runs.add_argument("out", type=pathlib.Path)
    runs.add_argument("--reveal", type=pathlib.Path, required=True)
    runs.add_argument("--campaign", choices=campaigns.CAMPAIGNS, default="full")
    runs.add_argument("--only", nargs="*", default=[])
    runs.add_argument("--seed", type=int, default=0)
    runs.add_argument("--seeds", type=int, default=1)
    scores = verbs.add_parser("score")
    scores.add_argument("out", type=pathlib.Path, nargs="+")
    scores.add_argument("--reveal", type=pathlib.Path, required=True)
    scores.add_argument("--methods", nargs="+", choices=METHODS | PARTS, default=list(METHODS))
    tracing = verbs.add_parser("traces")
    tracing.add_argument("run", type=pathlib.Path)
    tracing.add_argument("--reveal", type=pathlib.Path, required=True)
    tracing.add_argument("--every", type=float, default=5)
    verbs.add_parser("live").add_argument("run", type=pathlib.Path)
    verbs.add_parser("clean")
    options = parser.parse_args()
    try:
        {"run": run, "score": show_scores, "traces": show_traces,
         "live": lambda given: print(live.table(given.run)), "clean": lambda _: clean()}[options.verb](options)
    except LabError as error:
        sys.exit(f"lab: {error}")


if __name__ == "__main__":
    main()
