"""A fleet of real agents on one machine, with real training, a real broker, a real analyser, and disturbances.

    agents.py run OUT --reveal REVEAL [--nats NATS_SERVER] [--tools DIR] [--hosts TRAIN,LOAD,SERVE] [--gpu]
                  [--seconds S] [--seed N] [--work DIR] [--only KIND...]
    agents.py score OUT

Needs root, network namespaces, control groups (version 1 or 2), a Python with torch, and the programs nats-server, ip,
tc, nft, ethtool and openssl, which --tools may have: programs in DIR, or DIR/bin, come first, and DIR/lib has their
libraries. Each host is of a network, control groups, processes and a name of its own. OUT gets truth.json (hosts,
disturbances as they were, cost, notes), incidents.jsonl, findings.json, steps.json.gz, logs and the analyser's
database. What hosts need meanwhile is in a temporary folder, or in --work. docs/fleet_study.md has more.
"""

import argparse
import contextlib
import gzip
import json
import os
import pathlib
import platform
import shutil
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lab"))

import center  # noqa: E402 after the lab's folder is known
import disturb  # noqa: E402
import fleet_score  # noqa: E402
import groups  # noqa: E402
import network  # noqa: E402
import schedule  # noqa: E402
import wires  # noqa: E402
from fleet_host import Host  # noqa: E402
from shell import LabError, make_folder, run, run_as  # noqa: E402

LAB, GPU = HERE.parent / "lab", HERE.parent / "gpu"
MODEL, BATCH, READ_KIB = "cnn", 8, 256
DISK_MIB, CACHED_MIB = 64, 16
CORES = 1.0  # of a host's work, except the GPU's
TICKS = os.sysconf("SC_CLK_TCK")
LIBRARIES = os.environ.get("LD_LIBRARY_PATH")
LOG_TAIL = 4000
STEP_PATIENCE_S = 75


def use_tools(folder: pathlib.Path | None) -> None:
    """For all programs but the jobs, whose Python has libraries of its own."""
    if folder is None:
        return
    folder = folder.resolve()
    os.environ["PATH"] = os.pathsep.join([str(folder / "bin"), str(folder), os.environ.get("PATH", "")])
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join([str(folder / "lib"), *([LIBRARIES] if LIBRARIES else [])])


def device_of(path: pathlib.Path) -> str:
    """The disk that has the file, as control groups name it. Limits are of whole disks, not of their parts."""
    number = path.stat().st_dev
    entry = pathlib.Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    if not entry.exists():
        return ""
    whole = entry.resolve().parent if (entry / "partition").exists() else entry
    return (whole / "dev").read_text(encoding="ascii").strip()


def make_file(path: pathlib.Path, mebibytes: int) -> None:
    """It is not in the page cache afterwards: who reads it first is charged for it."""
    with open(path, "wb") as out:
        for _ in range(mebibytes):
            out.write(os.urandom(1 << 20))
        out.flush()
        os.fsync(out.fileno())
        os.posix_fadvise(out.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def make_disk(work: pathlib.Path, stack: contextlib.ExitStack) -> tuple[pathlib.Path, str]:
    """What jobs read past the page cache, and its device: a file on the machine's disk, or a device of its own if the
    file system is on none."""
    data = work / "data"
    make_file(data, DISK_MIB)
    if device := device_of(data):
        return data, device
    loop = pathlib.Path(run("losetup", "--find", "--show", data).strip())
    stack.callback(run, "losetup", "-d", loop)
    return loop, (pathlib.Path("/sys/block") / loop.name / "dev").read_text(encoding="ascii").strip()


def start_work(job: schedule.Job, hosts: list[Host], disk: pathlib.Path, options: argparse.Namespace) -> None:
    """Starts the job's program on each of its hosts."""
    first = job.hosts[0]
    for place, number in enumerate(job.hosts):
        host = hosts[number]
        log = host.folder / "steps.jsonl"
        following = network.address(job.hosts[(place + 1) % len(job.hosts)])
        if job.name == "train":
            words = [LAB / "train.py", place, len(job.hosts), network.address(first), MODEL, BATCH, log, "--data", disk,
                     "--read", READ_KIB, "--rest", options.rest]
        elif job.name == "gpu":
            words = [GPU / "train.py", "transformer", log, *["--small"] * options.small]
        elif job.name == "serve":
            words = [HERE / "jobs.py", "serve", following, disk, log, options.rest]
        elif place == schedule.STORE:
            words = [HERE / "jobs.py", "store", disk, log]
        else:
            cached = host.folder / "cached"
            make_file(cached, CACHED_MIB)
            words = [HERE / "jobs.py", "load", network.address(first), disk, cached, log, options.rest]
        hidden = {} if job.name == "gpu" else {"CUDA_VISIBLE_DEVICES": ""}
        if options.tools:
            hidden["LD_LIBRARY_PATH"] = LIBRARIES or ""
        host.start("job", [sys.executable, "-B", *words], groups.JOB, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
                   **hidden)


def write_json(path: pathlib.Path, what: object) -> None:
    new = path.with_name(f"{path.name}.new")
    new.write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")
    new.rename(path)


class Run:
    """One run: what it knows is written to OUT as it comes."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.out = options, options.out.resolve()
        self.begin = time.monotonic()
        self.jobs = schedule.jobs(*options.hosts, options.gpu)
        self.hosts: list[Host] = []
        self.notes: list[str] = []
        self.faults: list[dict] = []
        self.truth: dict = {"seed": options.seed, "cpus": os.cpu_count(), "kernel": platform.release(),
                            "notes": self.notes, "faults": self.faults}
        self._writing = threading.Lock()

    def write(self) -> None:
        with self._writing:
            write_json(self.out / "truth.json", self.truth)

    def say(self, text: str) -> None:
        print(f"{time.monotonic() - self.begin:6.1f} s: {text}", flush=True)

    def start_hosts(self, work: pathlib.Path, disk: pathlib.Path, device: str) -> None:
        roles = {number: job.name for job in self.jobs for number in job.hosts}
        self.hosts += [Host(number, role, work) for number, role in sorted(roles.items())]
        for host in self.hosts:
            host.device = device
            for note in host.wait() + host.groups.enable():
                self.note_of(host, note)
            if host.role != "gpu":
                self.limit_work(host)
            host.start_agent(self.options.reveal, sees_gpu=host.role == "gpu")
        for job in self.jobs:
            start_work(job, self.hosts, disk, self.options)
        self.truth["hosts"] = [{"name": host.name, "job": host.role} for host in self.hosts]

    def note_of(self, host: Host, note: str) -> None:
        """Many hosts lack the same."""
        same = next((place for place, known in enumerate(self.notes) if known.endswith(f": {note}")), None)
        if same is None:
            self.notes.append(f"{host.name}: {note}")
        elif not self.notes[same].startswith(host.name):
            self.notes[same] = f"{host.name} {self.notes[same]}"

    def limit_work(self, host: Host) -> None:
        try:
            host.groups.limit_cpu(groups.WORK, CORES)
        except LabError as refused:
            self.note_of(host, f"no limit of its work: {refused.__cause__.strerror if refused.__cause__ else refused}")

    def wait_for_steps(self) -> None:
        """Those whose work does not come to a step are told, and the others go on."""
        until = time.monotonic() + STEP_PATIENCE_S
        while waited := [host.name for host in self.hosts if not steps_of(host.folder)]:
            if time.monotonic() > until:
                self.notes.append(f"no step in {STEP_PATIENCE_S} s on {', '.join(waited)}; logs.txt may say why")
                return
            time.sleep(0.5)

    def possible(self) -> frozenset[str]:
        """What can be put on here, tried on the last host of each job."""
        out, tried = set(self.options.only or schedule.KINDS), set()
        for job in reversed(self.jobs):
            kinds = tuple(kind for kind in job.kinds if kind in out - tried and kind != "gpu_neighbor")
            tried |= set(kinds)
            works = disturb.possible(self.hosts[job.hosts[-1]], kinds, self.notes)
            out -= set(kinds) - works
        return frozenset(out)

    def disturb(self, job: schedule.Job, plan: list[dict], begin: float) -> None:
        """The job's disturbances, one after another."""
        for fault in plan:
            time.sleep(max(0.0, begin + fault["at_s"] - time.monotonic()))
            host = self.hosts[fault["host"]]
            done = fault | {"name": host.name}
            try:
                with disturb.KINDS[fault["kind"]](host) as strength:
                    done |= {"strength": strength, "begin_ns": time.time_ns()}
                    self.say(f"{job.name}: {fault['kind']} on {host.name}: {strength}")
                    time.sleep(fault["until_s"] - fault["at_s"])
                    done["end_ns"] = time.time_ns()
                self.faults.append(done)
                self.write()
            except (LabError, OSError) as refused:
                self.notes.append(f"{fault['kind']} on {host.name} failed: {refused}")

    def cost(self, broker: center.Broker, analyser: center.Analyser) -> dict:
        """Used so far, since each was started."""
        agents = 0.0
        for host in self.hosts:
            agents += host.groups.cpu_seconds("/agent")
        return {"at_ns": time.time_ns(), "agents_cpu_s": agents, "broker_cpu_s": cpu_of(broker.process.pid),
                "analyser_cpu_s": cpu_of(analyser.process.pid), "machine_busy_s": machine_busy(), **broker.counts()}


def cpu_of(pid: int) -> float:
    words = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS


def machine_busy() -> float:
    words = [int(word) for word in pathlib.Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]
    return (sum(words) - words[3] - words[4]) / TICKS


def steps_of(folder: pathlib.Path) -> list[list]:
    """Of all logs of the host's work: [log, end in ns, ms or null]."""
    out = []
    for place, path in enumerate(sorted(folder.glob("steps.jsonl*"))):
        for line in path.read_text(encoding="ascii").splitlines(keepends=True):
            if line.endswith("\n"):
                step = json.loads(line)
                out.append([place, step["end_ns"], step.get("ms")])
    return out


def keep_results(fleet: Run, work: pathlib.Path, analyser: center.Analyser, findings: list[dict]) -> None:
    write_json(fleet.out / "findings.json", findings)
    with gzip.open(fleet.out / "steps.json.gz", "wt", encoding="ascii", compresslevel=5) as out:
        json.dump({host.name: steps_of(host.folder) for host in fleet.hosts}, out)
    with open(fleet.out / "logs.txt", "w", encoding="utf-8") as out:
        for path in [work / "broker.log", *sorted(work.glob("n*/*.log"))]:
            out.write(f"== {path.relative_to(work)}\n{path.read_text(encoding='utf-8', errors='replace')[-LOG_TAIL:]}\n")
    analyser.keep(fleet.out / "fleet.db")


def perform(fleet: Run, broker: center.Broker, analyser: center.Analyser) -> None:
    """Disturbs each job by itself until the time is over. The jobs' groups are judged apart."""
    fleet.wait_for_steps()
    fleet.say("all hosts work")
    begin = time.monotonic()
    allowed = fleet.possible()
    fleet.say(f"disturbances: {', '.join(sorted(allowed))}; notes: {fleet.notes}")
    for host in fleet.hosts:
        if host.role == "gpu" and "gpu_neighbor" in allowed:
            disturb.prepare_gpu_neighbor(host)
    left = fleet.options.seconds - (begin - fleet.begin)
    fleet.truth["begin_ns"], fleet.truth["first_s"] = time.time_ns(), fleet.options.first
    threads = [threading.Thread(target=fleet.disturb, daemon=True, args=(
        job, schedule.plan(job, fleet.options.seed, left, allowed, fleet.options.first), begin)) for job in fleet.jobs]
    fleet.truth["cost_begin"] = fleet.cost(broker, analyser)
    fleet.write()
    for thread in threads:
        thread.start()
    time.sleep(max(0.0, begin + left - time.monotonic()))
    for thread in threads:
        thread.join(schedule.LONGEST_S)
    fleet.truth["cost_end"] = fleet.cost(broker, analyser)
    fleet.truth["end_ns"] = time.time_ns()
    fleet.write()


def run_fleet(options: argparse.Namespace) -> None:
    use_tools(options.tools)
    nats = shutil.which(options.nats, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
    if nats is None:
        raise LabError(f"there is no {options.nats}; `apt-get install nats-server`, or name it by --nats")
    make_folder(options.out)
    if (options.out / "truth.json").exists():
        raise LabError(f"{options.out} has a run already; name another folder")
    options.reveal = options.reveal.resolve()
    fleet = Run(options)
    with contextlib.ExitStack() as stack:
        work = pathlib.Path(options.work or stack.enter_context(tempfile.TemporaryDirectory(prefix="reveal_fleet_")))
        fleet.notes += groups.make_top()
        stack.callback(groups.remove)
        network.use_names("rvf")
        stack.enter_context(network.hosts(sum(len(job.hosts) for job in fleet.jobs), center=True, notes=fleet.notes))
        wires.enter_switch()
        broker = center.Broker(nats, work)
        stack.callback(center.end, broker.process)
        analyser = center.Analyser(options.reveal, work, fleet.out)
        stack.callback(analyser.end)
        findings = center.Findings(analyser)
        try:
            fleet.start_hosts(work, *make_disk(work, stack))
            perform(fleet, broker, analyser)
        finally:
            fleet.write()
            keep_results(fleet, work, analyser, findings.all())
            for host in fleet.hosts:
                host.close()
            for host in fleet.hosts:
                host.wait_closed()
    fleet.say("done")


def counts(text: str) -> list[int]:
    out = [int(word) for word in text.split(",")]
    if len(out) != 3 or min(out) < 0:
        raise argparse.ArgumentTypeError("three numbers with commas between, as 9,6,5")
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("act", choices=("run", "score"))
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reveal", type=pathlib.Path)
    parser.add_argument("--nats", default="nats-server")
    parser.add_argument("--tools", type=pathlib.Path)
    parser.add_argument("--hosts", type=counts, default=[9, 6, 5], metavar="TRAIN,LOAD,SERVE")
    parser.add_argument("--gpu", action="store_true", help="one host more, which trains on the GPU")
    parser.add_argument("--small", action="store_true", help="a look without a GPU")
    parser.add_argument("--seconds", type=float, default=400.0, help="until hosts are ended")
    parser.add_argument("--first", type=float, default=schedule.FIRST_S, help="seconds without disturbances")
    parser.add_argument("--rest", type=float, default=0.06, help="of each step, in seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=schedule.KINDS)
    options = parser.parse_args()
    if options.act == "score":
        run_as("agents", lambda: print(fleet_score.table(options.out)))
    elif options.reveal is None:
        parser.error("--reveal is missing")
    else:
        run_as("agents", lambda: run_fleet(options))


if __name__ == "__main__":
    main()
