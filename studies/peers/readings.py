"""What a recording holds of each channel: values in the metric's unit, with the moments of their readings."""

import bisect
import csv
import dataclasses
import json
import pathlib
import sys
import tempfile
from collections.abc import Collection, Iterable

STUDIES = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(STUDIES / "lab"))

from shell import run  # noqa: E402 after the folder is known

Channel = tuple[str, str]  # metric, instance
SAME_NS = 1_000_000
FIRST_COLUMNS = 7  # of the wide layout: docs/how_to/exchange.md


@dataclasses.dataclass
class Readings:
    times_ns: list[int] = dataclasses.field(default_factory=list)
    values: list[float] = dataclasses.field(default_factory=list)

    def add(self, time_ns: int, value: float) -> None:
        """A reading that the next ticks repeat, with a moment that is some microseconds off, counts once."""
        if not self.times_ns or time_ns > self.times_ns[-1] + SAME_NS:
            self.times_ns.append(time_ns)
            self.values.append(value)

    def within(self, begin_ns: int, end_ns: int) -> bool:
        """Whether one was between the two moments."""
        return bisect.bisect_left(self.times_ns, begin_ns) < bisect.bisect_right(self.times_ns, end_ns)

    def around(self, begin_ns: int, end_ns: int) -> list[float]:
        """From the last reading that was before both moments to the first after them; empty if one is missing."""
        first = bisect.bisect_right(self.times_ns, begin_ns) - 1
        last = bisect.bisect_left(self.times_ns, end_ns)
        return self.values[first:last + 1] if first >= 0 and last < len(self.times_ns) else []


@dataclasses.dataclass(frozen=True)
class Metric:
    kind: str
    collector: str
    source: str
    scale: float


@dataclasses.dataclass(frozen=True)
class Recording:
    metrics: dict[str, Metric]
    readings: dict[Channel, Readings]


def read_recording(reveal: pathlib.Path, recording: pathlib.Path) -> Recording:
    with tempfile.TemporaryDirectory(prefix="reveal_peers_") as folder:
        file = pathlib.Path(folder) / "samples.csv"
        run(reveal, "export", recording, "-o", file)
        metadata = json.loads(file.with_name("samples.csv.meta.json").read_text(encoding="utf-8"))
        with open(file, newline="", encoding="utf-8") as rows:
            return recording_of(metadata, csv.reader(rows))


def recording_of(metadata: dict, rows: Iterable[list[str]]) -> Recording:
    """Of a wide CSV export and its metadata."""
    metrics = {one["name"]: Metric(one["kind"], one["collector"], one["source"], one["scale"])
               for one in metadata["metrics"]}
    order = list(dict.fromkeys(one.collector for one in metrics.values()))  # that of read_ns
    channels = [(metric, instance) for metric, instance in metadata["channels"]]
    readings: dict[Channel, Readings] = {channel: Readings() for channel in channels}
    places = [(order.index(metrics[metric].collector), metrics[metric].scale, readings[metric, instance])
              for metric, instance in channels]
    lines = iter(rows)
    columns = {name: i for i, name in enumerate(next(lines))}
    for line in lines:
        tick_ns, offsets = int(line[columns["time_ns"]]), line[columns["read_ns"]].split()
        for cell, (source, scale, mine) in zip(line[FIRST_COLUMNS:], places):
            if cell and offsets[source] != "-":
                mine.add(tick_ns + int(offsets[source]), float(cell) * scale)
    return Recording(metrics, readings)


def of_collectors(recording: Recording, channels: Collection[Channel]) -> dict[str, int]:
    """How many of the channels each collector has."""
    out: dict[str, int] = {}
    for metric, _ in channels:
        collector = recording.metrics[metric].collector
        out[collector] = out.get(collector, 0) + 1
    return out
