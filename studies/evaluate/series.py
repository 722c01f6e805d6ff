"""Labeled telemetry, read from a directory or an archive of it.

    SET/SERIES/test.npy           samples: a row a moment, a column a metric
    SET/SERIES/train.npy          what came before, without labels, where there is any
    SET/SERIES/data.npy           instead of both: a short run as a whole
    SET/SERIES/events.json        [begin, end] of samples, half-open, or {"kind", "start", "end"}
    SET/SERIES/root_cause.json    {"start", "metrics"}: the metrics to blame, by column
    SET/metrics.txt               a metric a line, in the order of the columns, perhaps ",subsystem"

SET is one of SETS, perhaps below a folder or two; SERIES may be folders in folders.
"""

import contextlib
import dataclasses
import json
import pathlib
import tarfile
import tempfile

import numpy as np

# Seconds between samples: the files do not say.
SETS = {"SMD": 60.0, "ASD": 300.0, "JumpStarter": 300.0, "HPAS": 1.0}
# Which part of a host the faults that HPAS injects take hold of: CPU occupation, cache contention
# and memory leak.
FAULT_SUBSYSTEM = {"CO": "cpu", "CC": "cpu", "ML": "memory"}
SUBSYSTEM_OF_PREFIX = {"cpu": "cpu", "mem": "memory", "vm": "memory"}


class BadData(Exception):
    """What is wrong with the labeled telemetry, for the user to read."""


@dataclasses.dataclass
class Series:
    """One host's or service's telemetry, with its labels."""

    set_name: str
    name: str
    interval_s: float
    test: np.ndarray  # samples x metrics
    train: np.ndarray | None
    metrics: list[str]
    subsystems: list[str] | None  # of the metrics, where they have names
    events: list[tuple[int, int]]  # in order, half-open, apart
    causes: list[set[int]]  # for each event the metrics to blame; empty where nobody says
    blamed: list[set[str]]  # for each event the subsystems to blame; likewise
    # Faults that were injected, each by itself: kind, begin, end. Those that overlap are one event.
    injections: list[tuple[str, int, int]] = dataclasses.field(default_factory=list)

    @property
    def group(self) -> str:
        """What its figures are averaged with. JumpStarter has two data sets, d2 and d3."""
        part = f" D{self.name[1]}" if self.set_name == "JumpStarter" else ""
        return self.set_name + part

    @property
    def days(self) -> float:
        return len(self.test) * self.interval_s / 86_400


def unpack(archive: pathlib.Path, folder: pathlib.Path) -> None:
    """Unpacks the plain files of a tar archive, and refuses names that lead out of the folder."""
    try:
        with tarfile.open(archive) as tar:
            members = [member for member in tar if member.isfile()]
            for member in members:
                path = pathlib.PurePosixPath(member.name)
                if path.is_absolute() or ".." in path.parts:
                    raise BadData(f"{archive}: {member.name} leads out of the archive")
            tar.extractall(folder, members)
    except (OSError, tarfile.TarError, EOFError) as error:
        raise BadData(f"{archive} cannot be unpacked: {error}") from error


@contextlib.contextmanager
def opened(labeled: pathlib.Path):
    """The directory of labeled telemetry, which may be given as an archive."""
    if labeled.is_dir():
        yield labeled
        return
    with tempfile.TemporaryDirectory(prefix="reveal_labeled_") as folder:
        unpack(labeled, pathlib.Path(folder))
        yield pathlib.Path(folder)


def read_all(root: pathlib.Path, sets: list[str], pattern: str = "*") -> list[Series]:
    """The series of these sets below `root` whose name (or its last part) fits a shell pattern."""
    found = []
    for set_name in sets:
        for events in sorted(root.glob(f"**/{set_name}/**/events.json")):
            folder = events.parent
            parts = folder.parts
            name = "/".join(parts[len(parts) - parts[::-1].index(set_name):])
            if pathlib.PurePath(name).match(pattern):
                found.append(read(folder, set_name, name))
    if not found:
        raise BadData(f"no series '{pattern}' of {', '.join(sets)} in {root}: expected are files "
                      "such as SMD/machine-1-3/test.npy with events.json beside it")
    return found


def read(folder: pathlib.Path, set_name: str, name: str) -> Series:
    try:
        whole = (folder / "data.npy").exists()
        test = np.load(folder / ("data.npy" if whole else "test.npy")).astype(float)
        train = None if whole else np.load(folder / "train.npy").astype(float)
        events = json.loads((folder / "events.json").read_text(encoding="utf-8"))
        cause_file = folder / "root_cause.json"
        causes = json.loads(cause_file.read_text(encoding="utf-8")) if cause_file.exists() else []
        metrics, subsystems = _metrics(folder, set_name, test.shape[1])
    except (OSError, ValueError, IndexError) as error:
        raise BadData(f"{folder}: {error}") from error

    series = Series(set_name, name, SETS[set_name], test, train, metrics, subsystems, [], [], [])
    if events and isinstance(events[0], dict):
        _label_injections(series, events)
    else:
        _label_events(series, events, {cause["start"]: set(cause["metrics"]) for cause in causes})
    return series


def _metrics(folder: pathlib.Path, set_name: str,
             columns: int) -> tuple[list[str], list[str] | None]:
    """Names and subsystems, from the metrics.txt of the set; numbers where it has none."""
    set_folder = next(above for above in folder.parents if above.name == set_name)
    listing = set_folder / "metrics.txt"
    if not listing.exists():
        return [str(column) for column in range(columns)], None
    rows = [line.split(",") for line in listing.read_text(encoding="utf-8").split()]
    if len(rows) != columns:
        raise ValueError(f"{len(rows)} metrics in {listing}, {columns} columns in the samples")
    return ([row[0] for row in rows],
            [row[1] if len(row) > 1 else SUBSYSTEM_OF_PREFIX[row[0].split(".")[0]] for row in rows])


def _label_events(series: Series, events: list[list[int]], causes: dict[int, set[int]]) -> None:
    for begin, end in sorted(events):
        series.events.append((begin, end))
        # Files differ in whether an end is half-open; the starts agree.
        series.causes.append(causes.get(begin, set()))
        series.blamed.append({series.subsystems[m] for m in series.causes[-1]}
                             if series.subsystems else set())


def _label_injections(series: Series, events: list[dict]) -> None:
    """Faults that overlap are one event, with the subsystems of all of them to blame."""
    for event in sorted(events, key=lambda event: event["start"]):
        begin, end = event["start"], min(event["end"], len(series.test))
        blamed = {FAULT_SUBSYSTEM[event["kind"]]}
        series.injections.append((event["kind"], begin, end))
        if series.events and begin <= series.events[-1][1]:
            series.events[-1] = (series.events[-1][0], max(end, series.events[-1][1]))
            series.blamed[-1] |= blamed
        else:
            series.events.append((begin, end))
            series.causes.append(set())
            series.blamed.append(blamed)
