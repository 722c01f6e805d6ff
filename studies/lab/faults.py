"""The faults of the lab: each is put on a running host with a strength, and taken off again.

`FAULTS` is the registry. To add one: a class with start() and stop(), and its line there.
"""

import contextlib
import dataclasses
import pathlib
import signal
import subprocess
import sys
from collections.abc import Callable

import machine
import network
from shell import LabError, run, write

HOGS = pathlib.Path(__file__).with_name("hogs.py")


@dataclasses.dataclass(frozen=True)
class Target:
    """What a fault hits."""
    host: int
    disk: machine.Disk
    recorder: Callable[[], int] = lambda: 0  # process of the host's reveal, once it runs


class Fault:
    """One fault at one strength. prepare() makes what it needs on the lab's disk before anything is
    recorded, for that is a disturbance of its own; stop() undoes start(), also when it did only a part."""

    def __init__(self, target: Target, strength: float) -> None:
        self.target = target
        self.strength = strength

    def prepare(self) -> None:
        pass

    def start(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError


class Hog(Fault):
    """A neighbor that takes what the job needs."""

    def words(self) -> list[str]:
        raise NotImplementedError

    def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-B", str(HOGS), *self.words()],
                                        stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        if process := getattr(self, "process", None):
            process.send_signal(signal.SIGTERM)
            process.wait()


class PacketLoss(Fault):
    """Of the packets that reach the host, so many of 100,000 are dropped before it sees them."""

    def start(self) -> None:
        rules = ("add table netdev rvl; add chain netdev rvl in "
                 "{ type filter hook ingress device eth0 priority 0; }; "
                 f"add rule netdev rvl in numgen random mod 100000 < {self.strength:.0f} drop")
        run(*network.inside(self.target.host, "nft", rules))

    def stop(self) -> None:
        run(*network.inside(self.target.host, "nft", "delete table netdev rvl"))


class SlowLink(Fault):
    """The switch sends to the host only so many Mbit/s."""

    def words(self, verb: str) -> list[str]:
        return ["ip", "netns", "exec", network.SWITCH, "tc", "qdisc", verb, "dev",
                network.port(self.target.host), "root"]

    def start(self) -> None:
        run(*self.words("add"), "tbf", "rate", f"{self.strength:.0f}mbit", "burst", "64kb", "latency", "5ms")

    def stop(self) -> None:
        run(*self.words("del"))


class CpuContention(Hog):
    """So many busy neighbors on the job's processor."""

    def words(self) -> list[str]:
        return ["spin", f"{self.strength:.0f}", str(self.target.host)]


class CpuThrottle(Fault):
    """The job may use so many percent of one processor (CFS quota)."""

    def _quota(self, microseconds: int) -> None:
        write(machine.group("cpu", self.target.host) / "cpu.cfs_quota_us", microseconds)

    def start(self) -> None:
        self._quota(int(self.strength * 1000))

    def stop(self) -> None:
        self._quota(-1)


class CpuUnplug(Fault):
    """The machine loses its second processor."""

    def start(self) -> None:
        write(machine.SECOND_CPU, 0)

    def stop(self) -> None:
        write(machine.SECOND_CPU, 1)


class SoftirqConcentration(Hog):
    """A flood of small packets whose receive work is all put on the job's processor."""

    def _steer(self, mask: int) -> None:
        path = "/sys/class/net/eth0/queues/rx-0/rps_cpus"
        run(*network.inside(self.target.host, "sh", "-c", f"echo {mask} > {path}"))

    def words(self) -> list[str]:
        return ["flood", network.address(self.target.host), f"{self.strength:.0f}"]

    def start(self) -> None:
        self._steer(1 << (self.target.host % 2))
        sender = 0 if self.target.host else 1
        self.process = subprocess.Popen(network.inside(sender, sys.executable, "-B", HOGS, *self.words()))

    def stop(self) -> None:
        super().stop()
        self._steer(0)


class StorageBurst(Hog):
    """So many neighbors that read the job's disk past the page cache."""

    def prepare(self) -> None:
        self.file = self.target.disk.file("burst", 128)

    def words(self) -> list[str]:
        return ["read", f"{self.strength:.0f}", str(self.file)]

    def stop(self) -> None:
        super().stop()
        self.file.unlink(missing_ok=True)


class SlowDisk(Fault):
    """The job reads its disk with at most so many MB/s."""

    def _limit(self, bytes_per_s: int) -> None:
        write(machine.group("blkio", self.target.host) / "blkio.throttle.read_bps_device",
              f"{self.target.disk.number} {bytes_per_s}")

    def start(self) -> None:
        self._limit(int(self.strength * 1e6))

    def stop(self) -> None:
        self._limit(0)


class WriteBack(Hog):
    """A neighbor writes so many MB at once, and the disk takes 20 MB/s."""

    LIMIT = machine.CGROUPS / "blkio/blkio.throttle.write_bps_device"

    def words(self) -> list[str]:
        return ["write", f"{self.strength:.0f}", str(self.target.disk.root / "dirty")]

    def start(self) -> None:
        write(self.LIMIT, f"{self.target.disk.number} {20 << 20}")
        super().start()

    def stop(self) -> None:
        write(self.LIMIT, f"{self.target.disk.number} 0")
        super().stop()
        (self.target.disk.root / "dirty").unlink(missing_ok=True)


class Swap(Hog):
    """A neighbor needs so many MB more than its group may have; the rest goes to the lab's disk."""

    ALLOWED_MB = 64
    GROUP = machine.CGROUPS / "memory" / f"{machine.GROUP}_swap"

    def words(self) -> list[str]:
        return ["touch", f"{self.ALLOWED_MB + self.strength:.0f}", str(self.GROUP / "cgroup.procs")]

    def prepare(self) -> None:
        self.file = self.target.disk.file("swap", int(self.strength) + self.ALLOWED_MB)
        self.file.chmod(0o600)
        run("mkswap", self.file)

    def start(self) -> None:
        run("swapon", self.file)
        self.GROUP.mkdir()
        write(self.GROUP / "memory.limit_in_bytes", self.ALLOWED_MB << 20)
        super().start()

    def stop(self) -> None:
        super().stop()
        if self.GROUP.exists():
            self.GROUP.rmdir()
        with contextlib.suppress(LabError):
            run("swapoff", self.file)
        self.file.unlink(missing_ok=True)


class HugePages(Fault):
    """So many MiB are set aside as huge pages that nobody uses."""

    def start(self) -> None:
        write(machine.HUGE_PAGES, int(self.strength) // 2)

    def stop(self) -> None:
        write(machine.HUGE_PAGES, 0)


class GiantPages(Fault):
    """So many MiB are set aside as pages of 1 GiB, which HugePages_Total does not count."""

    def start(self) -> None:
        write(machine.GIANT_PAGES, int(self.strength) // 1024)

    def stop(self) -> None:
        write(machine.GIANT_PAGES, 0)


class StarvedRecorder(Fault):
    """The recorder itself gets no processor. What the host does meanwhile is not known."""

    def start(self) -> None:
        subprocess.run(["kill", "-STOP", str(self.target.recorder())], check=True)

    def stop(self) -> None:
        subprocess.run(["kill", "-CONT", str(self.target.recorder())], check=True)


@dataclasses.dataclass(frozen=True)
class Kind:
    """What is known of a fault before it happens: the truth that reports are held against."""
    make: Callable[[Target, float], Fault]
    unit: str  # of the strength
    strengths: tuple[float, ...]
    subsystems: tuple[str, ...]  # where an operator would look; the first is the cause's own
    own_host: bool  # only the host that it hits can see it
    is_fault: bool = True  # False: nothing must be reported


FAULTS: dict[str, Kind] = {
    "packet_loss": Kind(PacketLoss, "of 100,000 packets", (100, 200, 1000), ("network",), True),
    "slow_link": Kind(SlowLink, "Mbit/s", (400, 200), ("network",), True),
    "cpu_contention": Kind(CpuContention, "neighbors", (1, 2), ("cpu",), False),
    "cpu_throttle": Kind(CpuThrottle, "% of a processor", (60, 30), ("cpu",), False),
    "cpu_unplug": Kind(CpuUnplug, "processors", (1,), ("cpu",), False),
    "softirq_concentration": Kind(SoftirqConcentration, "packets of a burst", (64,), ("network", "cpu"), True),
    "storage_burst": Kind(StorageBurst, "readers", (1, 8), ("storage",), False),
    "slow_disk": Kind(SlowDisk, "MB/s", (40, 10), ("storage",), False),
    "write_back": Kind(WriteBack, "MB", (60, 160), ("storage", "memory"), False),
    "swap": Kind(Swap, "MB", (64, 192), ("memory", "storage"), False),
    "huge_pages": Kind(HugePages, "MiB", (256, 1024), ("memory",), False),
    "giant_pages": Kind(GiantPages, "MiB", (1024,), ("memory",), False),
    "starved_recorder": Kind(StarvedRecorder, "recorders", (1,), (), True, is_fault=False),
}
