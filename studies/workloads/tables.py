"""What a campaign gives, as Markdown: the figures beside the paper's, and its Tables 4 to 8."""

import argparse
import collections
import json
import pathlib
import statistics
import tempfile
from collections.abc import Iterable, Sequence

import figures
from figures import Campaign
from workloads import Workload, named

METHODS = ("default", "paper")
EXAMPLES = 6
SHORT = {"zscore": "Z", "pca_mahalanobis": "MAHA", "isolation_forest": "IF"}  # as the paper's Table 4 has them
# The paper's Table 8, and what the same is called here (docs/reference/metrics.md).
LOW_LEVEL = (
    ("cpu", "Bzy_MHz", "cpu_busy_frequency_hertz"), ("cpu", "stalls_l3_miss", "memory_l3_stall_cycles_total"),
    ("cpu", "PkgWatt", "cpu_package_power_watts"), ("cpu", "CoreTmp", "cpu_core_temperature_celsius"),
    ("cpu", "Pkg%pc6", "cpu_package_c6_ratio"), ("gpu", "power_draw", "gpu_power_watts"),
    ("gpu", "temperature_gpu", "gpu_temperature_celsius"), ("memory", "latency_gt_256", "memory_slow_loads_total"),
    ("network", "TcpRetransSegs", "network_tcp_retransmits_total"),
    ("storage", "time_spent_reading", "storage_read_seconds_total"), ("storage", "sectors_read", "storage_read_sectors_total"),
)


def markdown(title: str, header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [f"### {title}", "", f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows), ""])


def analyzed(of: Campaign, run: pathlib.Path, method: str) -> dict:
    """The report; the run's folder stays as it is."""
    with tempfile.TemporaryDirectory(prefix="reveal_suite_") as folder:
        return json.loads(of.printed("analyze", str(run), "--method", method, "--json", "--no-html", "-o", folder))


def reports(of: Campaign) -> dict[str, dict[str, list[dict]]]:
    """By method and workload, the reports of the runs that are long enough."""
    out = {}
    for method in METHODS:
        out[method] = {}
        for name, runs in of.runs.items():
            out[method][name] = []
            for run in runs:
                try:
                    out[method][name].append(analyzed(of, run, method))
                except figures.TooLittle:
                    continue
    return out


def pace(log: pathlib.Path, begin_ns: int, end_ns: int) -> float | None:
    """Steps a second, or whatever unit of work the job counts, between the first and the last line in that time."""
    steps = [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()]
    inside = [step for step in steps if begin_ns <= step["end_ns"] < end_ns]
    if len(inside) < 2:
        return None
    return sum(step.get("work", 1) for step in inside[1:]) / (inside[-1]["end_ns"] - inside[0]["end_ns"]) * 1e9


def paces(of: Campaign, name: str, found: list[dict]) -> str:
    known = [pace(run.parent / "steps0.jsonl", report["run"]["begin"]["ns"], report["run"]["end"]["ns"])
             for run, report in zip(of.runs[name], found, strict=False)]
    values = [value for value in known if value]
    if not values:
        return "-"
    deviation = statistics.pstdev(values) / statistics.mean(values)
    return f"{statistics.median(values):.3g}/s ± {100 * deviation:.0f} %"


def flagged(report: dict) -> set[int]:
    return {window for one in report["detectors"] for window in one["windows_flagged"]}


def results(of: Campaign, found: dict[str, dict[str, list[dict]]]) -> str:
    rows = []
    for name in of.runs:
        row = [name, len(of.runs[name]), paces(of, name, found["default"][name])]
        for method in METHODS:
            mine = found[method][name]
            windows = sum(len(report["windows"]["id"]) for report in mine)
            share = sum(len(flagged(report)) for report in mine) / windows if windows else None
            row += [sum(len(report["findings"]) for report in mine), figures.percent(share)]
        rows.append(row)
    rows.append(["all", sum(row[1] for row in rows), "", *(
        sum(row[3 + i] for row in rows) if i % 2 == 0 else "" for i in range(4))])
    return markdown("Workloads", ["workload", "runs", "work of rank 0", "findings, default", "flagged windows",
                                  "findings, paper's method", "flagged windows"], rows)


def table4(found: dict[str, list[dict]]) -> str:
    """The gravest finding of a run, the first window of it, of each of a few workloads."""
    rows = []
    for name, mine in found.items():
        finding = next((report["findings"][0] for report in mine if report["findings"]), None)
        if finding is None or len(rows) == EXAMPLES:
            continue
        window = finding["windows"][0]
        methods = ", ".join(SHORT.get(one["name"], one["name"]) for one in window["detectors"])
        lead = finding["evidence"][0]
        rows.append((name, f"{window['id']} / {window['begin']['utc'][11:19]}", methods, finding["subsystem"],
                     f"{lead['channel']} {lead['feature']}", finding["claim"]))
    return markdown("Table 4: findings of the paper's method, one of each of the first workloads that have some",
                    ["workload", "window / time", "methods", "subsystem", "main reason", "claim"], rows)


def tables5to7(chosen: Sequence[Workload]) -> str:
    rows = [(one.name, one.family, one.model, one.task, one.paper or "-", one.optimizer or "-", one.batch or "-", one.ranks)
            for one in chosen]
    return markdown("Tables 5 to 7: workloads and their settings",
                    ["workload", "family", "model or data", "task", "next to it in the paper", "optimizer", "batch", "ranks"],
                    rows)


def table8(of: Campaign) -> str:
    varying = collections.Counter(row["channel"].split("{")[0]
                                  for row in of.study("variance", *of.words())["tables"]["channels"])
    try:
        evidence = {row["metric"]: row["share_of_seconds"] for row in of.study("patterns", *of.paths())["tables"]["metrics"]}
    except figures.TooLittle:
        evidence = {}
    rows = [(subsystem, theirs, f"`{ours}`", varying[ours] or "none: not on this host, or it never changed",
             figures.percent(evidence.get(ours, 0.0))) for subsystem, theirs, ours in LOW_LEVEL]
    return markdown("Table 8: low-level metrics", ["subsystem", "paper", "here", "channels that vary",
                                                   "share of the anomalous time in which it is evidence"], rows)


def conditions(of: Campaign) -> str:
    jobs = [json.loads((run.parent / "job.json").read_text(encoding="ascii")) for runs in of.runs.values() for run in runs]
    loads = [job["load_before"] for job in jobs]
    lengths = sorted({job["seconds"] for job in jobs})
    groups = sorted({job["environment"] for job in jobs})
    return (f"{len(jobs)} runs of {len(of.runs)} workloads, {', '.join(f'{length:g}' for length in lengths)} s each; "
            f"{', '.join(groups)}; load of the machine before a run: {figures.spread(loads, figures.digits)}.")


def everything(options: argparse.Namespace) -> str:
    chosen = named(options.only)
    of = figures.campaign_of(options.out, options.reveal, chosen)
    if not of.runs:
        raise ValueError(f"{options.out} has no finished run; `suite.py record` makes them")
    found = reports(of)
    ran = [one for one in chosen if one.name in of.runs]
    return "\n".join([conditions(of) + "\n", results(of, found),
                      markdown("Studies", ["paper", "what", "paper's figure", "here"], figures.all_rows(of)),
                      table4(found["paper"]), tables5to7(ran), table8(of)])
