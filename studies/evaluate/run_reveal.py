"""What Reveal says of a series: import, select, score, through its command line alone."""

import csv
import dataclasses
import json
import pathlib
import shlex
import subprocess

import numpy as np

import reference
from scored import STRIDE, WINDOW, Scores
from series import Series

# Reveal wants moments since 1970; any will do.
START_S = 1_700_000_000
# All columns are values as they are: without this, one that only rises would pass for a counter.
MAPPING = '[[channel]]\nmatch = "*"\nkind = "gauge"\n'
# Those of reference.py; Reveal's profile `paper` has stationarity tests, too.
REFERENCE_FEATURES = ("mean", "variance", "standard_deviation", "minimum", "maximum", "median", "skewness", "kurtosis",
                      'linear_trend__attr_"slope"', 'linear_trend__attr_"rvalue"', "autocorrelation__lag_1",
                      "autocorrelation__lag_2", "autocorrelation__lag_3", "abs_energy", "absolute_sum_of_changes",
                      "mean_change", "root_mean_square", "quantile__q_0.25", "quantile__q_0.75", "range")


class RevealFailed(Exception):
    """What was run, and what it said."""


@dataclasses.dataclass
class Reveal:
    binary: pathlib.Path
    method: str
    options: list[str]  # for `reveal scores`, after all others
    as_measured: bool = False  # the first of metrics that move together is kept; no stationarity tests

    def scores(self, series: Series, folder: pathlib.Path) -> Scores:
        """Scores the test samples; the metrics are selected by the training samples, if there are
        any. `folder` is for files, and made where it is not there."""
        folder.mkdir(exist_ok=True)
        recording = self.imported(series.test, series.interval_s, folder / "test")
        selection = []
        if self.method == "paper" and series.train is not None:
            selection = ["--select", self.selected(series, folder)]
        if self.as_measured:
            selection += ["--features", ",".join(REFERENCE_FEATURES)]
        table = folder / "scores.csv"
        self.run("scores", recording, "--method", self.method, "--window", WINDOW, "--stride",
                  STRIDE, *selection, "--contributions", "--format", "csv", "-o", table,
                  *self.options)
        return read_scores(table, series)

    def selected(self, series: Series, folder: pathlib.Path) -> pathlib.Path:
        """Selects metrics by the training samples; returns the file that says which."""
        if self.as_measured:
            return write_selection(folder / "selection.json", series)
        train = self.imported(series.train, series.interval_s, folder / "train")
        self.run("analyze", train)
        return train / "selection.json"

    def imported(self, samples: np.ndarray, interval_s: float, recording: pathlib.Path,
                 kept: np.ndarray | None = None) -> pathlib.Path:
        """Makes a recording of samples, of those that are `kept`; returns where it is."""
        table, mapping = recording.with_suffix(".csv"), recording.with_suffix(".toml")
        write_samples(table, samples, interval_s, kept)
        mapping.write_text(MAPPING, encoding="utf-8")
        self.run("import", table, "-o", recording, "--map", mapping, "--interval",
                  f"{interval_s:g}s")
        table.unlink()
        return recording

    def run(self, *words) -> None:
        command = [str(self.binary), *map(str, words)]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        if outcome.returncode:
            raise RevealFailed(f"$ {shlex.join(command)}\nended with status {outcome.returncode}: "
                               f"{outcome.stderr.strip()}")


def channel(metric: int) -> str:
    """A name that Reveal takes as it is: in others it would look for instances and units."""
    return f"m{metric:03d}"


def write_samples(path: pathlib.Path, samples: np.ndarray, interval_s: float,
                  kept: np.ndarray | None = None) -> None:
    """A row a moment that is kept; numbers in the shortest form that gives the same bits, missing
    ones empty."""
    step = round(interval_s * 1e9)
    with open(path, "w", encoding="utf-8") as file:
        print("time_ns", *map(channel, range(samples.shape[1])), sep=",", file=file)
        for tick, row in enumerate(samples.tolist()):
            if kept is not None and not kept[tick]:
                continue
            cells = ["" if value != value else repr(value) for value in row]
            print(START_S * 1_000_000_000 + tick * step, *cells, sep=",", file=file)


def write_selection(path: pathlib.Path, series: Series) -> pathlib.Path:
    """A selection of Reveal's that keeps what the reference keeps; what it drops is listed as
    constant, which has the same effect."""
    kept = reference.selected(series.train, "first")
    dropped = sorted(set(range(series.test.shape[1])) - set(kept))
    path.write_text(json.dumps({
        "schema": "reveal.selection", "version": 1, "threshold": reference.CORRELATED,
        "clusters": [{"representative": channel(metric), "members": []} for metric in kept],
        "constant": [channel(metric) for metric in dropped]}), encoding="utf-8")
    return path


def read_scores(path: pathlib.Path, series: Series) -> Scores:
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    column = {name: i for i, name in enumerate(header)}
    step = round(series.interval_s * 1e9)

    def sample(cell: str) -> int:
        return round((int(cell) - START_S * 1_000_000_000) / step)

    windows = np.array([[sample(row[column["begin_ns"]]), sample(row[column["end_ns"]])]
                        for row in rows])
    metrics = series.test.shape[1]
    shares = np.zeros((len(rows), metrics))
    for metric in range(metrics):
        place = column.get(f"share:{channel(metric)}")
        if place is not None:
            shares[:, metric] = [float(row[place]) for row in rows]
    score = np.array([float(row[column["score"]]) for row in rows])
    agreement = np.array([int(row[column["agreement"]]) for row in rows])
    detectors = [name.removesuffix("_quantile") for name in header if name.endswith("_quantile")]
    return Scores(windows, score, np.array([row[column["flag"]] == "1" for row in rows]), shares,
                  np.array([[float(row[column[name]]) for name in detectors] for row in rows]),
                  score - agreement)
