"""A host made of files whose counters move, with a storage burst when the test wants one.

A copy of a fixture host; a thread rewrites its diskstats and its stat every few milliseconds, in
place, because reveal keeps the files open. The texts only grow, so that a reader never meets an old
end behind a new begin.
"""

import pathlib
import random
import re
import shutil
import threading
import time

from reveal_process import FIXTURES, host_roots

SECTORS_READ = 5  # field of a diskstats line, counted from 0 with the three of the device's name


class Moving:
    """Something that moves while it is entered: `_move`, on a thread of its own, until `_stop` is set."""

    def __init__(self):
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._move, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()


class MovingHost(Moving):
    def __init__(self, folder, name="vm-2cpu-linux-6.18", every_s=0.005, stalls=False):
        """`stalls`: in a burst tasks wait for the disk four fifths of the time."""
        super().__init__()
        self.path = pathlib.Path(folder)
        for tree in ("proc", "sys"):
            shutil.copytree(FIXTURES / name / tree, self.path / tree)
        self.roots = host_roots(self.path)
        self.burst = threading.Event()
        self._random = random.Random(7)
        self._every_s = every_s
        self._stalls = stalls

    def _move(self):
        disks = (self.path / "proc/diskstats").read_text()
        cpus = (self.path / "proc/stat").read_text()
        waits = (self.path / "proc/pressure/io").read_text()
        with open(self.path / "proc/diskstats", "r+b", buffering=0) as disk_file, \
             open(self.path / "proc/stat", "r+b", buffering=0) as cpu_file, \
             open(self.path / "proc/pressure/io", "r+b", buffering=0) as stall_file:
            then = time.monotonic()
            while not self._stop.wait(self._every_s):
                now = time.monotonic()
                if self._stalls and self.burst.is_set():
                    waits = re.sub(r"total=\d+", lambda match: self._later(match, now - then), waits)
                    overwrite(stall_file, waits)
                then = now
                disks = re.sub(r"^.* vda .*$", self._disk_line, disks, flags=re.M)
                cpus = re.sub(r"^cpu\d* .*$", self._cpu_line, cpus, flags=re.M)
                overwrite(disk_file, disks)
                overwrite(cpu_file, cpus)

    @staticmethod
    def _later(match, elapsed_s):
        return f"total={int(match[0][6:]) + int(800_000 * elapsed_s)}"

    def _disk_line(self, match):
        fields = match.group().split()
        factor = 1000 if self.burst.is_set() else 1
        for index in range(3, 10):
            fields[index] = str(int(fields[index]) + factor * self._random.randint(1, 8))
        return " ".join(fields)

    def _cpu_line(self, match):
        name, *ticks = match.group().split()
        for index in (0, 2, 3):
            ticks[index] = str(int(ticks[index]) + self._random.randint(0, 2))
        return " ".join([name, *ticks])


def overwrite(file, text):
    file.seek(0)
    file.write(text.encode())
