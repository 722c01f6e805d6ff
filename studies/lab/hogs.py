"""Neighbors that take what a job needs, until SIGTERM.

    hogs.py spin COUNT CPU         busy processes on that processor
    hogs.py read COUNT FILE        processes that read FILE at random, past the page cache
    hogs.py write MEGABYTES FILE   writes so much through the page cache, and flushes it
    hogs.py touch MEGABYTES PROCS  joins the control group, then writes to so much memory over and over
    hogs.py flood ADDRESS BURST    small UDP packets, so many before each short rest
"""

import mmap
import os
import random
import signal
import socket
import sys
import time

BLOCK = 128 << 10


def spin(cpu: int) -> None:
    os.sched_setaffinity(0, {cpu % (os.cpu_count() or 1)})
    while True:
        pass


def read(file: str) -> None:
    handle = os.open(file, os.O_RDONLY | os.O_DIRECT)
    places = os.fstat(handle).st_size // BLOCK
    buffer = mmap.mmap(-1, BLOCK)
    while True:
        os.preadv(handle, [buffer], random.randrange(places) * BLOCK)


def write(megabytes: int, file: str) -> None:
    block = os.urandom(1 << 20)
    with open(file, "wb") as out:
        for _ in range(megabytes):
            out.write(block)
        out.flush()
        os.fsync(out.fileno())
    signal.pause()


def touch(megabytes: int, procs: str) -> None:
    with open(procs, "w", encoding="ascii") as group:
        group.write(str(os.getpid()))
    memory = mmap.mmap(-1, megabytes << 20)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    while True:
        for page in range(0, len(memory), mmap.PAGESIZE):
            memory[page] = (memory[page] + 1) % 256


def flood(address: str, burst: int) -> None:
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    while True:
        for port in range(burst):
            try:
                sender.sendto(b"x" * 64, (address, 20000 + port))
            except OSError:  # refused: nobody listens, which costs the receiver just as much
                pass
        time.sleep(0.0005)


def many(count: int, work, *words) -> None:
    """As many processes, which end with this one."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    for _ in range(count - 1):
        if os.fork() == 0:
            work(*words)
    work(*words)


def main(kind: str, amount: str, place: str) -> None:
    if kind == "spin":
        many(int(amount), spin, int(place))
    elif kind == "read":
        many(int(amount), read, place)
    elif kind == "write":
        write(int(amount), place)
    elif kind == "touch":
        touch(int(amount), place)
    elif kind == "flood":
        flood(amount, int(place))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
