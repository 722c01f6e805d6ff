"""The paper's studies on the recordings of a campaign: one row a question, with the paper's figure and the one here.

Each function takes the campaign and returns rows (paper's place, what is asked, paper, here). What needs more runs than
there are says so in place of a figure.
"""

import collections
import dataclasses
import json
import pathlib
import re
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterable

from workloads import Workload

Row = tuple[str, str, str, str]
ENOUGH_RUNS = 6  # with five, the Wilcoxon test has no p below .05
PAIRS = ("3 s / 1 s vs. 1.5 s / 0.5 s", "3 s / 1 s vs. 5 s / 2 s", "1.5 s / 0.5 s vs. 5 s / 2 s")


class TooLittle(Exception):
    """What a study needs more of."""


@dataclasses.dataclass
class Campaign:
    reveal: pathlib.Path
    runs: dict[str, list[pathlib.Path]]  # recordings, by workload

    def words(self, names: Iterable[str] = ()) -> list[str]:
        return [f"{name}={run}" for name in names or self.runs for run in self.runs[name]]

    def paths(self) -> list[str]:
        return [str(run) for runs in self.runs.values() for run in runs]

    def printed(self, *words: str) -> str:
        done = subprocess.run([str(self.reveal), *words], capture_output=True, text=True, check=False)
        if done.returncode == 3:  # docs/exit_status.md
            raise TooLittle(done.stderr.strip().splitlines()[-1].removeprefix("reveal: "))
        if done.returncode != 0:
            raise SystemExit(f"suite.py: reveal {words[0]} {words[1]}: {done.stderr.strip()}")
        return done.stdout

    def study(self, name: str, *words: str) -> dict:
        return json.loads(self.printed("study", name, *words, "--json"))


def campaign_of(out: pathlib.Path, reveal: pathlib.Path, chosen: Iterable[Workload]) -> Campaign:
    """All finished runs; of a workload in the order of their numbers."""
    runs = {}
    for what in chosen:
        done = [path.parent for path in (out / what.name).glob("*/job.json") if path.parent.name.isdigit()]
        if done:
            runs[what.name] = [path / "host0" for path in sorted(done, key=lambda path: int(path.name))]
    return Campaign(reveal, runs)


def percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"


def digits(value: float | None) -> str:
    """Two of them, as the paper has them."""
    return "-" if value is None else re.sub(r"^(-?)0\.", r"\1.", f"{value:.2f}")


def spread(values: list[float], shown: Callable[[float], str]) -> str:
    """The median, and the range if there is one."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return "-"
    middle = shown(statistics.median(known))
    return middle if len(known) == 1 else f"{middle} ({shown(known[0])} to {shown(known[-1])})"


def pruning(of: Campaign) -> list[Row]:
    kept, r_of_kept, r2 = [], [], []
    for name in of.runs:
        rows = of.study("pruning", *map(str, of.runs[name]))["tables"]["thresholds"]
        at = min(rows, key=lambda row: abs(row["threshold"] - 0.5))
        kept.append(at["share_kept"])
        r_of_kept.append(at["mean_max_r_of_kept"])
        r2.append(at["multiple_r2_of_removed"])
    place = "Figure 4, at \\|r\\| = .5"
    return [(place, "channels kept, of those that vary, by workload", "60 %", spread(kept, percent)),
            (place, "mean largest \\|r\\| of the kept", "above .8", spread(r_of_kept, digits)),
            (place, "multiple R² of the removed", "saturated", spread(r2, digits))]


def select(of: Campaign) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="reveal_suite_") as folder:
        plan_path = pathlib.Path(folder) / "plan.json"
        of.printed("select", *of.words(), "-o", str(plan_path))
        clusters = json.loads(plan_path.read_text(encoding="utf-8"))["clusters"]
    kept, varying = len(clusters), sum(1 + len(one["members"]) for one in clusters)
    return [("section 4.1", "channels that any workload keeps", "60 %; 150 are published",
             f"{kept} of {varying} ({percent(kept / varying)})")]


def reproducibility(of: Campaign) -> list[Row]:
    zero, agree = [], []
    for name, runs in of.runs.items():
        if len(runs) >= ENOUGH_RUNS:
            all_of_it = of.study("reproducibility", *map(str, runs))["tables"]["subsystems"][0]
            zero.append(all_of_it["share_by_distance"])
            agree.append(all_of_it["share_that_agree"])
    if not zero:
        return [("section 5.4", "pairs of workload and metric that repeat", "99.75 %",
                 f"not said: no workload has {ENOUGH_RUNS} runs")]
    of_how_many = f"{len(zero)} of {len(of.runs)} workloads with {ENOUGH_RUNS} runs"
    return [("section 5.4", f"channels that repeat, by the plain reading ({of_how_many})", "99.75 %", spread(zero, percent)),
            ("section 5.4", "the same, by a test that runs can fail", "", spread(agree, percent))]


def filters(of: Campaign) -> list[Row]:
    cv = of.study("cv", *of.words())["tables"]["workloads"]
    parts = of.study("variance", *of.words())["tables"]["subsystems"][0]
    anova = of.study("anova", *of.words())["tables"]["subsystems"][0]
    return [
        ("appendix G.2", "coefficient of variation from run to run, the median channel's, by workload", "",
         spread([row["median_cv"] for row in cv], digits)),
        ("appendix G.2", "channels with one below .1, by workload", "", spread([row["share_steady"] for row in cv], percent)),
        ("appendix G.2", "variance within runs, between runs, between workloads", "", ", ".join(
            percent(parts[key]) for key in ("within_runs", "between_runs", "between_workloads"))),
        ("appendix G.2", "channels that tell workloads apart (ANOVA, p < .05)", "",
         f"{percent(anova['share_significant'])} of {anova['tested']:.0f}; median eta² {digits(anova['median_eta2'])}"),
    ]


def granularity(of: Campaign) -> list[Row]:
    paper = {("by count", PAIRS[0]): (".92", "1.00"), ("by count", PAIRS[1]): (".75", ".78"),
             ("by count", PAIRS[2]): (".67", ".68"), ("by length", PAIRS[0]): (".72", ".74"),
             ("by length", PAIRS[1]): (".72", ".74"), ("by length", PAIRS[2]): (".66", ".67"),
             ("IoU", PAIRS[0]): (None, ".50"), ("IoU", PAIRS[1]): (None, ".53"), ("IoU", PAIRS[2]): (None, ".39")}
    out = []
    for words, method in (([], "default"), (["--method", "paper"], "paper")):
        rows = {(row["measure"], row["pair"]): row for row in of.study("granularity", *of.paths(), *words)["tables"]["pairs"]}
        for key, (mean, median) in paper.items():
            row = rows[key]
            out.append((f"Table 2, {key[0]}" if mean else "section 5.5, IoU", f"{key[1]}, mean and median; method {method}",
                        ", ".join(value for value in (mean, median) if value),
                        f"{digits(row['mean'])}, {digits(row['median'])} ({row['runs']:.0f} runs)"))
    return out


def blame(of: Campaign) -> list[Row]:
    out = []
    for words, method in (([], "default"), (["--method", "paper"], "paper")):
        shares = {row["subsystem"]: row["share_of_evidence"]
                  for row in of.study("patterns", *of.paths(), *words)["tables"]["subsystems"]}
        said = ", ".join(f"{name} {percent(share)}" for name, share in shares.items())
        out.append(("section 5.6", f"features in anomalous windows, by subsystem; method {method}", "cpu over 50 %", said or "-"))
        windows = of.study("causes", *of.paths(), *words)["tables"]["windows"]
        causes = collections.Counter((one["recording"], one["window"]) for one in windows)
        said = f"{statistics.median(causes.values()):.0f} of {len(causes)} windows" if causes else "-"
        out.append(("Figure 3", f"causes of an anomalous window, the median; method {method}", "several", said))
    return out


def storage(of: Campaign) -> list[Row]:
    rows = of.study("storage", *of.paths())["tables"]["recordings"]
    return [("section 5.3", "KB/s on the disk", "42 to 43", spread([row["bytes_per_second"] / 1e3 for row in rows], digits)),
            ("section 5.3", "bytes a sample", "6", spread([row["bytes_per_sample"] for row in rows], digits))]


def embedding(of: Campaign) -> list[Row]:
    found = of.study("embedding", *of.paths())["tables"]
    whole = found["quality"][0]
    return [("appendix G.2", "trustworthiness of t-SNE (of principal components)", "",
             f"{digits(whole['trustworthiness'])} ({digits(whole['trustworthiness_of_pca'])}), {whole['windows']:.0f} windows"),
            ("appendix G.2", "of a window's five nearest, those of its own run (by chance)", "",
             f"{spread([row['neighbors_of_same'] for row in found['recordings']], percent)}; "
             f"{percent(found['recordings'][0]['by_chance'])}")]


def impact(of: Campaign) -> list[Row]:
    """The first half of each workload's runs before, the second after: nothing was changed between them."""
    before, after = [], []
    for runs in of.runs.values():
        middle = len(runs) // 2
        before += map(str, runs[:middle])
        after += map(str, runs[middle:2 * middle])
    if not before:
        return [("section 6", "shares before and after", "3.82, 1.17 %", "not said: each workload has one run")]
    found = of.study("impact", *before, *(word for run in after for word in ("--after", run)))["tables"]
    row = next(row for row in found["windows"] if row["windows"] == "in a finding")
    clear = sum(row["direction"] != "not clear" for row in found["metrics"])
    return [("section 6", "windows in a finding, before and after (nothing was changed)", "",
             f"{percent(row['before'])}, {percent(row['after'])}: {row['direction']}"),
            ("section 6", "metrics whose share is clearly another one", "", f"{clear} of {len(found['metrics'])}")]


STUDIES = (pruning, select, reproducibility, filters, granularity, blame, storage, embedding, impact)


def all_rows(of: Campaign) -> list[Row]:
    out = []
    for study in STUDIES:
        try:
            out += study(of)
        except TooLittle as little:
            out.append(("", study.__name__, "", f"not said: {little}"))
    return out
