"""A simple peer that the lab scores beside Reveal: a robust z for each metric, and a count of those far out.

It is what an operator with a metrics database and an afternoon would do. Per channel the mean of each
window; z = |mean - median| / (1.4826 MAD) over the run's windows, where the MAD is not 0; a window is
flagged where at least SHARE of the channels lie more than FAR out, and the subsystem with the largest
share of such channels is blamed first. FAR and SHARE are those that did best on the lab's own faults.
"""

import csv
import dataclasses
import io
import json
import pathlib

import numpy as np

from shell import run

FAR = 4.0
SHARE = 0.05
MAD_OF_NORMAL = 1.4826
SUBSYSTEMS = ("cpu", "gpu", "memory", "network", "storage")


def far_out(means: np.ndarray) -> np.ndarray:
    """Of windows x channels: which lie farther than FAR robust deviations from their channel's median."""
    distance = np.abs(means - np.nanmedian(means, axis=0))
    scale = MAD_OF_NORMAL * np.nanmedian(distance, axis=0)
    return distance > FAR * np.where(scale > 0, scale, np.inf)


def shares_of(far: np.ndarray, subsystem_of: list[str]) -> dict[str, float]:
    """Of one finding's windows: each subsystem's share of the channels far out, in proportion to their number."""
    names = np.array(subsystem_of)
    weight = {name: float(far[:, names == name].mean()) if (names == name).any() else 0.0 for name in SUBSYSTEMS}
    total = sum(weight.values()) or 1.0
    return {name: value / total for name, value in weight.items()}


def findings_in(begin_ns: np.ndarray, end_ns: np.ndarray, far: np.ndarray, subsystem_of: list[str],
                share: float = SHARE) -> list[dict]:
    """Flagged windows that touch are one finding, as the lab's score reads it."""
    flagged = np.flatnonzero(far.mean(axis=1) >= share)
    groups = np.split(flagged, np.flatnonzero(begin_ns[flagged][1:] > end_ns[flagged][:-1]) + 1) if len(flagged) else []
    return [{"begin": {"ns": int(begin_ns[rows[0]])}, "end": {"ns": int(end_ns[rows[-1]])}, "agreement": 1,
             "windows": [{"id": int(row)} for row in rows],
             "subsystem_shares": shares_of(far[rows], subsystem_of)} for rows in groups]


@dataclasses.dataclass(frozen=True)
class Means:
    """Of a recording: the mean of each channel (column) in each window (row), and whose it is."""
    begin_ns: np.ndarray
    end_ns: np.ndarray
    values: np.ndarray  # NaN: unknown
    subsystem_of: list[str]  # by channel


def means(reveal: pathlib.Path, recording: pathlib.Path, *words: str) -> Means:
    known = {row["name"]: row["subsystem"] for row in json.loads(run(reveal, "metrics", "--format", "json"))}
    table = csv.reader(io.StringIO(run(reveal, "export", recording, "--table", "features", "--features", "mean", *words)))
    heading = next(table)
    rows = [[float(cell) if cell else np.nan for cell in row] for row in table]
    begin, end = heading.index("begin_ns"), heading.index("end_ns")
    channels = [place for place, name in enumerate(heading) if name.endswith("__mean")]
    subsystem_of = [known.get(heading[place].split("__mean")[0].split("{")[0], "") for place in channels]
    values = np.array(rows)
    return Means(values[:, begin].astype(np.int64), values[:, end].astype(np.int64), values[:, channels], subsystem_of)


def write_report(out: pathlib.Path, begin_ns: np.ndarray, findings: list[dict]) -> None:
    report = {"run": {"begin": {"ns": int(begin_ns[0])}}, "findings": findings,
              "windows": {"id": list(range(len(begin_ns))), "begin_ns": begin_ns.tolist()}}
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="ascii")


def analyze(reveal: pathlib.Path, recording: pathlib.Path, out: pathlib.Path) -> None:
    """Writes report.json of the recording to the folder `out`."""
    of = means(reveal, recording)
    write_report(out, of.begin_ns, findings_in(of.begin_ns, of.end_ns, far_out(of.values), of.subsystem_of))
