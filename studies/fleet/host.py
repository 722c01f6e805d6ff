"""The first process of a host of the fleet study: makes what is the host's own, then starts and ends its programs.

    host.py NAME NETWORK GROUP PROCESSES

NETWORK is the file of its network namespace, GROUP the name of its control group below each hierarchy. The host gets
its own mounts, name and view of control groups, and if PROCESSES is "own", not "machine", a view of its processes alone.
A GPU tells its users by the numbers that processes have on the machine. /proc/pressure shows what the host's own group
waits for; the rest of /proc is the machine's. What the kernel refuses is told as a note, and the host goes on without it.

A line of JSON on stdin is a command; a line on stdout is its answer. The first line out has the notes.
    {"start": NAME, "words": [...], "group": "/work/job", "log": FILE, "env": {...}}    {"pid": N}
    {"signal": NAME, "number": N}                                                       {}
    {"end": NAME}                                                                       {"status": N or null}
The end of stdin ends the host with all its processes.
"""

import contextlib
import ctypes
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
from collections.abc import Callable

CGROUPS = pathlib.Path("/sys/fs/cgroup")
NEW_MOUNTS, NEW_GROUPS, NEW_NAME, NEW_PROCESSES, NEW_NETWORK = 0x20000, 0x2000000, 0x4000000, 0x20000000, 0x40000000
PRIVATE, RECURSIVE, BIND, DETACH = 1 << 18, 1 << 14, 1 << 12, 2
DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG
ONE = ("cpu", "cpuacct", "memory", "blkio")  # controllers of version 1, a hierarchy each
AGENT = "/agent"

_libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *words: object) -> None:
    if getattr(_libc, name)(*(word.encode() if isinstance(word, str) else word for word in words)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def is_unified(root: pathlib.Path = CGROUPS) -> bool:
    return (root / "cgroup.controllers").exists()


def hierarchies(root: pathlib.Path = CGROUPS) -> list[pathlib.Path]:
    """Folders in which a host has a group. With version 1 there may be one of version 2 that only counts waits."""
    if is_unified(root):
        return [root]
    return [root / name for name in (*ONE, "unified") if (root / name / "cgroup.procs").exists()]


class Notes(list):
    def attempt(self, what: str, act: Callable[[], None]) -> bool:
        try:
            act()
        except OSError as refused:
            self.append(f"{what}: {refused}")
            return False
        return True


def join(group: str, root: pathlib.Path = CGROUPS) -> None:
    """Puts the calling process there."""
    for hierarchy in hierarchies(root):
        (hierarchy / group.lstrip("/") / "cgroup.procs").write_text("0", encoding="ascii")


def mount_groups() -> None:
    """Version 1 or 2, as the machine has them; the host's own group is the root of each."""
    if UNIFIED:
        call("mount", "none", str(CGROUPS), "cgroup2", 0, None)
        return
    call("mount", "none", str(CGROUPS), "tmpfs", 0, None)
    for name in KNOWN:
        (CGROUPS / name).mkdir()
        if name == "unified":
            call("mount", "none", str(CGROUPS / name), "cgroup2", 0, None)
        else:
            call("mount", "none", str(CGROUPS / name), "cgroup", 0, name)


def mount_own(notes: Notes, own_processes: bool) -> None:
    call("mount", "none", "/", None, RECURSIVE | PRIVATE, None)
    if own_processes:
        notes.attempt("proc", lambda: call("mount", "proc", "/proc", "proc", 0, None))
    notes.attempt("sys", lambda: call("umount2", "/sys", DETACH))
    notes.attempt("sys", lambda: call("mount", "sysfs", "/sys", "sysfs", 0, None))
    notes.attempt("control groups", mount_groups)
    tracing = "/sys/kernel/tracing"
    if os.path.isdir(tracing):
        notes.attempt("tracing", lambda: call("mount", "none", tracing, "tracefs", 0, None))


def bind_pressure(notes: Notes) -> None:
    top = CGROUPS if UNIFIED else CGROUPS / "unified"
    for name in ("cpu", "memory", "io", "irq"):
        own, shown = top / f"{name}.pressure", f"/proc/pressure/{name}"
        if os.path.exists(shown):
            notes.attempt(f"pressure of {name}", lambda own=own, shown=shown:
                          call("mount", str(own), shown, None, BIND, None))


UNIFIED = is_unified()
KNOWN = [path.name for path in hierarchies()]


class Programs:
    """What runs on the host, by name. `above` is the part of its groups' names that the host sees."""

    def __init__(self, above: str) -> None:
        self._above, self._all = above, {}

    def start(self, command: dict) -> dict:
        with open(command["log"], "ab") as log:
            process = subprocess.Popen(
                command["words"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, process_group=0,
                cwd=command.get("folder"), env={**os.environ, **command.get("env", {})},
                preexec_fn=lambda: join(self._above + command["group"]))
        self._all[command["start"]] = process
        return {"pid": process.pid}

    def signal(self, command: dict) -> dict:
        """To all processes of the program's group of processes."""
        process = self._all[command["signal"]]
        if process.poll() is not None:
            return {"error": f"{command['signal']} has ended with {process.returncode}"}
        os.killpg(process.pid, command["number"])
        return {}

    def end(self, command: dict) -> dict:
        process = self._all.pop(command["end"])
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return {"status": process.wait()}

    def obey(self, command: dict) -> dict:
        act = self.start if "start" in command else self.signal if "signal" in command else self.end
        try:
            return act(command)
        except (OSError, KeyError, subprocess.SubprocessError) as error:
            return {"error": f"{type(error).__name__}: {error}"}


    def close(self) -> None:
        for name in list(self._all):
            self.end({"end": name})


def answer(what: dict) -> None:
    print(json.dumps(what), flush=True)


def serve(notes: Notes, above: str) -> None:
    programs = Programs(above)
    answer({"notes": notes})
    for line in sys.stdin:
        answer(programs.obey(json.loads(line)))
    programs.close()


def main() -> None:
    name, network, group, processes = sys.argv[1:]
    notes = Notes()
    with open(network, "rb") as file:
        call("setns", file.fileno(), NEW_NETWORK)
    call("unshare", NEW_MOUNTS)
    join(group)
    own_groups = notes.attempt("view of control groups", lambda: call("unshare", NEW_GROUPS))
    join(group + AGENT)  # with version 2 the processes of a group that has limits for its children are theirs
    if notes.attempt("name", lambda: call("unshare", NEW_NAME)):
        socket.sethostname(name)
    own_processes = processes == "own" and notes.attempt("processes", lambda: call("unshare", NEW_PROCESSES))
    if own_processes:
        child = os.fork()
        if child:
            sys.stdin.close()
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
        call("prctl", DIES_WITH_PARENT, signal.SIGKILL)
    mount_own(notes, own_processes)
    if own_groups:
        bind_pressure(notes)
    serve(notes, "" if own_groups else group)


if __name__ == "__main__":
    main()
