"""Emulated x86 machines: what they boot, how they are started, and what they leave.

QEMU emulates every instruction (TCG): no hardware virtualization is used or needed. A guest is the
distribution's kernel, not installed, and an initial RAM disk with busybox, the real `reveal`, the
libraries that it needs, and train.cc. Its first disk takes the tar archive that it leaves.
"""

import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lab"))
from shell import LabError, run  # noqa: E402 the lab's, which is beside

import wires  # noqa: E402

PROGRAMS = ("ethtool",)  # of this machine, that busybox lacks
MODULES = ("virtio_pci", "virtio_blk", "virtio_net")
SHUTTLE_BYTES = 64 << 20
BOOT_S = 45  # on a machine that has more to do
BOOTS = 3  # now and then one hangs before its kernel says a word
SLOWNESS_S = 90  # of what has no time of its own: writing the archive, turning off


@dataclasses.dataclass(frozen=True)
class Machine:
    """What is emulated."""
    cpus: int = 4
    memory_mb: int = 512
    nodes: int = 1  # of memory; processors and memory are shared out evenly
    queues: int = 4  # of the network adapter
    data_mb: int = 0  # of a second disk, for the job to read; 0: none


def _depends(module: pathlib.Path) -> list[str]:
    """The modules that a module names as needed by it."""
    _, _, rest = module.read_bytes().partition(b"\0depends=")
    return [name for name in rest.partition(b"\0")[0].decode("ascii").split(",") if name]


def _in_order(root: pathlib.Path) -> list[pathlib.Path]:
    """The modules of MODULES and what they need, each behind what it needs."""
    files = {path.stem.replace("-", "_"): path for path in root.rglob("*.ko")}
    out: list[pathlib.Path] = []

    def add(name: str) -> None:
        if name not in files:
            raise LabError(f"the kernel below {root} has no module {name}; remove the folder to fetch it again")
        for needed in _depends(files[name]):
            add(needed)
        if files[name] not in out:
            out.append(files[name])

    for name in MODULES:
        add(name)
    return out


def _libraries(program: pathlib.Path) -> list[pathlib.Path]:
    """What the program is linked with, as files of this machine."""
    words = (word for line in run("ldd", program).splitlines() for word in line.split())
    return [pathlib.Path(word) for word in words if word.startswith("/")]


def _program(name: str) -> str:
    path = shutil.which(name, path="/bin:/usr/bin:/sbin:/usr/sbin")
    if not path:
        raise LabError(f"{name} is not installed; `tools/install_packages.sh guest-x86` installs what guests need")
    return path


def _pack(folder: pathlib.Path, archive: pathlib.Path) -> None:
    names = "".join(f"{path.relative_to(folder)}\n" for path in sorted(folder.rglob("*")))
    with open(archive, "wb") as out:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=folder, input=names.encode(), stdout=out,
                       check=True)


class Builder:
    """Makes what guests boot, in a folder that may be kept."""

    def __init__(self, folder: pathlib.Path, reveal: pathlib.Path) -> None:
        self.folder, self.reveal = folder, reveal
        self.kernel, self.initrd, self.train = folder / "kernel", folder / "initrd", folder / "train"

    def build(self) -> None:
        if not self.kernel.exists():
            run(HERE / "fetch_kernel.sh", "amd64", "linux-image-cloud-amd64", self.folder)
        run("g++", "-std=c++20", "-O2", "-static", "-o", self.train, HERE / "train.cc")
        root = self.folder / "root"
        shutil.rmtree(root, ignore_errors=True)
        for name in ("bin", "modules"):
            (root / name).mkdir(parents=True)
        self._programs(root)
        self._modules(root)
        _pack(root, self.initrd)

    def _programs(self, root: pathlib.Path) -> None:
        shutil.copy(_program("busybox"), root / "bin/busybox")
        for name in run(root / "bin/busybox", "--list").split():
            if name != "busybox":
                (root / "bin" / name).symlink_to("busybox")
        shutil.copy(self.train, root / "bin/train")
        run("strip", "-o", root / "bin/reveal", self.reveal)
        for name in PROGRAMS:
            shutil.copy(_program(name), root / "bin" / name)
        for library in {one for name in ("reveal", *PROGRAMS) for one in _libraries(root / "bin" / name)}:
            target = root / str(library)[1:]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, target)
        shutil.copy(HERE / "init.sh", root / "init")

    def _modules(self, root: pathlib.Path) -> None:
        modules = _in_order(self.folder / "unpacked/lib/modules")
        for module in modules:
            shutil.copy(module, root / "modules")
        (root / "modules/order").write_text("".join(f"{module.name}\n" for module in modules), encoding="ascii")


class Guest:
    """One running machine."""

    def __init__(self, builder: Builder, machine: Machine, number: int, conf: dict[str, object],
                 folder: pathlib.Path) -> None:
        self.number, self.folder = number, folder
        folder.mkdir(parents=True)
        self.shuttle = folder / "shuttle.img"
        _sparse(self.shuttle, SHUTTLE_BYTES)
        self.console = folder / "console.txt"
        self.initrd = folder / "initrd"
        self._own_initrd(builder, conf)
        self.words = wires.inside(*self._words(builder, machine))
        self.boots = 0
        self._boot()

    def _boot(self) -> None:
        self.boots += 1
        self.console.write_text("", encoding="ascii")
        self.since = time.monotonic()
        with open(self.folder / "qemu.txt", "wb") as log:
            self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def await_boot(self) -> None:
        """Until its first program runs; a machine that hangs before that is started again."""
        while b"guest: is up" not in self.console.read_bytes():
            if self.process.poll() is not None or time.monotonic() > self.since + BOOT_S:
                self.stop()
                if self.boots == BOOTS:
                    raise LabError(f"guest {self.number} does not boot; {self.console} and {self.folder}/qemu.txt "
                                   "say how far it came")
                self._boot()
            time.sleep(0.2)

    def _own_initrd(self, builder: Builder, conf: dict[str, object]) -> None:
        """The common one and, behind it, an archive with this guest's configuration alone."""
        own = self.folder / "own"
        own.mkdir()
        text = "".join(f"{name}='{value}'\n" for name, value in conf.items())
        (own / "case.conf").write_text(text, encoding="ascii")
        archive = self.folder / "own.cpio"
        _pack(own, archive)
        self.initrd.write_bytes(builder.initrd.read_bytes() + archive.read_bytes())

    def _words(self, builder: Builder, machine: Machine) -> list[str]:
        words = ["qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max",
                 "-smp", str(machine.cpus), "-m", str(machine.memory_mb), "-nographic", "-no-reboot",
                 "-nodefaults", "-serial", f"file:{self.console}", "-kernel", str(builder.kernel),
                 "-initrd", str(self.initrd), "-append",
                 "console=ttyS0 quiet panic=-1 rdinit=/init mitigations=off nokaslr tsc=reliable",
                 "-drive", f"file={self.shuttle},format=raw,if=virtio",
                 "-netdev", f"tap,id=net,ifname={wires.tap(self.number)},queues={machine.queues},"
                            "script=no,downscript=no",
                 "-device", f"virtio-net-pci,netdev=net,mq=on,mac=52:54:00:00:00:{self.number + 1:02x},"
                            "guest_tso4=off,guest_tso6=off,guest_ecn=off,guest_ufo=off"]
        if machine.data_mb:
            data = self.folder / "data.img"
            _sparse(data, machine.data_mb << 20)
            words += ["-drive", f"file={data},format=raw,if=virtio,readonly=on"]
        return words + _node_words(machine)

    def wait(self, seconds: float) -> None:
        """Until the machine is off; unpacks what it left into its folder."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired as late:
            self.stop()
            raise LabError(f"guest {self.number} did not end in {seconds:.0f} s; {self.console} says how far it "
                           "came") from late
        try:
            with tarfile.open(self.shuttle) as archive:
                archive.extractall(self.folder)
        except tarfile.TarError as none:
            raise LabError(f"guest {self.number} left nothing; {self.console} and {self.folder}/qemu.txt say "
                           "why") from none
        for path in (self.shuttle, self.initrd, self.folder / "own.cpio", self.folder / "data.img"):
            path.unlink(missing_ok=True)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def _sparse(path: pathlib.Path, size: int) -> None:
    with open(path, "wb") as image:
        image.truncate(size)


def _node_words(machine: Machine) -> list[str]:
    if machine.nodes < 2:
        return []
    each, memory = machine.cpus // machine.nodes, machine.memory_mb // machine.nodes
    out = []
    for node in range(machine.nodes):
        out += ["-object", f"memory-backend-ram,id=memory{node},size={memory}M", "-numa",
                f"node,nodeid={node},cpus={node * each}-{(node + 1) * each - 1},memdev=memory{node}"]
    return [*out, "-numa", "dist,src=0,dst=1,val=21"]


def wait_for_all(guests: list[Guest], seconds: float) -> None:
    """Until all are off: `seconds` of work each, and some for what an emulated machine is slow at."""
    for guest in guests:
        guest.await_boot()
    deadline = time.monotonic() + seconds + SLOWNESS_S
    for guest in guests:
        guest.wait(max(1.0, deadline - time.monotonic()))


def needs_root() -> None:
    if os.geteuid() != 0:
        raise LabError("guests are wired by a network namespace; run it as root")
