"""Disturbances of one host, each put on and taken off again while all runs.

Processors, memory and disks are the machine's. So a disturbance is one of three: of the host's own network, of a limit
on the host's own control groups, or of the GPU, which one host has alone. How hard it is follows from what the host
uses at that time. `KINDS` has them by name.
"""

import contextlib
import os
import pathlib
import signal
import sys
import time
from collections.abc import Callable, Iterator

import groups
import network
import wires
from fleet_host import Host
from shell import LabError

LAB = pathlib.Path(__file__).resolve().parents[1] / "lab"
GPU_NEIGHBORS = pathlib.Path(__file__).resolve().parents[1] / "gpu" / "neighbors.py"
LOST_OF_100_000 = 2000
LOOK_S = 2.0
SHARE_OF_LINK, SHARE_OF_CPU = 0.5, 0.5
LEAST_MBIT, LEAST_CORES = 2.0, 0.02
READ_BYTES_PER_S = 1_000_000
FILES_KEPT = 0.2
SPINNERS = 3
GPU_WIDTH = 8192

Disturbance = Callable[[Host], contextlib.AbstractContextManager[str]]


@contextlib.contextmanager
def loss(host: Host) -> Iterator[str]:
    """Of the packets that reach the host, so many are dropped before it sees them."""
    place = network.namespace(host.number)
    with contextlib.ExitStack() as undo:
        undo.callback(wires.inside, place, "nft", "add table netdev rvf; delete table netdev rvf")
        wires.inside(place, "nft", "add table netdev rvf; add chain netdev rvf in "
                     "{ type filter hook ingress device eth0 priority 0; }; "
                     f"add rule netdev rvf in numgen random mod 100000 < {LOST_OF_100_000} drop")
        yield f"{LOST_OF_100_000 / 1000:g} % of received packets, by nft"


@contextlib.contextmanager
def slow_link(host: Host) -> Iterator[str]:
    """Both ways carry half of what the busier one carried before."""
    before = wires.counted(host.number)
    time.sleep(LOOK_S)
    used = max(now - then for now, then in zip(wires.counted(host.number), before, strict=True)) / LOOK_S
    rate = max(LEAST_MBIT, SHARE_OF_LINK * used * 8 / 1e6)
    ends = ((network.SWITCH, network.port(host.number)), (network.namespace(host.number), "eth0"))
    with contextlib.ExitStack() as undo:
        for place, link in ends:
            wires.inside(place, "tc", "qdisc", "add", "dev", link, "root", "tbf", "rate", f"{rate:.2f}mbit",
                         "burst", "32kb", "latency", "50ms")
            undo.callback(wires.inside, place, "tc", "qdisc", "del", "dev", link, "root")
        yield f"{rate:.2f} Mbit/s, by tbf"


def _cores(host: Host, inner: str) -> float:
    before = host.groups.cpu_seconds(inner)
    time.sleep(LOOK_S)
    return (host.groups.cpu_seconds(inner) - before) / LOOK_S


@contextlib.contextmanager
def _limited(limit: Callable[..., None], *what: object, to: object) -> Iterator[None]:
    """It is taken back, too, if it could not be put on."""
    with contextlib.ExitStack() as undo:
        undo.callback(limit, *what, None)
        limit(*what, to)
        yield


@contextlib.contextmanager
def quota(host: Host) -> Iterator[str]:
    """The job may use half of the processor time that it used before."""
    cores = max(LEAST_CORES, SHARE_OF_CPU * _cores(host, groups.JOB))
    with _limited(host.groups.limit_cpu, groups.JOB, to=cores):
        yield f"{cores:.3f} cores"


@contextlib.contextmanager
def neighbor(host: Host) -> Iterator[str]:
    """Busy processes beside the job, in the limit that both have together."""
    with contextlib.ExitStack() as undo:
        for number in range(SPINNERS):
            undo.callback(host.end, f"spinner{number}")
            host.start(f"spinner{number}", ["sh", "-c", "while :; do :; done"], groups.NEIGHBOR)
        yield f"{SPINNERS} busy processes"


@contextlib.contextmanager
def memory(host: Host) -> Iterator[str]:
    """The job may keep a fifth of the files that it kept before."""
    used, cache = host.groups.memory(groups.JOB)
    limit = used - round((1 - FILES_KEPT) * cache)
    with _limited(host.groups.limit_memory, groups.JOB, to=limit):
        yield f"{limit / 1e6:.0f} of {used / 1e6:.0f} MB, of which {cache / 1e6:.0f} are files'"


@contextlib.contextmanager
def disk(host: Host) -> Iterator[str]:
    """The job reads its disk slowly."""
    with _limited(host.groups.limit_reads, groups.JOB, host.device, to=READ_BYTES_PER_S):
        yield f"{READ_BYTES_PER_S / 1e6:g} MB/s"


@contextlib.contextmanager
def stop(host: Host) -> Iterator[str]:
    """The job stands still."""
    pids = host.groups.processes(groups.JOB)
    with contextlib.ExitStack() as undo:
        for pid in pids:
            undo.callback(_resume, pid)
            os.kill(pid, signal.SIGSTOP)
        yield f"{len(pids)} processes"


def _resume(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def gpu_neighbor(host: Host) -> Iterator[str]:
    """Another program on the GPU, which was made ready before: that takes seconds."""
    log = host.folder / "gpu_neighbor.log"
    if not log.read_text(encoding="utf-8", errors="replace").endswith("ready\n"):
        raise LabError(f"the neighbor is not ready; {log} may say why")
    with contextlib.ExitStack() as undo:
        undo.callback(prepare_gpu_neighbor, host)
        undo.callback(host.end, "gpu_neighbor")
        host.signal("gpu_neighbor", signal.SIGUSR1)
        yield f"products of matrices of {GPU_WIDTH}"


def prepare_gpu_neighbor(host: Host) -> None:
    host.start("gpu_neighbor", [sys.executable, "-B", str(GPU_NEIGHBORS), "gpu", str(GPU_WIDTH)], groups.NEIGHBOR)


KINDS: dict[str, Disturbance] = {one.__name__: one for one in (loss, slow_link, quota, neighbor, memory, disk, stop,
                                                              gpu_neighbor)}


def possible(host: Host, kinds: tuple[str, ...], notes: list[str]) -> frozenset[str]:
    """Those that this machine lets one put on; each is tried for a moment."""
    out = set()
    for kind in kinds:
        try:
            with KINDS[kind](host):
                out.add(kind)
        except (LabError, OSError) as refused:
            notes.append(f"{kind} is left out: {refused}")
    return frozenset(out)
