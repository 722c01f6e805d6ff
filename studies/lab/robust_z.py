"""A simple peer that the lab scores beside Reveal: a robust z for each metric, and a count of those far out.

It is what an operator with a metrics database and an afternoon would do. Per channel the mean of each
window; z = |mean - median| / (1.4826 MAD) over the run's windows, where the MAD is not 0; a window is
flagged where at least SHARE of the channels lie more than FAR out, and the subsystem with the largest
share of such channels is blamed first. FAR and SHARE are those that did best on the lab's own faults.
"""

import csv
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


def findings_in(begin_ns: np.ndarray, end_ns: np.ndarray, far: np.ndarray, subsystem_of: list[str]) -> list[dict]:
    """Flagged windows that touch are one finding, as the lab's score reads it."""
    flagged = np.flatnonzero(far.mean(axis=1) >= SHARE)
    groups = np.split(flagged, np.flatnonzero(begin_ns[flagged][1:] > end_ns[flagged][:-1]) + 1) if len(flagged) else []
    return [{"begin": {"ns": int(begin_ns[rows[0]])}, "end": {"ns": int(end_ns[rows[-1]])}, "agreement": 1,
             "windows": [{"id": int(row)} for row in rows],
             "subsystem_shares": shares_of(far[rows], subsystem_of)} for rows in groups]


def analyze(reveal: pathlib.Path, recording: pathlib.Path, out: pathlib.Path) -> None:
    """Writes report.json of the recording to the folder `out`."""
    known = {row["name"]: row["subsystem"] for row in json.loads(run(reveal, "metrics", "--format", "json"))}
    table = csv.reader(io.StringIO(run(reveal, "export", recording, "--table", "features",
                                        "--features", "mean")))
    heading = next(table)
    rows = np.array([[float(cell) if cell else np.nan for cell in row] for row in table])
    begin, end = heading.index("begin_ns"), heading.index("end_ns")
    channels = [place for place, name in enumerate(heading) if name.endswith("__mean")]
    subsystem_of = [known.get(heading[place].split("__mean")[0].split("{")[0], "") for place in channels]
    begin_ns = rows[:, begin].astype(np.int64)
    findings = findings_in(begin_ns, rows[:, end].astype(np.int64), far_out(rows[:, channels]), subsystem_of)
    report = {"run": {"begin": {"ns": int(begin_ns[0])}}, "findings": findings,
              "windows": {"id": list(range(len(rows))), "begin_ns": begin_ns.tolist()}}
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="ascii")
