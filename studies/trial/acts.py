"""How a disturbance is put on a running piece and taken off again: processes, values of kernel files, commands.

Each act is a class with prepare(), start() and stop(), as the faults of the lab are. stop() undoes start(), also
when it did only a part. `began_ns` and `ended_ns` tell when that really was, to the millisecond.
"""

import contextlib
import dataclasses
import functools
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import faults
import groups
import machine
import network
from shell import LabError, run, write

CULPRITS = pathlib.Path(__file__).with_name("culprits.py")


@dataclasses.dataclass(frozen=True)
class Place:
    """What acts may use of a piece."""
    scratch: pathlib.Path  # a folder on the machine's disk
    disk: machine.Disk | None  # the lab's own disk, if there is one
    job_group: str
    job_pids: Callable[[], list[int]]
    nice: int = 0  # of the sessions of all that is started

    def fill_in(self, word: str) -> str:
        out = word.replace("SCRATCH", str(self.scratch))
        return out.replace("DISK", str(self.disk.root)) if self.disk else out


class Act:
    def __init__(self, place: Place) -> None:
        self.place = place
        self.began_ns = self.ended_ns = 0

    def prepare(self) -> None:
        """What must be there before the recording begins."""

    def put_on(self) -> None:
        raise NotImplementedError

    def take_off(self) -> None:
        raise NotImplementedError

    def start(self) -> None:
        self.began_ns = time.time_ns()
        self.put_on()

    def stop(self) -> None:
        self.take_off()
        self.ended_ns = self.ended_ns or time.time_ns()


class Processes(Act):
    """Processes of their own session, in a control group if one is named, in the network of a lab's host if one is.
    On a busy machine they begin long after they are started: they write that time, ns, to the file STAMP."""

    def __init__(self, place: Place, name: str, words: list[str], group: str = "", host: int | None = None,
                 limit_mebibytes: int = 0) -> None:
        super().__init__(place)
        self.words, self.group, self.host, self.limit_mebibytes = words, group, host, limit_mebibytes
        self.stamp = place.scratch / f"{name}.stamp"
        self.process: subprocess.Popen | None = None

    def prepare(self) -> None:
        for file in (self.stamp, self._end_stamp()):
            file.unlink(missing_ok=True)

    def _end_stamp(self) -> pathlib.Path:
        return self.stamp.with_name(f"{self.stamp.name}.end")

    def put_on(self) -> None:
        if self.group:
            groups.make(self.group, groups.COUNTERS)
        if self.limit_mebibytes:
            write(groups.path("memory", self.group) / "memory.limit_in_bytes", self.limit_mebibytes << 20)
        words = [self.place.fill_in(word).replace("STAMP", str(self.stamp)) for word in self.words]
        if self.host is not None:
            words = network.inside(self.host, *words)
        self.process = subprocess.Popen(words, start_new_session=True, cwd=self.place.scratch,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        preexec_fn=functools.partial(groups.enter, self.group, groups.COUNTERS,
                                                                     self.place.nice))

    def take_off(self) -> None:
        if self.process:
            if self.process.poll() is not None:
                raise LabError(f"{' '.join(self.words)} ended by itself with {self.process.returncode}; run it by hand")
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.ended_ns = time.time_ns()
        if self.group:
            groups.remove(self.group)
        for file, attribute in ((self.stamp, "began_ns"), (self._end_stamp(), "ended_ns")):
            with contextlib.suppress(FileNotFoundError):
                setattr(self, attribute, int(file.read_text(encoding="ascii")))


class Culprit(Processes):
    """A kind of culprits.py under a name. It may say itself when it ended its work."""

    def __init__(self, place: Place, name: str, words: list[str], group: str = "", host: int | None = None,
                 before: list[str] | None = None, limit_mebibytes: int = 0) -> None:
        super().__init__(place, name, [*(before or []), sys.executable, "-B", str(CULPRITS), name, "STAMP", *words],
                         group, host, limit_mebibytes)


class Several(Act):
    """Acts at once: as long as the longest."""

    def __init__(self, place: Place, *parts: Act) -> None:
        super().__init__(place)
        self.parts = parts

    def prepare(self) -> None:
        for part in self.parts:
            part.prepare()

    def put_on(self) -> None:
        for part in self.parts:
            part.start()

    def take_off(self) -> None:
        for part in self.parts:
            part.stop()
        self.began_ns = min(part.began_ns for part in self.parts)
        self.ended_ns = max(part.ended_ns for part in self.parts)


class Lab(Act):
    """A fault of the lab."""

    def __init__(self, place: Place, kind: str, strength: float, host: int = 0) -> None:
        super().__init__(place)
        self.fault = faults.FAULTS[kind].make(faults.Target(host, place.disk), strength)

    def prepare(self) -> None:
        self.fault.prepare()

    def put_on(self) -> None:
        self.fault.start()

    def take_off(self) -> None:
        self.fault.stop()


class Value(Act):
    """A kernel file of the job's control group has another value for a while."""

    def __init__(self, place: Place, controller: str, file: str, during: str, after: str) -> None:
        super().__init__(place)
        self.file = groups.path(controller, place.job_group) / file
        self.during, self.after = (word.replace("DEVICE", place.disk.number) for word in (during, after))

    def put_on(self) -> None:
        write(self.file, self.during)

    def take_off(self) -> None:
        write(self.file, self.after)


class Commands(Act):
    """A command puts it on and another takes it off; on a host of the lab, or on its switch."""

    def __init__(self, place: Place, where: str, on: str, off: str, ready: str = "") -> None:
        super().__init__(place)
        self.inside = ["ip", "netns", "exec", where, "sh", "-c"]
        self.on, self.off, self.ready = on, off, ready

    def prepare(self) -> None:
        if self.ready:
            run(*self.inside, self.ready)

    def put_on(self) -> None:
        run(*self.inside, self.on)

    def take_off(self) -> None:
        run(*self.inside, self.off)


class Flaps(Act):
    """The host's cable is out for a moment again and again."""

    OUT_S, IN_S = 0.3, 1.2

    def _words(self, state: str) -> list[str]:
        return ["ip", "-n", network.SWITCH, "link", "set", network.port(0), state]

    def put_on(self) -> None:
        script = (f"while :; do {' '.join(self._words('down'))}; sleep {self.OUT_S}; {' '.join(self._words('up'))}; "
                  f"sleep {self.IN_S}; done")
        self.process = subprocess.Popen(["sh", "-c", script], start_new_session=True)

    def take_off(self) -> None:
        if process := getattr(self, "process", None):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        run(*self._words("up"))


class Stopped(Act):
    """The job's last process stands still."""

    def put_on(self) -> None:
        self.pid = self.place.job_pids()[-1]
        os.kill(self.pid, signal.SIGSTOP)

    def take_off(self) -> None:
        if pid := getattr(self, "pid", 0):
            os.kill(pid, signal.SIGCONT)


class Traced(Processes):
    """strace follows every process of the job."""

    def __init__(self, place: Place) -> None:
        super().__init__(place, "traced", [])

    def put_on(self) -> None:
        self.words = ["strace", "-f", "-o", os.devnull, *(f"--attach={pid}" for pid in self.place.job_pids())]
        super().put_on()


class Pinned(Act):
    """All processes of the job may use one processor only."""

    def _allow(self, processors: set[int]) -> None:
        for pid in self.place.job_pids():
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                with contextlib.suppress(OSError):
                    os.sched_setaffinity(int(task.name), processors)

    def put_on(self) -> None:
        self._allow({0})

    def take_off(self) -> None:
        self._allow(set(range(os.cpu_count() or 1)))
