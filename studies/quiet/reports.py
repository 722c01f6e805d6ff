"""What `reveal analyze` says of a recording, as far as the study needs it; kept, so that nothing is analyzed twice."""

import dataclasses
import hashlib
import json
import pathlib
import subprocess
import tempfile
from collections.abc import Iterable

import folders  # noqa: F401 first: it knows where the other studies are
from shell import LabError

S = 1_000_000_000
NICE = 15
RECORDED, PAST, SLOWDOWNS = "recorded", "as live", "slowdowns"
MODES = {RECORDED: (), PAST: ("--baseline", "past")}  # and what each adds to `reveal analyze`
SEGMENTS = "*.rvs"
PLAIN = ("claim", "subsystem", "severity", "severity_word", "severity_basis", "agreement", "by_chance", "at_start",
         "work_rate", "process", "culprit")


def program_hash(program: pathlib.Path) -> str:
    return hashlib.sha256(program.read_bytes()).hexdigest()[:16]


def recording_hash(recording: pathlib.Path) -> str:
    """Of names, sizes and times of its files: a recording that goes on is another one."""
    known = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in sorted(recording.glob(SEGMENTS))]
    return hashlib.sha256(repr(known).encode()).hexdigest()[:16]


def is_recording(folder: pathlib.Path) -> bool:
    return any(folder.glob(SEGMENTS))


def recordings_below(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted({file.parent for file in folder.rglob(SEGMENTS)})


def finding(fields: dict) -> dict:
    """Of a finding of report.json: when, what, how grave, and the stretch in which the job was slow."""
    return {"begin_ns": fields["begin"]["ns"], "end_ns": fields["end"]["ns"],
            "work_begin_ns": fields["work_begin"]["ns"], "work_end_ns": fields["work_end"]["ns"],
            **{name: fields.get(name) for name in PLAIN}}


def known_seconds(work: Iterable[dict]) -> float:
    """Seconds in which the work rate of any job is known. A rate is of a second."""
    known: set[int] = set()
    for job in work:
        for begin, rate in zip(job.get("begin_ns", ()), job.get("rate", ()), strict=True):
            if rate is not None:
                known.add(begin // S)
    return float(len(known))


def facts_of(report: dict) -> dict:
    """What the study needs of report.json."""
    run, analyzed = report["run"], report["analyzed"]
    return {"begin_ns": run["begin"]["ns"], "seconds": run["length_ns"] / S, "windows": analyzed["windows"],
            "by_chance": analyzed["findings_by_chance"], "findings": [finding(one) for one in report["findings"]],
            "changes": len(report["changes"]), "rate_known_s": known_seconds(report["work"]),
            "not_judged": [{"begin_ns": one["begin"]["ns"], "end_ns": one["end"]["ns"], "why": one["why"]}
                           for one in report["not_judged"]]}


def analyze(reveal: pathlib.Path, recording: pathlib.Path, mode: str) -> dict:
    """Runs the program. What it cannot analyze, such as a recording of a few seconds, has only `error`."""
    with tempfile.TemporaryDirectory(prefix="reveal_quiet_") as folder:
        words = [reveal, "analyze", "--json", "--no-html", "-o", folder, *MODES[mode], recording]
        done = subprocess.run(["nice", "-n", str(NICE), *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {"error": (done.stderr.strip() or done.stdout.strip()).splitlines()[-1]}
    return facts_of(json.loads(done.stdout))


def meter(work_rate: pathlib.Path, recording: pathlib.Path) -> dict:
    """All slowdowns that the work rate tells (studies/work_rate), those that no finding speaks of as well."""
    done = subprocess.run(["nice", "-n", str(NICE), work_rate, recording], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {"error": done.stderr.strip().splitlines()[-1]}
    jobs = json.loads(done.stdout).get("jobs", [])
    told = [{"begin_ns": one["begin_ns"], "end_ns": one["end_ns"], "rate": one["rate"], "job": job["job"]}
            for job in jobs for one in job["slowdowns"]]
    return {"slowdowns": sorted(told, key=lambda one: one["begin_ns"]), "rate_known_s": known_seconds(jobs)}


@dataclasses.dataclass(frozen=True)
class Kept:
    """The folder in which facts are kept, and the program that they are of: work_rate for slowdowns, else reveal."""
    folder: pathlib.Path
    program: pathlib.Path
    version: str  # a hash of the program

    @staticmethod
    def open(folder: pathlib.Path, program: pathlib.Path) -> "Kept":
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return Kept(folder, program, program_hash(program))
        except OSError as refused:
            raise LabError(f"cannot use {refused.filename}: {refused.strerror}") from refused

    def file(self, recording: pathlib.Path, mode: str) -> pathlib.Path:
        place = hashlib.sha256(f"{recording.resolve()} {mode}".encode()).hexdigest()[:16]
        return self.folder / f"{recording.name}-{place}.json"

    def facts(self, recording: pathlib.Path, mode: str) -> dict:
        """Those that are there if program and recording are the same, else of a new analysis."""
        file, key = self.file(recording, mode), {"program": self.version, "recording": recording_hash(recording)}
        if file.exists():
            kept = json.loads(file.read_text(encoding="utf-8"))
            if kept["of"] == key:
                return kept["facts"]
        facts = meter(self.program, recording) if mode == SLOWDOWNS else analyze(self.program, recording, mode)
        new = file.with_suffix(".new")
        new.write_text(json.dumps({"of": key, "path": str(recording), "mode": mode, "facts": facts}, indent=1) + "\n",
                       encoding="utf-8")
        new.rename(file)
        return facts
