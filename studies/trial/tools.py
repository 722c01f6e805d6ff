"""Disturbances by tools that operators know, and by settings of the kernel: a second set of the trial.

It was written down before any of it was run, and nothing was tuned on it. What the first set makes by small
programs of its own, this one makes by stress-ng, fio and the like, so that culprits are not ours either. Rows of
`TOOLS` are as those of disturbances.py; to add one, add a row.
"""

import shutil
from collections.abc import Callable

import network
from acts import Act, Commands, Place, Processes, Traced
from disturbances import LOADER, ONE, PACK, RANKS, Disturbance
from shell import LabError

ORIGIN = "tools"
PROGRAMS = ("stress-ng", "fio", "strace", "g++", "xz")
NAME_BYTES = 15  # what the kernel keeps of a process's name
FIO = "fio --name=one --time_based --runtime=3600 --output=/dev/null --thread=0"
SOURCE = ("for name in algorithm functional iostream map random regex thread; do echo \"#include <$name>\"; done > one.cc; "
          "echo 'int main() { std::regex one(\"a+b\"); return std::regex_match(\"aab\", one); }' >> one.cc; ")


def check_programs() -> None:
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        raise LabError(f"this set needs {', '.join(missing)}; run tools/install_packages.sh trial")


def _at_host(text: str, group: str) -> Callable[[Place], Act]:
    """The lines of a shell in the network of the lab's first host."""
    return lambda place: Processes(place, group, ["sh", "-c", f"date +%s%N > STAMP; {text}"], group, host=0)


def _stress(words: str, job: str, *subsystems: str, seconds: float = 8, place: str = "SCRATCH",
            harmless: bool = False) -> Disturbance:
    """A class of stress-ng: its name is the first word."""
    name = words.split()[0]
    group = f"trial_stress_{name}"
    text = f"exec stress-ng --quiet --temp-path {place} --{words}"
    processes = tuple(f"stress-ng{ending}"[:NAME_BYTES] for ending in (f"-{name}", ""))
    return Disturbance(f"stress_{name}" + ("_idle" if harmless else ""), ORIGIN, job, seconds, subsystems,
                       _at_host(text, group), group, processes, harmless)


def _shell(name: str, job: str, seconds: float, subsystems: tuple[str, ...], text: str, *processes: str,
           harmless: bool = False) -> Disturbance:
    group = f"trial_{name}"
    return Disturbance(name, ORIGIN, job, seconds, subsystems, _at_host(text, group), group, processes, harmless)


def _fio(name: str, subsystems: tuple[str, ...], words: str, harmless: bool = False) -> Disturbance:
    return _shell(name, LOADER, 8, subsystems, f"exec {FIO} {words}", "fio", harmless=harmless)


def _link(name: str, on: str, off: str, seconds: float = 8) -> Disturbance:
    """A setting of the first host's network: nobody there did it."""
    return Disturbance(name, ORIGIN, RANKS, seconds, ("network",),
                       lambda place: Commands(place, network.namespace(0), on, off))


TOOLS: tuple[Disturbance, ...] = (
    _stress("cpu 3", RANKS, "cpu"),
    _stress("cache 2", ONE, "cpu", "memory"),
    _stress("stream 2", ONE, "memory", "cpu"),
    _stress("vm 2 --vm-bytes 400m", RANKS, "memory", "cpu"),
    _stress("fork 4", RANKS, "cpu"),
    _stress("timer 2 --timer-freq 100000", RANKS, "cpu"),
    _stress("mutex 4", RANKS, "cpu"),
    _stress("sem 4", ONE, "cpu"),
    _stress("tlb-shootdown 2", ONE, "cpu", "memory"),
    _stress("udp 2", RANKS, "network", "cpu"),
    _stress("sock 2", RANKS, "network", "cpu"),
    _stress("hdd 2 --hdd-bytes 128m", LOADER, "storage", place="DISK"),
    _stress("dentry 2", LOADER, "storage", "cpu", "memory", place="DISK"),
    _stress("iomix 2 --iomix-bytes 128m", LOADER, "storage", place="DISK"),
    _stress("cpu 1 --cpu-load 3", ONE, "cpu", harmless=True),
    _fio("fio_write", ("storage",), "--rw=write --bs=1M --size=400m --fsync=64 --filename=DISK/written"),
    _fio("fio_random", ("storage",), "--rw=randrw --bs=16k --direct=1 --ioengine=libaio --iodepth=32 --filename=DISK/big "
         "--size=512m"),
    _fio("fio_mapped", ("storage", "memory"), "--rw=randread --bs=4k --ioengine=mmap --invalidate=1 --filename=DISK/big "
         "--size=512m --numjobs=2"),
    _fio("fio_slow", ("storage",), "--rw=read --bs=64k --direct=1 --rate=1m --filename=DISK/big --size=512m", harmless=True),
    _shell("archive", PACK, 8, ("cpu",), "while :; do tar -cf - /usr/include | xz -1 -T2 > archive.xz; done", "xz", "tar", "sh"),
    _shell("compile", RANKS, 10, ("cpu",), f"{SOURCE} while :; do g++ -O2 -c one.cc -o one.o & g++ -O2 -c one.cc -o two.o; "
           "wait; done", "cc1plus", "as", "g++", "sh"),
    _shell("forget_cache", LOADER, 8, ("storage", "memory"), "while :; do echo 3 > /proc/sys/vm/drop_caches; sleep 0.2; done",
           "sh", "sleep"),
    _shell("sync_loop", LOADER, 8, ("storage",), "while :; do dd if=/dev/zero of=DISK/synced bs=1M count=16; sync; done",
           "sync", "dd", "sh"),
    _shell("compaction", ONE, 8, ("memory", "cpu"), "while :; do echo 1 > /proc/sys/vm/compact_memory; done", "sh"),
    _shell("disk_usage", ONE, 8, ("cpu", "storage"), "while :; do du -s /usr /var; done", "du", "sh"),
    Disturbance("traced", ORIGIN, RANKS, 8, ("cpu",), Traced, processes=("strace",)),
    _link("shaped", "tc qdisc add dev eth0 root tbf rate 60mbit burst 16k latency 20ms", "tc qdisc del dev eth0 root"),
    _link("short_queue", "tc qdisc add dev eth0 root pfifo limit 2", "tc qdisc del dev eth0 root"),
    _link("small_mtu", "ip link set eth0 mtu 576", "ip link set eth0 mtu 1500"),
    _link("black_hole", f"ip route add blackhole {network.address(1)}/32", f"ip route del blackhole {network.address(1)}/32",
          seconds=2.5),
)
