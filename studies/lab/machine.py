"""What the lab takes from the machine for a while: control groups, a disk, and the proof that it is
all given back."""

import contextlib
import pathlib
import tempfile
from collections.abc import Iterator

import network
from shell import LabError, read, run, write

CGROUPS = pathlib.Path("/sys/fs/cgroup")
CONTROLLERS = ("cpu", "memory", "blkio")
GROUP = "rvl"
DISK_PREFIX = "reveal_lab_"
HUGE_PAGES = pathlib.Path("/proc/sys/vm/nr_hugepages")
GIANT_PAGES = pathlib.Path("/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages")
SECOND_CPU = pathlib.Path("/sys/devices/system/cpu/cpu1/online")


def group(controller: str, host: int) -> pathlib.Path:
    """The control group of the host's job, version 1."""
    return CGROUPS / controller / f"{GROUP}{host}"


def groups() -> list[pathlib.Path]:
    return [path for controller in CONTROLLERS for path in (CGROUPS / controller).glob(f"{GROUP}*")]


@contextlib.contextmanager
def control_groups(hosts: int) -> Iterator[None]:
    try:
        for host in range(hosts):
            for controller in CONTROLLERS:
                group(controller, host).mkdir()
        yield
    finally:
        remove_groups()


def remove_groups() -> None:
    for path in groups():
        try:
            path.rmdir()
        except OSError as refused:
            raise LabError(f"cannot remove {path}: {refused.strerror}; a lab that still runs must end first") from refused


def join(host: int, pid: int) -> None:
    for controller in CONTROLLERS:
        write(group(controller, host) / "cgroup.procs", pid)


class Disk:
    """A disk of the lab's own: a file behind a loop device, with a file system."""

    def __init__(self, folder: pathlib.Path, mebibytes: int = 512) -> None:
        self.image = folder / "disk.img"
        self.root = folder / "disk"
        self.root.mkdir()
        with open(self.image, "wb") as image:
            image.truncate(mebibytes << 20)
        self.device = run("losetup", "--find", "--show", "--direct-io=on", self.image).strip()
        run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", self.device)
        run("mount", self.device, self.root)

    @property
    def number(self) -> str:
        """Major and minor, as control groups name a device."""
        return read(f"/sys/block/{pathlib.Path(self.device).name}/dev")

    def file(self, name: str, mebibytes: int) -> pathlib.Path:
        path = self.root / name
        run("dd", "if=/dev/zero", f"of={path}", "bs=1M", f"count={mebibytes}", "conv=fsync")
        return path

    def remove(self) -> None:
        run("umount", self.root)
        run("losetup", "-d", self.device)
        self.image.unlink()


def remove_disks() -> None:
    """What killed labs left: swap on them, their mounts, their loop devices. Their images are in the
    folder for temporary files, which is cleaned by itself."""
    for line in run("losetup", "--list", "--noheadings", "--output", "NAME,BACK-FILE").splitlines():
        device, _, image = line.strip().partition(" ")
        if f"/{DISK_PREFIX}" not in image:
            continue
        root = pathlib.Path(image.strip().removesuffix(" (deleted)")).with_name("disk")
        for words in (("swapoff", root / "swap"), ("umount", root)):
            with contextlib.suppress(LabError):
                run(*words)
        run("losetup", "-d", device)


@contextlib.contextmanager
def disk(mebibytes: int = 512) -> Iterator[Disk]:
    with tempfile.TemporaryDirectory(prefix=DISK_PREFIX) as folder:
        made = Disk(pathlib.Path(folder), mebibytes)
        try:
            yield made
        finally:
            made.remove()


def state() -> dict[str, str]:
    """Everything that the lab changes, to be the same before and after."""
    return {
        "namespaces": " ".join(network.namespaces()),
        "control groups": " ".join(map(str, groups())),
        "swap": pathlib.Path("/proc/swaps").read_text(encoding="ascii"),
        "huge pages": " ".join(read(path) for path in (HUGE_PAGES, GIANT_PAGES) if path.exists()),
        "processors": read("/sys/devices/system/cpu/online"),
        "loop devices": run("losetup", "--list", "--noheadings", "--output", "NAME,BACK-FILE"),
        "throttles": read(CGROUPS / "blkio/blkio.throttle.write_bps_device"),
    }


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [f"{what}: '{before[what].strip()}' before, '{after[what].strip()}' after"
            for what in before if before[what] != after[what]]
