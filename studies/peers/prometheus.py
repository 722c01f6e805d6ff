"""Whether Reveal finds in a Prometheus' samples of a node_exporter what was done to the host.

    prometheus.py run OUT --reveal BINARY
    prometheus.py score OUT --reveal BINARY

`run` has a real Prometheus ask a real node_exporter each second, with the settings that both have by themselves, while
processes take every core for 20 s, and later read and write past the page cache for 20 s. Then it asks Prometheus for
the samples as docs/how_to/exchange.md says; `score` imports and analyzes them, and fails unless each disturbance is
found, in its subsystem, and nothing else is. For a machine that does nothing else, some four minutes.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Sequence

import programs
from programs import PATIENCE_S, STUDIES

sys.path.insert(0, str(STUDIES / "lab"))

from shell import LabError, run, run_as  # noqa: E402 after the folder is known

S = 1_000_000_000
WARM_S = 10  # until all are up
QUIET_S = 80  # before the first, and for each a while after it
BETWEEN_S, AFTER_S = 60, 50
LONG_S = 20
MARGIN_S = 10.0  # a window of 10 ticks of 1 s
FILE_MIB = 512

CONFIGURATION = """
global: {{scrape_interval: 1s}}
scrape_configs:
  - job_name: node
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


@dataclasses.dataclass(frozen=True)
class Disturbance:
    name: str
    subsystem: str
    kind: str  # of studies/trial/culprits.py
    processes: int


DISTURBANCES = (Disturbance("cpu", "cpu", "spin", 2 * (os.cpu_count() or 1)),
                Disturbance("disk", "storage", "random_io", 4))


def disturb(one: Disturbance, out: pathlib.Path, seconds: float) -> dict:
    """Returns what was done, with its times."""
    words = {"spin": "-", "random_io": str(out / "scratch")}[one.kind]
    begin = time.time_ns()
    culprit = subprocess.Popen(
        [sys.executable, "-B", STUDIES / "trial" / "culprits.py", f"peers_{one.name}", out / f"stamp_{one.name}", one.kind,
         str(one.processes), words], start_new_session=True)
    time.sleep(seconds)
    if culprit.poll() is not None:
        raise LabError(f"{one.name}: the disturbance ended by itself, with status {culprit.returncode}")
    os.killpg(culprit.pid, signal.SIGKILL)
    culprit.wait()
    return {"name": one.name, "subsystem": one.subsystem, "begin_ns": begin, "end_ns": time.time_ns()}


def samples(url: str, instance: str, begin_s: float, end_s: float) -> bytes:
    words = urllib.parse.urlencode({"query": f'{{instance="{instance}"}}', "start": f"{begin_s:.3f}",
                                    "end": f"{end_s:.3f}", "step": "1s"})
    with urllib.request.urlopen(f"{url}/api/v1/query_range?{words}", timeout=6 * PATIENCE_S) as answer:
        return answer.read()


def record(out: pathlib.Path) -> None:
    out.mkdir(parents=True)
    run("dd", "if=/dev/zero", f"of={out / 'scratch'}", "bs=1M", f"count={FILE_MIB}", "conv=fsync")
    program = programs.find("prometheus")
    if program is None:
        raise LabError("prometheus is not there; `make deps-peers` unpacks it")
    with programs.node_exporter(out / "node_exporter.log", []) as exporter:
        (out / "prometheus.yml").write_text(CONFIGURATION.format(port=exporter.port), encoding="ascii")
        port = programs.free_port()
        with programs.Server([program, f"--config.file={out}/prometheus.yml", f"--storage.tsdb.path={out}/tsdb",
                              f"--web.listen-address=127.0.0.1:{port}"], port, out / "prometheus.log", "/-/ready") as server:
            time.sleep(WARM_S)
            begin = time.time()
            truth = disturbances(out)
            (out / "truth.json").write_text(json.dumps(truth, indent=1), encoding="ascii")
            (out / "node.json").write_bytes(samples(server.url, f"127.0.0.1:{exporter.port}", begin, time.time()))
    (out / "scratch").unlink()


def disturbances(out: pathlib.Path) -> list[dict]:
    time.sleep(QUIET_S)
    truth = []
    for i, one in enumerate(DISTURBANCES):
        truth.append(disturb(one, out, LONG_S))
        time.sleep(AFTER_S if i + 1 == len(DISTURBANCES) else BETWEEN_S)
    return truth


def overlap_s(finding: dict, truth: dict) -> float:
    return (min(finding["end"]["ns"], truth["end_ns"]) - max(finding["begin"]["ns"], truth["begin_ns"])) / S


def lines_of(truth: Sequence[dict], findings: Sequence[dict]) -> tuple[list[str], bool]:
    """What is said of each disturbance and of each finding that is none's, and whether all is as it should be."""
    out, right = [], True
    for one in truth:
        mine = [finding for finding in findings if overlap_s(finding, one) > 0]
        best = max(mine, key=lambda finding: overlap_s(finding, one), default=None)
        if best is None:
            out.append(f"{one['name']}: not found")
            right = False
            continue
        right = right and best["subsystem"] == one["subsystem"]
        begin, end = ((best[which]["ns"] - one[f"{which}_ns"]) / S for which in ("begin", "end"))
        out.append(f"{one['name']}: found in {best['subsystem']}, begin {begin:+.1f} s, end {end:+.1f} s: {best['claim']}")
    for finding in findings:
        if all(overlap_s(finding, one) <= -MARGIN_S for one in truth):
            out.append(f"of no disturbance: {finding['subsystem']}: {finding['claim']}")
            right = False
    return out, right


def score(out: pathlib.Path, reveal: pathlib.Path) -> bool:
    truth = json.loads((out / "truth.json").read_text(encoding="ascii"))
    run("rm", "-rf", out / "imported")
    run(reveal, "import", out / "node.json", "-o", out / "imported")
    (out / "report").mkdir(exist_ok=True)
    run(reveal, "analyze", out / "imported", "-o", out / "report", "--no-html")
    report = json.loads((out / "report" / "report.json").read_text(encoding="utf-8"))
    lines, right = lines_of(truth, report["findings"])
    print("\n".join(lines))
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("act", choices=("run", "score"))
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reveal", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    out = arguments.out.resolve()

    def act() -> None:
        if arguments.act == "run":
            record(out)
        sys.exit(0 if score(out, arguments.reveal.resolve()) else 1)

    run_as("prometheus", act)


if __name__ == "__main__":
    main()
