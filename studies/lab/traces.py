"""What TCP did on every host of a run, side by side: a row a few seconds, from the recordings alone."""

import csv
import dataclasses
import io
import json
import math
import pathlib
import statistics
from collections.abc import Callable

from faults import FAULTS
from shell import LabError, run


@dataclasses.dataclass(frozen=True)
class Trace:
    """One metric of `reveal export --derived`, and what a few seconds of it are as one number."""
    heading: str
    metric: str
    of: Callable[[list[float], float], float]  # of the samples, and the seconds they cover


def per_second(increments: list[float], seconds: float) -> float:
    return sum(increments) / seconds


def mean(values: list[float], _: float) -> float:
    return statistics.mean(values)


def microseconds(values: list[float], _: float) -> float:
    return statistics.mean(values) * 1e6


TRACES = (
    Trace("sent again, 1/s", "network_tcp_retransmits_total", per_second),
    Trace("came out of order, 1/s", "network_tcp_out_of_order_total", per_second),
    Trace("recoveries by SACK, 1/s", "network_tcp_sack_recoveries_total", mean),
    Trace("median round trip, us", "network_tcp_round_trip_median_seconds", microseconds),
)
WIDTH = 7


def binned(table: str, begin_ns: int, every_s: float, seconds: float) -> dict[str, list[float]]:
    """Of a CSV of `reveal export --derived`, each trace's numbers, one for every so many seconds from
    `begin_ns`; NaN where there is no sample."""
    rows = list(csv.DictReader(io.StringIO(table)))
    out = {}
    for trace in TRACES:
        samples: list[list[float]] = [[] for _ in range(math.ceil(seconds / every_s))]
        for row in rows:
            place = int((int(row["time_ns"]) - begin_ns) / 1e9 // every_s)
            if 0 <= place < len(samples) and row.get(trace.metric):
                samples[place].append(float(row[trace.metric]))
        out[trace.metric] = [trace.of(some, every_s) if some else math.nan for some in samples]
    return out


def steps(log: pathlib.Path, begin_ns: int, every_s: float, seconds: float) -> list[float]:
    """The median step of a rank that ended in every so many seconds, in ms."""
    ended: list[list[float]] = [[] for _ in range(math.ceil(seconds / every_s))]
    for line in log.read_text(encoding="ascii").splitlines() if log.exists() else ():
        step = json.loads(line)
        place = int((step["end_ns"] - begin_ns) / 1e9 // every_s)
        if 0 <= place < len(ended):
            ended[place].append(step["ms"])
    return [statistics.median(some) if some else math.nan for some in ended]


def _cell(value: float) -> str:
    return f"{'-' if math.isnan(value) else round(value):>{WIDTH}}"


def table(folder: pathlib.Path, reveal: pathlib.Path, every_s: float) -> str:
    """Of a run's folder. Rows that a fault touches are marked."""
    if not (folder / "truth.json").exists():
        raise LabError(f"{folder} is no run of a scenario: it has no truth.json")
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    patterns = [word for trace in TRACES for word in ("--channels", trace.metric)]
    tables = [run(reveal, "export", folder / f"host{host}", "--derived", *patterns) for host in range(truth["hosts"])]
    begin_ns = int(next(csv.DictReader(io.StringIO(tables[0])))["time_ns"])
    hosts = [binned(one, begin_ns, every_s, truth["seconds"]) for one in tables]
    spans = [((event["begin_ns"] - begin_ns) / 1e9, (event["end_ns"] - begin_ns) / 1e9) for event in truth["faults"]]
    out = [f"{truth['scenario']}: {truth['hosts']} hosts, {truth['seconds']:g} s"]
    out += [f"  * {event['fault']} {event['strength']:g} {FAULTS[event['fault']].unit} at host {event['host']}, "
            f"{since:.1f} to {until:.1f} s" for event, (since, until) in zip(truth["faults"], spans, strict=True)]
    width = WIDTH * len(hosts)
    out.append(" " * 16 + "".join(f"  {trace.heading:>{width}}" for trace in TRACES))
    names = "".join(f"{f'host{host}':>{WIDTH}}" for host in range(len(hosts)))
    out.append(f"{'from s':>8}{'step ms':>8}" + f"  {names}" * len(TRACES))
    for place, step in enumerate(steps(folder / "steps0.jsonl", begin_ns, every_s, truth["seconds"])):
        at = place * every_s
        mark = "*" if any(since < at + every_s and until > at for since, until in spans) else " "
        out.append(f"{mark}{at:7g}{'-' if math.isnan(step) else format(step, '.0f'):>8}" + "".join(
            "  " + "".join(_cell(host[trace.metric][place]) for host in hosts) for trace in TRACES))
    return "\n".join(out)
