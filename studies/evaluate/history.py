"""Compares runs of a job with good runs of the same job, and prints how well that finds the faults
that were injected into them.

`make evaluate-history LABELED=PATH`, or this file; docs/how_to/evaluate.md says what the columns
mean.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import shlex
import sys
import tempfile

import numpy as np

import measures
from run_reveal import Reveal, RevealFailed, read_scores
from scored import WINDOW, Scores
from series import FAULT_SUBSYSTEM, BadData, Series, opened, read_all

# Samples from a window to the next, as those had it who measured what detects these faults.
STRIDE = 5
KINDS = list(FAULT_SUBSYSTEM)
HEADING = f"{'run':<44}   ROC  normal" + "".join(f"{kind:>8}" for kind in KINDS) + "  blamed"


@dataclasses.dataclass
class Found:
    """What was found in one run."""

    name: str
    roc: float  # of windows with at least half of a fault against those with none
    normal: float  # flagged share of windows without a fault
    found: dict[str, list[bool]]  # by kind: of each fault, whether a window with a part of it is flagged
    blamed: list[bool]  # of each fault that is apart from others: the subsystem of the metric that is blamed first


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=" ".join(__doc__.split("\n\n")[0].split()))
    parser.add_argument("labeled", type=pathlib.Path,
                        help="the labeled telemetry: a directory or a tar archive with HPAS in it")
    parser.add_argument("--reveal", type=pathlib.Path, default="build/release/reveal",
                        help="the program (default: %(default)s)")
    parser.add_argument("--save", default="", help="more options for reveal baseline save, in quotes")
    parser.add_argument("--options", default="", help="more options for reveal scores, in quotes")
    parser.add_argument("--alone", action="store_true",
                        help="one run without a fault as the baseline, not all others of the job")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time (default: 1)")
    words = parser.parse_args()
    if not words.labeled.exists():
        parser.error(f"{words.labeled} does not exist")
    if not os.access(words.reveal, os.X_OK):
        parser.error(f"no program {words.reveal}: build it, or name it with --reveal")
    return words


def covered(windows: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """The share of each window in which `truth` holds."""
    sums = np.append(0, np.cumsum(truth))
    return (sums[windows[:, 1]] - sums[windows[:, 0]]) / (windows[:, 1] - windows[:, 0])


def good_samples(series: Series) -> np.ndarray:
    return ~measures.truth_of(series.events, len(series.test))


def good_runs(series: Series, of_job: list[Series], alone: bool) -> list[Series]:
    others = [other for other in of_job if other.name != series.name]
    if not alone:
        return others
    healthy = [other for other in others if not other.events]
    if not healthy:
        raise BadData(f"{series.name}: no run of its job is without a fault")
    return healthy[:1]


def scored(series: Series, of_job: list[Series], words: argparse.Namespace,
           folder: pathlib.Path) -> Scores:
    """Against the parts of the others without a fault."""
    reveal = Reveal(words.reveal.resolve(), "default", [])
    good = [reveal.imported(other.test, other.interval_s, folder / f"good{number}", good_samples(other))
            for number, other in enumerate(good_runs(series, of_job, words.alone))]
    baseline, table = folder / "good.baseline", folder / "scores.csv"
    reveal.run("baseline", "save", *good, "-o", baseline, "--accept-findings", "--window", WINDOW, "--stride", STRIDE,
               *shlex.split(words.save))
    run = reveal.imported(series.test, series.interval_s, folder / "run")
    reveal.run("scores", run, "--baseline", baseline, "--contributions", "-o", table,
               *shlex.split(words.options))
    return read_scores(table, series)


def judged(series: Series, scores: Scores) -> Found:
    share = covered(scores.windows, ~good_samples(series))
    normal, faulty = share == 0, share >= 0.5
    told = normal | faulty
    found: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    blamed = []
    for kind, begin, end in series.injections:
        meets = (scores.windows[:, 0] < end) & (scores.windows[:, 1] > begin)
        found[kind].append(bool(scores.flag[meets].any()))
        if (begin, end) in series.events:
            ranked = measures.ranking(measures.event_shares(scores.windows, scores.shares, (begin, end)))
            blamed.append(bool(ranked) and series.subsystems[ranked[0]] == FAULT_SUBSYSTEM[kind])
    return Found(series.name, measures.auc_roc(faulty[told], scores.score[told]),
                 float(scores.flag[normal].mean()), found, blamed)


def evaluated(series: Series, of_job: list[Series], words: argparse.Namespace) -> Found:
    with tempfile.TemporaryDirectory(prefix="reveal_history_") as folder:
        return judged(series, scored(series, of_job, words, pathlib.Path(folder)))


def line(name: str, roc: float, normal: float, found: dict[str, list[bool]], blamed: list[bool]) -> str:
    """A run, or all of them. Of faults, how many of how many."""
    def part(hits: list[bool]) -> str:
        return f"{sum(hits)}/{len(hits)}" if hits else "-"

    shown = name if len(name) <= 44 else name[:41] + "..."
    return (f"{shown:<44} {roc:5.3f} {normal:7.3f}" + "".join(f"{part(found[kind]):>8}" for kind in KINDS)
            + f"{part(blamed):>8}")


def run(words: argparse.Namespace, root: pathlib.Path) -> None:
    jobs: dict[pathlib.PurePath, list[Series]] = {}
    for series in read_all(root, ["HPAS"]):
        jobs.setdefault(pathlib.PurePath(series.name).parent, []).append(series)
    faulty = [(series, of_job) for of_job in jobs.values() for series in of_job if series.events]
    results = []
    print(HEADING)
    with concurrent.futures.ProcessPoolExecutor(words.jobs) as pool:
        for found in pool.map(evaluated, *zip(*faulty), [words] * len(faulty)):
            print(line(pathlib.PurePath(found.name).name, found.roc, found.normal, found.found, found.blamed),
                  flush=True)
            results.append(found)
    together = {kind: [hit for found in results for hit in found.found[kind]] for kind in KINDS}
    print(line(f"all: means of {len(results)} runs", measures.mean([found.roc for found in results]),
               measures.mean([found.normal for found in results]), together,
               [hit for found in results for hit in found.blamed]))


def main() -> int:
    words = parsed()
    try:
        with opened(words.labeled) as root:
            run(words, root)
    except (BadData, RevealFailed) as error:
        print(f"history: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
