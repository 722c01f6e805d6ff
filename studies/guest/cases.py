"""The cases of docs/cases that need another machine than this: each is run in emulated guests.

    cases.py run OUT --reveal REVEAL --build FOLDER [--only NAME...]
    cases.py show OUT

run needs root. OUT/NAME/ gets a folder for each guest, guest<N>/, with its recording (host/), the steps of
its rank (steps.jsonl), snapshots of kernel files and its console; peer.jsonl, the steps of the rank on this
machine, where there is one; and truth.json, what was done when. show prints what each run cost the job.

CASES is the registry. To add one: its line there, and its fault, if it is new, in init.sh.
"""

import argparse
import dataclasses
import functools
import json
import pathlib
import statistics
import subprocess
import sys

from guest import Builder, Guest, LabError, Machine, needs_root, wait_for_all
import wires

WARM_UP_S = 12
PORT = 7000


@dataclasses.dataclass(frozen=True)
class Case:
    """One run. A fault that is put on before the job starts and stays is its `setup` or `place`."""
    name: str
    job: str  # words of train.cc, but for those of the ring
    machine: Machine = Machine()
    guests: int = 1
    peer: bool = True  # a rank on this machine as well
    seconds: int = 90
    setup: str = ""  # commands of init.sh, before the job starts
    setup_on: tuple[int, ...] | None = None  # the guests that it is done on; all
    place: str = "place 0-3 0"
    fault: str = "nothing"
    strength: int = 0
    at_s: int = 50
    for_s: int = 0  # 0: none
    snapshot: str = "cat /proc/interrupts"


FAULT_S = 8
LASTING_S = 60  # of runs that are the same from start to end
# Gradients of 2 MB, over eight connections and four queues.
TRAFFIC = "flows=8 gradient_kb=2048 threads=4 passes=20"
SHOW_QUEUES = "grep -E \"CPU|virtio0\" /proc/interrupts; grep -E \"CPU|NET\" /proc/softirqs"
traffic = functools.partial(Case, job=TRAFFIC, snapshot=SHOW_QUEUES)
# Large tensors that come and go with each step. One page at a time, or counters would show one where a
# transparent huge page is taken.
TENSORS = "flows=2 gradient_kb=128 threads=2 passes=20 activation_kb=4096"
SHOW_NODES = ("cat /proc/$job/numa_maps; grep . /sys/devices/system/node/node*/numastat; "
              "grep -E \"thp_fault_alloc|numa_\" /proc/vmstat")
SMALL_PAGES = "echo madvise >/sys/kernel/mm/transparent_hugepage/enabled"
tensors = functools.partial(Case, job=TENSORS, machine=Machine(nodes=2, memory_mb=640), setup=SMALL_PAGES,
                            place="place 0-1 0", snapshot=SHOW_NODES)
# Three small hosts whose training data fits the page cache, if nothing else takes the memory.
READERS = "flows=2 gradient_kb=128 threads=1 passes=20 data=/dev/vdb data_kb=1024"
SHOW_MEMORY = "cat /proc/meminfo; grep -E \"pgpgin|workingset\" /proc/vmstat"
readers = functools.partial(Case, job=READERS, machine=Machine(cpus=1, memory_mb=256, queues=1, data_mb=72), guests=3,
                            peer=False, seconds=LASTING_S, place="place 0 0", snapshot=SHOW_MEMORY)

CASES = (
    # docs/cases/numa.md
    tensors("numa_moved", fault="memory_on_node", strength=1, for_s=FAULT_S),
    tensors("numa_remote", place="place 0-1 1", seconds=LASTING_S),
    tensors("numa_bound"),
    # docs/cases/interrupt_imbalance.md and docs/cases/queue_concentration.md
    traffic("traffic_spread"),
    traffic("interrupts_on_one", fault="irq_on_one", for_s=FAULT_S),
    traffic("interrupts_stay_on_one", setup="irq_on_one on", seconds=LASTING_S),
    traffic("one_flow", fault="one_flow", for_s=FAULT_S),
    traffic("one_flow_pinned", job=f"{TRAFFIC} pin_flows=1", fault="one_flow", for_s=FAULT_S),
    traffic("one_flow_always", job=TRAFFIC.replace("flows=8", "flows=1"), seconds=LASTING_S),
    # docs/cases/huge_pages.md
    readers("huge_pages_on_one", setup="huge_pages on 96", setup_on=(1,)),
    readers("huge_pages_nowhere"),
)


def _job_words(case: Case, rank: int) -> str:
    """A ring of the guests and, as the last rank, the peer."""
    world = case.guests + case.peer
    after = (rank + 1) % world
    to = wires.HOST_ADDRESS if case.peer and after == world - 1 else wires.address(after)
    return f"rank={rank} world={world} listen={PORT} next={to}:{PORT} {case.job}"


def _conf(case: Case, number: int) -> dict[str, object]:
    mine = case.setup_on is None or number in case.setup_on
    return {"ADDRESS": f"{wires.address(number)}/24", "HOSTNAME": f"guest{number}", "JOB": _job_words(case, number),
            "WARM_UP": WARM_UP_S, "SECONDS": case.seconds, "SETUP": case.setup if mine else ":", "PLACE": case.place,
            "FAULT": case.fault, "ON": case.strength, "AT": case.at_s, "FOR": case.for_s, "SNAPSHOT": case.snapshot}


def _peer(case: Case, builder: Builder, folder: pathlib.Path) -> subprocess.Popen:
    words = _job_words(case, case.guests).split() + [f"log={folder}/peer.jsonl"]
    # Its arithmetic is done by real processors: it waits for the guests, never they for it.
    return subprocess.Popen(wires.inside(builder.train, *words))


def _time_ns(guest: pathlib.Path, name: str) -> int:
    """Wall clock time that init.sh noted as seconds since the start."""
    known, noted = (float((guest / one).read_text(encoding="ascii")) for one in ("known", name))
    return int((guest / "known_ns").read_text(encoding="ascii")) + round((noted - known) * 1e9)


def _truth(case: Case, folder: pathlib.Path) -> dict:
    faults = []
    for number in range(case.guests if case.for_s else 0):
        begin, end = (_time_ns(folder / f"guest{number}", name) for name in ("begin", "end"))
        faults.append({"event": number, "fault": case.fault, "strength": case.strength, "host": number,
                       "begin_ns": begin, "end_ns": end})
    return {"scenario": case.name, "hosts": case.guests, "model": "ring", "seconds": case.seconds, "faults": faults}


def perform(case: Case, builder: Builder, folder: pathlib.Path) -> None:
    """Runs the case and leaves all that came of it in `folder`, which must be new."""
    if folder.exists():
        raise LabError(f"{folder} has a run already; remove it, or give another folder (GUEST_CASES)")
    folder.mkdir(parents=True)
    guests: list[Guest] = []
    peer = None
    with wires.network(case.guests, case.machine.queues):
        try:
            peer = _peer(case, builder, folder) if case.peer else None
            for number in range(case.guests):
                guests.append(Guest(builder, case.machine, number, _conf(case, number), folder / f"guest{number}"))
            wait_for_all(guests, WARM_UP_S + case.seconds)
        finally:
            for guest in guests:
                guest.stop()
            if peer:
                peer.kill()
                peer.wait()
    (folder / "truth.json").write_text(json.dumps(_truth(case, folder), indent=1) + "\n", encoding="ascii")


def _median(steps: list[dict], what: str) -> str:
    return f"{statistics.median(step[what] for step in steps):8.1f}" if steps else "       -"


def show(folder: pathlib.Path) -> str:
    """Median ms of a step on each guest, in the fault and out of it."""
    truth = json.loads((folder / "truth.json").read_text(encoding="ascii"))
    out = []
    for number in range(truth["hosts"]):
        log = (folder / f"guest{number}" / "steps.jsonl").read_text(encoding="ascii")
        steps = [json.loads(line) for line in log.splitlines() if line.endswith("}")][20:]
        mine = [fault for fault in truth["faults"] if fault["host"] == number]
        def in_fault(step: dict, mine: list[dict] = mine) -> bool:
            return any(fault["begin_ns"] <= step["end_ns"] < fault["end_ns"] for fault in mine)
        for name, chosen in (("without", [step for step in steps if not in_fault(step)]),
                             ("fault", [step for step in steps if in_fault(step)])):
            if chosen:
                parts = " ".join(_median(chosen, what) for what in ("ms", "compute_ms", "reduce_ms", "read_ms"))
                out.append(f"{truth['scenario']:28} guest{number} {name:8} {len(chosen):6} {parts}")
    return "\n".join(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    runs = verbs.add_parser("run")
    runs.add_argument("out", type=pathlib.Path)
    runs.add_argument("--reveal", type=pathlib.Path, required=True)
    runs.add_argument("--build", type=pathlib.Path, required=True)
    runs.add_argument("--only", nargs="*", default=[])
    verbs.add_parser("show").add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    try:
        if options.verb == "run":
            needs_root()
            builder = Builder(options.build.resolve(), options.reveal.resolve())
            builder.build()
            for case in CASES:
                if not options.only or case.name in options.only:
                    print(f"guest: {case.name}: {case.seconds} s", flush=True)
                    perform(case, builder, options.out.resolve() / case.name)
        print(f"{'median ms':28} {'guest':6} {'':8} {'steps':>6} {'step':>8} {'compute':>8} {'reduce':>8} {'read':>8}")
        for path in sorted(options.out.glob("*/truth.json")):
            print(show(path.parent))
    except LabError as error:
        sys.exit(f"guest: {error}")


if __name__ == "__main__":
    main()
