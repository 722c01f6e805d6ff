"""How a metric of Reveal compares with nvidia-smi's: by phase of the load, the medians of its last seconds."""

import csv
import dataclasses
import datetime
import json
import pathlib
import statistics
from collections.abc import Iterable

from check_fields import FIELDS, MIB, Field, number

LAST_S = 4.0  # of a phase: by then what is read every ten seconds was read in it
TIME = "%Y/%m/%d %H:%M:%S.%f"

Series = list[tuple[int, float]]


@dataclasses.dataclass(frozen=True)
class Verdict:
    field: str
    metric: str
    word: str  # pass, FAIL, neither, only Reveal
    why: str


def whole(text: str) -> int | None:
    value = number(text)
    return None if value is None else int(value)


def lines_of(path: pathlib.Path) -> list[dict]:
    """The objects of a file to which somebody may still write."""
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines() if line.endswith("}")]


def smi_series(path: pathlib.Path) -> dict[str, Series]:
    """By field: wall clock and number, where there was one. nvidia-smi tells the host's local time."""
    out: dict[str, Series] = {}
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        rows = csv.reader(file, skipinitialspace=True)
        names = [name.split(" [")[0] for name in next(rows)]
        for row in rows:
            if len(row) != len(names):
                continue  # the last one may be cut off
            try:
                at_ns = int(datetime.datetime.strptime(row[0], TIME).timestamp() * 1e9)
            except ValueError:
                continue
            for name, text in zip(names[2:], row[2:], strict=True):
                if (value := number(text)) is not None:
                    out.setdefault(name, []).append((at_ns, value))
    return out


def bus_id(path: pathlib.Path) -> str:
    """Of the GPU that nvidia-smi told of, as Reveal writes it: its domain has four digits."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        rows = csv.reader(file, skipinitialspace=True)
        next(rows)
        domain, rest = next(rows)[1].lower().split(":", 1)
    return f"{domain[-4:]}:{rest}"


def reveal_series(path: pathlib.Path, gpu: str) -> dict[str, Series]:
    out: dict[str, Series] = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["value"] and row["validity"] != "missing" and row["instance"] == f"gpu={gpu}":
                out.setdefault(row["metric"], []).append((int(row["time_ns"]), float(row["value"])))
    return out


def median_in(series: Series, begin_ns: int, end_ns: int) -> float | None:
    values = [value for at_ns, value in series if begin_ns <= at_ns <= end_ns]
    return statistics.median(values) if values else None


def mean_in(series: Series, begin_ns: int, end_ns: int) -> float | None:
    values = [value for at_ns, value in series if begin_ns <= at_ns <= end_ns]
    return statistics.fmean(values) if values else None


def agrees(field: Field, theirs: float, ours: float) -> bool:
    return abs(theirs - ours) <= max(field.apart, field.share * max(abs(theirs), abs(ours)), 1e-9)


def compare(field: Field, theirs: Series, ours: Series, phases: Iterable[dict]) -> Verdict:
    """A flag is compared by the share of time that it is set, anything else by its median."""
    what = mean_in if field.name.startswith("clocks_event_reasons.") else median_in
    scale = field.raw_scale or 1.0
    said, failed = [], False
    for phase in phases:
        end_ns = phase["end_ns"]
        begin_ns = max(phase["begin_ns"], end_ns - int(LAST_S * 1e9))
        a, b = what(theirs, begin_ns, end_ns), what(ours, begin_ns, end_ns)
        if a is None and b is None:
            continue
        if a is None or b is None:
            failed = True
            said.append(f"{phase['phase']}: only {'Reveal' if a is None else 'nvidia-smi'} has a number")
            continue
        a, b = a * field.scale, b * scale
        good = agrees(field, a, b)
        failed |= not good
        said.append(f"{phase['phase']} {a:.6g}{' ' if good else ' but '}{b:.6g}")
    return Verdict(field.name, field.metric, "FAIL" if failed else "pass", "; ".join(said))


def verdict(field: Field, theirs: Series, ours: Series, phases: list[dict]) -> Verdict:
    if not theirs and not ours:
        return Verdict(field.name, field.metric, "neither", "")
    if not ours:
        return Verdict(field.name, field.metric, "FAIL", f"only nvidia-smi has it: {theirs[-1][1] * field.scale:.6g}")
    if not theirs:
        return Verdict(field.name, field.metric, "only Reveal", f"{ours[-1][1] * (field.raw_scale or 1.0):.6g}")
    return compare(field, theirs, ours, phases)


PROCESSES = Field("compute-apps: number", "gpu_compute_processes")
PROCESS_MEMORY = Field("compute-apps: used_memory", "gpu_process_memory_bytes", MIB, apart=2 * MIB)


def process_series(path: pathlib.Path) -> tuple[Series, Series]:
    counts, memory = [], []
    for line in lines_of(path):
        counts.append((line["at_ns"], float(line["processes"])))
        if None not in line["mib"]:
            memory.append((line["at_ns"], float(sum(line["mib"]))))
    return counts, memory


def energy(ours: dict[str, Series], raw: dict[str, Series], phases: list[dict]) -> Verdict:
    """The energy that was counted against the power that was told, over all phases."""
    name, metric = "power.draw.instant over time", "gpu_energy_joules_total"
    counted = raw.get(metric, [])
    if len(counted) < 2:
        return Verdict(name, metric, "neither", "")
    steps = [(at, value) for i, (at, value) in enumerate(counted) if i == 0 or value != counted[i - 1][1]][1:]
    inside = [(at, value) for at, value in steps if phases[0]["begin_ns"] <= at <= phases[-1]["end_ns"]]
    if len(inside) < 2:
        return Verdict(name, metric, "neither", "fewer than two readings")
    (begin_ns, first), (end_ns, last) = inside[0], inside[-1]
    watts = (last - first) * 1e-3 / ((end_ns - begin_ns) * 1e-9)
    told = mean_in(ours.get("gpu_power_watts", []), begin_ns, end_ns)
    good = told is not None and abs(told - watts) <= 0.08 * max(told, watts)
    return Verdict(name, metric, "pass" if good else "FAIL", f"{told or 0:.6g} W {'' if good else 'but '}{watts:.6g} W")


def score(out: pathlib.Path) -> list[Verdict]:
    phases = lines_of(out / "phases.jsonl")
    gpu = bus_id(out / "smi.csv")
    theirs = smi_series(out / "smi.csv")
    derived, raw = reveal_series(out / "derived.csv", gpu), reveal_series(out / "raw.csv", gpu)
    rows = [verdict(field, theirs.get(field.name, []), (raw if field.raw_scale else derived).get(field.metric, []), phases)
            for field in FIELDS]
    counts, memory = process_series(out / "processes.jsonl")
    rows.append(verdict(PROCESSES, counts, derived.get(PROCESSES.metric, []), phases))
    rows.append(verdict(PROCESS_MEMORY, memory, derived.get(PROCESS_MEMORY.metric, []), phases))
    rows.append(energy(derived, raw, phases))
    return rows


def print_score(out: pathlib.Path) -> int:
    """Prints a line for each metric, and returns how many failed."""
    rows = score(out)
    for row in rows:
        print(f"{row.word:11s} {row.metric:42s} {row.field:48s} {row.why}")
    counted = {word: sum(row.word == word for row in rows) for word in ("pass", "FAIL", "only Reveal", "neither")}
    print(", ".join(f"{count} {word}" for word, count in counted.items()))
    return counted["FAIL"]
