#!/usr/bin/python3
"""Which features are worth computing: a table of all of them over recordings, and the smallest set
that stands for the rest.

    studies/features/feature_study.py idle=rec/idle.1 idle=rec/idle.2 compile=rec/compile.1 ...
    studies/features/feature_study.py --labeled DIR --sets SMD --stride 30

A recording is given with the name of its workload. docs/feature_selection.md says what the columns
mean. Needs numpy; scipy is used by its test alone.
"""

import argparse
import csv
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

NAN = float("nan")
# From cheap to dear, as docs/reference/features.md names them.
COSTS = ("linear", "sorting", "spectral", "regression", "quadratic")
# What a reader needs no explanation for; of features that cost the same these come first.
PLAIN = ("mean", "minimum", "maximum", "standard_deviation", "range", "median")
# A column that moves by no more than this share of its mean is constant to the detectors as well.
ROUNDING = 1e-10


class StudyFailed(Exception):
    """What is wrong, for the user to read."""


@dataclasses.dataclass
class Run:
    """The features of one recording."""

    workload: str
    features: list[str]
    channels: list[str]
    values: np.ndarray  # channels x windows x features, NaN where undefined
    phase: np.ndarray | None = None  # of each window, True inside a labeled event


@dataclasses.dataclass
class Limits:
    cv: float = 0.01  # a feature varies on a channel if its sd is above this share of its mean
    share: float = 0.1  # and at all if it does on this share of the channels
    r: float = 0.9  # |r| above which it is a copy of another


# Statistics. Each takes the windows of one channel, windows x features, unless it says otherwise.

def filled(values: np.ndarray) -> np.ndarray:
    """Undefined values become the feature's mean, as in the detectors; 0 where there is none."""
    defined = np.isfinite(values)
    count = defined.sum(axis=0)
    mean = np.where(defined, values, 0).sum(axis=0) / np.maximum(count, 1)
    return np.where(defined, values, mean)


def is_defined(values: np.ndarray) -> np.ndarray:
    """Whether a feature is defined in more than half of the windows; detectors leave others out."""
    return np.isfinite(values).mean(axis=0) > 0.5


def varies(values: np.ndarray, limit: float) -> np.ndarray:
    """Whether the coefficient of variation, sd / |mean|, is above a limit; infinite for mean 0."""
    whole = filled(values)
    deviation, level = whole.std(axis=0), np.abs(whole.mean(axis=0))
    largest = np.abs(whole).max(axis=0)
    return is_defined(values) & (deviation > ROUNDING * largest) & (deviation > limit * level)


def standardized(values: np.ndarray) -> np.ndarray:
    """Minus mean, over sd; 0 for constants."""
    whole = filled(values)
    centered = whole - whole.mean(axis=0)
    deviation = centered.std(axis=0)
    constant = deviation <= ROUNDING * np.abs(whole).max(axis=0)
    return np.where(constant, 0, centered / np.where(constant, 1, deviation))


def correlations(values: np.ndarray) -> np.ndarray:
    """|Pearson's r| of each feature with each, 0 for constants."""
    z = standardized(values)
    return np.clip(np.abs(z.T @ z) / len(z), 0, 1)


def ks_distance(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Kolmogorov and Smirnov's distance, of each feature, between two sets of windows."""
    pooled = np.concatenate([filled(first), filled(second)])
    order = pooled.argsort(axis=0, kind="stable")
    steps = np.where(order < len(first), 1 / len(first), -1 / len(second)).cumsum(axis=0)
    ranked = np.take_along_axis(pooled, order, axis=0)
    # Between equal values the two curves have no difference yet.
    last = np.vstack([ranked[1:] != ranked[:-1], np.ones((1, ranked.shape[1]), bool)])
    return np.where(last, np.abs(steps), 0).max(axis=0)


def eta_squared(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Share of a feature's variance that lies between groups, from the sums of squares of a one-way
    ANOVA: with n windows and k groups, F = (n - k) / (k - 1) * eta2 / (1 - eta2)."""
    z = standardized(values)
    between = np.zeros(z.shape[1])
    for group in np.unique(groups):
        members = z[groups == group]
        between += len(members) * members.mean(axis=0) ** 2
    return between / len(z)


def elastic_correlation(x: np.ndarray, y: np.ndarray, band: int = 2) -> np.ndarray:
    """How alike columns of x and of y are once time may be warped by up to `band` windows: 1 - c/2,
    where c is the dynamic-time-warping cost a window of the standardized series, the sum of squared
    differences along the cheapest path over the number of windows. Along the diagonal c = 2 - 2r,
    so this is at least r; the larger of y and -y counts, so at least |r|. x and y are windows x
    pairs; 0 where either is constant."""
    x, y = standardized(x), standardized(y)
    cost = np.minimum(_warped(x, y, band), _warped(x, -y, band)) / len(x)
    alike = np.clip(1 - cost / 2, 0, 1)
    return np.where(x.any(axis=0) & y.any(axis=0), alike, 0)


def _warped(x: np.ndarray, y: np.ndarray, band: int) -> np.ndarray:
    """The least sum of squared differences from the first windows to the last, by steps of one
    window in x, in y or in both, never farther than `band` from the diagonal."""
    n, pairs = x.shape
    nowhere = np.full(pairs, np.inf)
    above = {-1: np.zeros(pairs)}  # of the window of x before, by the window of y
    for i in range(n):
        here: dict[int, np.ndarray] = {}
        for j in range(max(0, i - band), min(n, i + band + 1)):
            before = np.minimum(above.get(j - 1, nowhere), above.get(j, nowhere))
            here[j] = np.minimum(before, here.get(j - 1, nowhere)) + (x[i] - y[j]) ** 2
        above = here
    return above[n - 1]


# Over all channels.

def copies(redundancy: np.ndarray, varying: np.ndarray, kept: list[int]) -> np.ndarray:
    """Of each feature the median, over the channels where it varies, of its largest |r| with one
    that is kept, itself aside; 0 where it varies nowhere. redundancy: channels x features x
    features; varying: channels x features."""
    out = np.zeros(varying.shape[1])
    if not kept:
        return out
    for feature in range(len(out)):
        others = [other for other in kept if other != feature]
        rows = redundancy[varying[:, feature], feature][:, others]
        if rows.size:
            out[feature] = np.median(rows.max(axis=1))
    return out


def chosen(redundancy: np.ndarray, varying: np.ndarray, order: list[int], limits: Limits,
           plain: frozenset[int] = frozenset()) -> tuple[list[int], dict[int, float]]:
    """The features to keep, in order, and of each feature that varies its `copies` among those that
    were kept before it. Each that varies is taken in `order` unless it is a copy; then, from the
    last back, what the others stand for is dropped again, unless it is plain: nobody wants a mean
    told by four features that are hard to read. No other can then be spared."""
    alive = [f for f in order if varying[:, f].mean() >= limits.share]
    kept: list[int] = []
    before: dict[int, float] = {}
    for feature in alive:
        rows = redundancy[varying[:, feature], feature]
        before[feature] = float(np.median(rows[:, kept].max(axis=1))) if kept else 0.0
        if before[feature] <= limits.r:
            kept.append(feature)
    for feature in [feature for feature in kept[::-1] if feature not in plain]:
        fewer = [other for other in kept if other != feature]
        stands = copies(redundancy, varying, fewer)
        if all(stands[f] > limits.r for f in alive if f not in fewer):
            kept = fewer
    return kept, before


def priority(features: list[str], costs: dict[str, str]) -> list[int]:
    """Cheap first; of equal cost those of PLAIN in its order, then as the program lists them."""
    def key(place: int) -> tuple[int, int, int]:
        name = features[place]
        plain = PLAIN.index(name) if name in PLAIN else len(PLAIN)
        return COSTS.index(costs[name]), plain, place
    return sorted(range(len(features)), key=key)


def pairs_of_runs(runs: list[Run]) -> list[tuple[Run, Run]]:
    """Runs of the same workload, first with second, third with fourth; of one that is alone its
    halves. A labeled series is no workload that is repeated: always its halves."""
    waiting: dict[str, Run] = {}
    out = []
    for run in runs:
        if run.phase is None and run.workload in waiting:
            out.append((waiting.pop(run.workload), run))
        elif run.phase is None:
            waiting[run.workload] = run
        else:
            out.append(halves(run))
    return out + [halves(run) for run in waiting.values()]


def halves(run: Run) -> tuple[Run, Run]:
    middle = run.values.shape[1] // 2
    return (dataclasses.replace(run, values=run.values[:, :middle]),
            dataclasses.replace(run, values=run.values[:, middle:]))


def stability(runs: list[Run]) -> np.ndarray:
    """Median over channels of 1 - the distance between the distributions of two runs or halves."""
    rows = []
    for first, second in pairs_of_runs(runs):
        place = {channel: i for i, channel in enumerate(second.channels)}
        rows += [1 - ks_distance(values, second.values[place[channel]])
                 for channel, values in zip(first.channels, first.values) if channel in place]
    return np.median(rows, axis=0)


def discrimination(runs: list[Run]) -> np.ndarray:
    """Upper quartile over channels of eta squared: between workloads, or, of each labeled series,
    between what is inside and outside its events. NaN where there is only one group."""
    rows = [eta_squared(values, run.phase) for run in runs
            if run.phase is not None and 0 < run.phase.sum() < len(run.phase)
            for values in run.values]
    plain = [run for run in runs if run.phase is None]
    workloads = sorted({run.workload for run in plain})
    if len(workloads) > 1:
        for channel in sorted({name for run in plain for name in run.channels}):
            parts = [(run.workload, run.values[run.channels.index(channel)])
                     for run in plain if channel in run.channels]
            if {workload for workload, _ in parts} == set(workloads):
                groups = np.concatenate([[workload] * len(part) for workload, part in parts])
                rows.append(eta_squared(np.concatenate([part for _, part in parts]), groups))
    return np.quantile(rows, 0.75, axis=0) if rows else np.full(len(runs[0].features), NAN)


def spread(values: np.ndarray, most: int) -> np.ndarray:
    """At most so many rows, evenly spaced."""
    return values[np.unique(np.linspace(0, len(values) - 1, most).astype(int))] \
        if len(values) > most else values


def elastic(channels: list[np.ndarray], kept: list[int]) -> np.ndarray:
    """Of each feature the median over channels, where it varies, of the largest elastic correlation
    with a kept one, itself aside."""
    features = channels[0].shape[1]
    rows = []
    for values in channels:
        best = np.zeros(features)
        # All pairs at once would take much memory.
        for part in (kept[i:i + 16] for i in range(0, len(kept), 16)):
            left, right = (grid.ravel() for grid in np.meshgrid(range(features), part,
                                                                indexing="ij"))
            alike = elastic_correlation(values[:, left], values[:, right])
            alike = np.where(left == right, 0, alike).reshape(features, len(part))
            best = np.maximum(best, alike.max(axis=1))
        rows.append(np.where(varies(values, 0), best, NAN))
    return np.ma.median(np.ma.masked_invalid(rows), axis=0).filled(NAN)


# Reading.

def run_reveal(reveal: pathlib.Path, *words) -> str:
    outcome = subprocess.run([str(reveal), *map(str, words)], capture_output=True, text=True,
                             check=False)
    if outcome.returncode:
        raise StudyFailed(f"{reveal} {words[0]}: {outcome.stderr.strip()}")
    return outcome.stdout


def costs_and_profiles(reveal: pathlib.Path) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Of each feature its class of cost and the profiles it is in, beside `full`."""
    costs, profiles = {}, {}
    for line in run_reveal(reveal, "features", "--list", "--format", "markdown").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.fullmatch(r"`.*`", cells[0]) and cells[-2] in COSTS:
            name = cells[0].strip("`")
            costs[name], profiles[name] = cells[-2], [p for p in cells[-1].split(", ") if p]
    return costs, profiles


def read_run(path: pathlib.Path, workload: str) -> tuple[Run, np.ndarray]:
    """The table of `reveal features`, and when its windows begin and end, in ns. Left out are
    channels that never change, and those of events, of which most features do not exist."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        names = next(reader)[4:]
        times: dict[int, tuple[int, int]] = {}
        rows: dict[str, dict[int, np.ndarray]] = {}
        for window, begin, end, channel, *cells in reader:
            times[int(window)] = int(begin), int(end)
            rows.setdefault(channel, {})[int(window)] = np.array(
                [float(cell) if cell else NAN for cell in cells])
    windows = sorted(times)
    missing = np.full(len(names), NAN)
    level = [names.index(name) for name in ("mean", "standard_deviation")]
    kept = {}
    for channel, found in rows.items():
        values = np.array([found.get(window, missing) for window in windows])
        if varies(values[:, level], 0).any():
            kept[channel] = values
    if len(windows) < 4 or not kept:
        raise StudyFailed(f"{workload}: {len(windows)} windows, {len(kept)} channels that vary")
    return Run(workload, names, list(kept), np.array(list(kept.values()))), np.array(
        [times[window] for window in windows])


def features_of(words: argparse.Namespace, recording: pathlib.Path, workload: str, window: str,
                stride: str) -> tuple[Run, np.ndarray]:
    with tempfile.TemporaryDirectory(prefix="reveal_study_") as folder:
        table = pathlib.Path(folder) / "features.csv"
        run_reveal(words.reveal, "features", recording, "--features", "full", "--format", "csv",
                   "--window", window, "--stride", stride, "-o", table)
        return read_run(table, workload)


def labeled_runs(words: argparse.Namespace) -> list[Run]:
    """The series of labeled telemetry, as docs/how_to/evaluate.md has them; of a window that is
    half in an event or more the phase is True."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "evaluate"))
    import reference as _  # first, for it and run_reveal need each other
    import run_reveal as importer
    import series as telemetry
    out = []
    reveal = importer.Reveal(words.reveal.resolve(), "default", [])
    for one in telemetry.read_all(words.labeled, words.sets.split(","), words.series):
        with tempfile.TemporaryDirectory(prefix="reveal_study_") as folder:
            recording = reveal.imported(one.test, one.interval_s, pathlib.Path(folder) / "test")
            run, times = features_of(words, recording, f"{one.set_name} {one.name}",
                                     words.window or str(importer.WINDOW),
                                     words.stride or str(importer.STRIDE))
        truth = np.zeros(len(one.test) + 1)
        for begin, end in one.events:
            truth[begin + 1:end + 1] = 1
        inside = truth.cumsum()
        ticks = np.rint((times / 1e9 - importer.START_S) / one.interval_s).astype(int)
        ticks = ticks.clip(0, len(one.test))
        run.phase = 2 * (inside[ticks[:, 1]] - inside[ticks[:, 0]]) >= ticks[:, 1] - ticks[:, 0]
        out.append(run)
    return out


# Printing.

def report(runs: list[Run], costs: dict[str, str], profiles: dict[str, list[str]],
           words: argparse.Namespace) -> list[str]:
    """The lines to print."""
    limits = Limits(words.cv, words.share, words.r)
    features = runs[0].features
    channels = [values for run in runs for values in run.values]
    defined = np.mean([is_defined(values) for values in channels], axis=0)
    all_varying = np.array([varies(values, limits.cv) for values in channels])
    sample = spread(np.arange(len(channels)), words.most)
    varying = all_varying[sample]
    redundancy = np.array([correlations(channels[i]) for i in sample], np.float32)
    order = priority(features, costs)
    plain = frozenset(f for f, name in enumerate(features) if name in PLAIN)
    kept, before = chosen(redundancy, varying, order, limits, plain)
    nearest = copies(redundancy, varying, kept)
    warped = elastic([channels[i] for i in spread(sample, words.dtw)], kept)
    steady, telling = stability(runs), discrimination(runs)
    lines = [f"{len(runs)} recordings, {len(channels)} channels in them that vary, correlations of "
             f"{len(sample)}, warping of {min(words.dtw, len(sample))}; keep {len(kept)}",
             f"{'':1} {'feature':<58}{'cost':<11}{'def':>5}{'varies':>7}{'before':>7}{'|r|':>6}"
             f"{'dtw':>6}{'stable':>7}{'eta2':>6}  like"]
    for f in order:
        alike = [float(np.median(redundancy[varying[:, f], f, k])) if k != f and varying[:, f].any()
                 else -1.0 for k in kept]
        like = features[kept[int(np.argmax(alike))]] if max(alike, default=-1) > 0 else ""
        lines.append(
            f"{'*' if f in kept else ' '} {features[f]:<58}{costs[features[f]]:<11}"
            f"{defined[f]:5.2f}{all_varying[:, f].mean():7.2f}{before.get(f, NAN):7.2f}"
            f"{nearest[f]:6.2f}{warped[f]:6.2f}{steady[f]:7.2f}{telling[f]:6.2f}  {like}")
    lines += ["", *profile_lines(features, kept, nearest, before, profiles, limits)]
    short = [f for f in kept if telling[f] >= words.eta2 and costs[features[f]] in COSTS[:2]]
    for title, which in (("all that is no copy", kept),
                         (f"of these the cheap ones with eta2 of {words.eta2} or more", short)):
        lines += ["", f"{title}: {len(which)}",
                  f"--features '{','.join(features[f] for f in which)}'"]
    return lines


def profile_lines(features: list[str], kept: list[int], nearest: np.ndarray,
                  before: dict[int, float], profiles: dict[str, list[str]],
                  limits: Limits) -> list[str]:
    """Of each profile how many of its features are kept, and which are copies of kept ones."""
    out = []
    for profile in ("minimal", "default", "paper"):
        members = [f for f, name in enumerate(features) if profile in profiles.get(name, [])]
        copied = [features[f] for f in members
                  if f in before and f not in kept and nearest[f] > limits.r]
        still = [features[f] for f in members if f not in before]
        out.append(f"{profile}: {len(set(members) & set(kept))} of {len(members)} kept; copies: "
                   f"{', '.join(copied) or 'none'}; hardly vary: {', '.join(still) or 'none'}")
    return out


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("recordings", nargs="*", metavar="WORKLOAD=DIR",
                        help="a recording and what the host was doing; again for each")
    parser.add_argument("--labeled", type=pathlib.Path, metavar="DIR",
                        help="labeled telemetry (docs/how_to/evaluate.md)")
    parser.add_argument("--sets", default="SMD", help="of it (default: %(default)s)")
    parser.add_argument("--series", default="*", help="of these, a shell pattern of names")
    parser.add_argument("--reveal", type=pathlib.Path, default="build/release/reveal",
                        help="the program (default: %(default)s)")
    parser.add_argument("--window", help="length of a window: 3s, of labeled telemetry 30 samples")
    parser.add_argument("--stride",
                        help="from one to the next: 1s, of labeled telemetry 10 samples")
    parser.add_argument("--cv", type=float, default=Limits.cv,
                        help="a feature varies if its sd is above this share of its mean "
                             "(%(default)s)")
    parser.add_argument("--share", type=float, default=Limits.share,
                        help="and counts if it does on this share of channels (%(default)s)")
    parser.add_argument("--r", type=float, default=Limits.r,
                        help="|r| above which a feature is a copy (%(default)s)")
    parser.add_argument("--eta2", type=float, default=0.1,
                        help="what a feature of the short set must tell at least (%(default)s)")
    parser.add_argument("--most", type=int, default=400,
                        help="channels, evenly spaced, that are correlated (%(default)s)")
    parser.add_argument("--dtw", type=int, default=12,
                        help="channels, evenly spaced, that are warped (%(default)s)")
    words = parser.parse_args()
    if bool(words.recordings) == bool(words.labeled):
        parser.error("give recordings, or --labeled")
    if any("=" not in word for word in words.recordings):
        parser.error("a recording is given as WORKLOAD=DIR")
    if not os.access(words.reveal, os.X_OK):
        parser.error(f"no program {words.reveal}: build it, or name it with --reveal")
    return words


def main() -> int:
    words = parsed()
    try:
        costs, profiles = costs_and_profiles(words.reveal)
        if words.labeled:
            runs = labeled_runs(words)
        else:
            pairs = [word.split("=", 1) for word in words.recordings]
            runs = [features_of(words, pathlib.Path(folder), workload, words.window or "3s",
                                words.stride or "1s")[0] for workload, folder in pairs]
        lines = report(runs, costs, profiles, words)
    except StudyFailed as error:
        print(f"feature_study: {error}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
