"""Runs Reveal over labeled telemetry and prints how well it finds what the labels say.

`make evaluate LABELED=PATH`, or this file; docs/how_to/evaluate.md says what the columns mean.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import shlex
import sys
import tempfile

import numpy as np

import measures
import nearest
import reference
from run_reveal import Reveal, RevealFailed
from scored import Scores
from series import SETS, BadData, Series, opened, read_all

# What each measure is called in the table, in the order of its columns.
COLUMNS = {
    "auc_pr": "AUC-PR", "auc_roc": "ROC", "best_f1": "F1", "vus_pr": "VUS-PR",
    "event_recall_1": "ER@1", "flag_recall": "ER", "flag_false_alarms": "FA/day",
    "hit_rate_100": "H@100", "hit_rate_150": "H@150", "top_metric": "top-1",
    "top_subsystem": "subsys",
}

# What is not Reveal's, by the name of its method: of a series and whether causal, its scores.
PEERS = {
    "reference": lambda series, causal: reference.scores(series, reference.MEASURED, causal),
    "reference-reveal": lambda series, causal: reference.scores(series, reference.REVEAL, causal),
    "nearest": nearest.scores,
    "nearest-trained": lambda series, causal: nearest.scores(series, causal, trained=True),
}

# The pipeline of the paper on which Reveal rests, measured with numpy and scikit-learn: of each
# group first the series that the package of a developer holds, then all that the public set has.
PACKAGED = "paper, 7 SMD, 4 ASD, 20 JumpStarter"
PUBLISHED = "paper, 19 SMD, 12 ASD, 60 JumpStarter"
WHOLE = "best known, 19 SMD, 12 ASD, 60 JumpStarter"
ANCHORS = {
    "SMD": {
        PACKAGED: {"auc_pr": .435, "best_f1": .486, "event_recall_1": .64},
        PUBLISHED: {"auc_pr": .466, "auc_roc": .909, "best_f1": .507, "event_recall_1": .732,
                    "flag_recall": .37, "flag_false_alarms": .13, "hit_rate_100": .400,
                    "hit_rate_150": .450, "top_metric": .763, "top_subsystem": .922},
        WHOLE: {"auc_pr": .594, "best_f1": .613, "event_recall_1": .911, "hit_rate_100": .842,
                "hit_rate_150": .925, "top_metric": .916, "top_subsystem": .963},
    },
    "ASD": {
        PACKAGED: {"auc_pr": .267},
        PUBLISHED: {"auc_pr": .309, "best_f1": .433, "event_recall_1": .687, "hit_rate_100": .516,
                    "hit_rate_150": .769},
        WHOLE: {"auc_pr": .644, "best_f1": .659, "event_recall_1": .952, "hit_rate_100": .850,
                "hit_rate_150": .955},
    },
    "JumpStarter D2": {PACKAGED: {"auc_pr": .31}},
    "JumpStarter D3": {PACKAGED: {"auc_pr": .35}},
    "HPAS": {
        "paper, 90 HPAS runs, by windows": {"auc_roc": .638},
        "best known, past runs as the baseline": {"auc_roc": .991},
    },
}


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("labeled", type=pathlib.Path,
                        help="the labeled telemetry: a directory or a tar archive")
    parser.add_argument("--reveal", type=pathlib.Path, default="build/release/reveal",
                        help="the program (default: %(default)s)")
    parser.add_argument("--method", choices=["default", "paper", *PEERS], default="default",
                        help="of reveal scores; reference: the paper's in scikit-learn as it was "
                             "measured before, reference-reveal: with Reveal's conventions; nearest: the "
                             "distance to the nearest windows, nearest-trained: with those of the "
                             "training part")
    parser.add_argument("--sets", default=",".join(SETS), help="(default: %(default)s)")
    parser.add_argument("--series", default="*", help="shell pattern of names ('machine-1-*')")
    parser.add_argument("--as-measured", action="store_true",
                        help="with --method paper: where the paper leaves a choice, not Reveal's "
                             "but that of the figures below: of metrics that move together the "
                             "first is kept, and detectors vote for samples")
    parser.add_argument("--causal", action="store_true",
                        help="score a sample by windows that have ended")
    parser.add_argument("--options", default="", help="more options for reveal scores, in quotes")
    parser.add_argument("--jobs", type=int, default=1, help="series at a time (default: 1)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures there")
    words = parser.parse_args()
    unknown = set(words.sets.split(",")) - set(SETS)
    if unknown:
        parser.error(f"no set {', '.join(sorted(unknown))}; there are {', '.join(SETS)}")
    if not words.labeled.exists():
        parser.error(f"{words.labeled} does not exist")
    if words.method not in PEERS and not os.access(words.reveal, os.X_OK):
        parser.error(f"no program {words.reveal}: build it, or name it with --reveal")
    return words


def sample_votes(scores: Scores, samples: int, causal: bool) -> np.ndarray:
    """Of how many detectors a sample's score is in the highest percent, and the mean rank of its
    windows among equals."""
    votes = [reference.above(measures.point_scores(scores.windows, column, samples, causal))
             for column in scores.detectors.T]
    return sum(votes) + measures.point_scores(scores.windows, scores.mean_quantile, samples, causal)


def measured(series: Series, scores: Scores, causal: bool,
             as_measured: bool = False) -> dict[str, float]:
    """All measures of COLUMNS."""
    samples = len(series.test)
    truth = measures.truth_of(series.events, samples)
    score = sample_votes(scores, samples, causal) if as_measured else \
        measures.point_scores(scores.windows, scores.score, samples, causal)
    flags = measures.point_flags(scores.windows, scores.flag, samples, causal)
    # Fewer than a day cannot tell of alarms a day.
    recall_1 = measures.event_recall_at(series.events, score, series.days) if series.days >= 1 \
        else measures.NAN
    figures = {
        "auc_pr": measures.auc_pr(truth, score),
        "auc_roc": measures.auc_roc(truth, score),
        "best_f1": measures.best_f1(truth, score),
        "vus_pr": measures.vus_pr(series.events, score, measures.buffer_length(series.test[:, 0])),
        "event_recall_1": recall_1,
        "flag_recall": measures.event_recall(series.events, flags),
        "flag_false_alarms": measures.false_alarms(truth, flags) / series.days,
    }
    return figures | attributed(series, scores)


def attributed(series: Series, scores: Scores) -> dict[str, float]:
    """The measures of what is blamed, each the mean over the events of which that is known."""
    found: dict[str, list[float]] = {
        name: [] for name in ("hit_rate_100", "hit_rate_150", "top_metric", "top_subsystem")}
    for event, causes, blamed in zip(series.events, series.causes, series.blamed):
        if scores.shares is None:
            break
        ranked = measures.ranking(measures.event_shares(scores.windows, scores.shares, event))
        if causes:
            found["hit_rate_100"].append(measures.hit_rate(ranked, causes, 100))
            found["hit_rate_150"].append(measures.hit_rate(ranked, causes, 150))
            found["top_metric"].append(bool(ranked) and ranked[0] in causes)
        if blamed:
            found["top_subsystem"].append(bool(ranked) and series.subsystems[ranked[0]] in blamed)
    return {name: measures.mean(values) for name, values in found.items()}


def evaluated(series: Series, words: argparse.Namespace) -> dict[str, float]:
    if words.method in PEERS:
        scores = PEERS[words.method](series, words.causal)
        return measured(series, scores, causal=False)
    options = [*(["--causal"] if words.causal else []), *shlex.split(words.options)]
    reveal = Reveal(words.reveal.resolve(), words.method, options, words.as_measured)
    with tempfile.TemporaryDirectory(prefix="reveal_evaluate_") as folder:
        return measured(series, reveal.scores(series, pathlib.Path(folder)), words.causal,
                        words.as_measured)


def cell(value: float, width: int) -> str:
    return f"{'-' if math.isnan(value) else f'{value:.3f}':>{width}}"


def margin(name: str) -> str:
    """The first column: of a long name the end, in which it differs from others."""
    return f"{name if len(name) <= 44 else '...' + name[-41:]:<44}"


def line(name: str, figures: dict[str, float]) -> str:
    return margin(name) + "".join(
        cell(figures.get(column, math.nan), max(len(head), 5) + 2)
        for column, head in COLUMNS.items())


def heading(name: str) -> str:
    return margin(name) + "".join(f"{head:>{max(len(head), 5) + 2}}" for head in COLUMNS.values())


def means(results: list[dict[str, float]]) -> dict[str, float]:
    return {column: measures.mean([result[column] for result in results]) for column in COLUMNS}


def summary(groups: dict[str, list[dict[str, float]]], method: str) -> str:
    """A block a group: the mean of its series, beside the figures to compare it with."""
    out = []
    for group, results in groups.items():
        name = f"{method}, mean of {len(results)} series"
        out += ["", heading(group), line(name, means(results))]
        out += [line(name, figures) for name, figures in ANCHORS.get(group, {}).items()]
    return "\n".join(out)


def plain(figures: dict[str, float]) -> dict[str, float | None]:
    """For JSON, which has no NaN."""
    return {name: None if math.isnan(value) else value for name, value in figures.items()}


def run(words: argparse.Namespace, root: pathlib.Path) -> None:
    found = read_all(root, words.sets.split(","), words.series)
    groups: dict[str, list[dict[str, float]]] = {}
    report = []
    print(heading("series"))
    with concurrent.futures.ProcessPoolExecutor(words.jobs) as pool:
        for series, figures in zip(found, pool.map(evaluated, found, [words] * len(found))):
            print(line(f"{series.set_name} {series.name}", figures), flush=True)
            groups.setdefault(series.group, []).append(figures)
            report.append({"set": series.set_name, "series": series.name, **plain(figures)})
    print(summary(groups, words.method))
    if words.json:
        whole = {"method": words.method, "causal": words.causal, "options": words.options,
                 "means": {group: plain(means(results)) for group, results in groups.items()},
                 "series": report}
        words.json.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    words = parsed()
    try:
        with opened(words.labeled) as root:
            run(words, root)
    except (BadData, RevealFailed, reference.Missing) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
