"""What disturbs, as processes that a report can name, until they are killed.

    culprits.py NAME STAMP KIND [WORD...]

calls itself NAME (15 characters at most), writes to the file STAMP the time (ns of CLOCK_REALTIME) at which
it begins its work, and does KIND, a function of `KINDS` below or of the lab's hogs, with these words. Some
do the work of tools that not every machine has: stress-ng's classes, fio, iperf3.
"""

import contextlib
import ctypes
import math
import mmap
import multiprocessing
import os
import pathlib
import random
import signal
import socket
import sqlite3
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hogs  # noqa: E402 of the lab

MIB = 1 << 20


def spin(cpu: str) -> None:
    if cpu != "-":
        os.sched_setaffinity(0, {int(cpu)})
    while True:
        pass


def bursts(busy_s: str) -> None:
    """Works and rests in turn, for as long each."""
    while True:
        end = time.monotonic() + float(busy_s)
        while time.monotonic() < end:
            pass
        time.sleep(float(busy_s))


def switches() -> None:
    """Two processes that wake each other through pipes."""
    (to_read, to_write), (back_read, back_write) = os.pipe(), os.pipe()
    if os.fork() == 0:
        while True:
            os.write(back_write, os.read(to_read, 1))
    while True:
        os.write(to_write, b"x")
        os.read(back_read, 1)


def forks() -> None:
    while True:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)


def timers() -> None:
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 5e-5, 5e-5)
    while True:
        signal.pause()


def page_faults() -> None:
    while True:
        memory = mmap.mmap(-1, 16 * MIB)
        memory.madvise(mmap.MADV_NOHUGEPAGE)
        for page in range(0, len(memory), mmap.PAGESIZE):
            memory[page] = 1
        memory.close()


def matrix() -> None:
    import numpy as np
    a = np.random.default_rng(0).standard_normal((256, 256))
    while True:
        np.matmul(a, a)


def stream() -> None:
    import numpy as np
    source, target = np.ones(8 * MIB), np.empty(8 * MIB)
    while True:
        np.copyto(target, source)


def caches() -> None:
    """Reads at random from as much memory as a last-level cache may have."""
    import numpy as np
    rng = np.random.default_rng(0)
    memory, places = np.ones(4 * MIB), rng.integers(0, 4 * MIB, MIB)
    while True:
        memory.take(places).sum()


def dentries(folder: str) -> None:
    mine = pathlib.Path(folder) / f"dentries{os.getpid()}"
    mine.mkdir()
    while True:
        for number in range(500):
            os.close(os.open(mine / str(number), os.O_CREAT | os.O_WRONLY))
        for number in range(500):
            with contextlib.suppress(OSError):
                os.stat(mine / f"missing{number}")
            os.unlink(mine / str(number))


def random_io(file: str) -> None:
    """4 KiB at random places past the page cache, as often read as written."""
    handle = os.open(file, os.O_RDWR | os.O_DIRECT)
    places = os.fstat(handle).st_size // 4096
    buffer = mmap.mmap(-1, 4096)
    while True:
        os.preadv(handle, [buffer], random.randrange(places) * 4096)
        os.pwritev(handle, [buffer], random.randrange(places) * 4096)


def log_lines(file: str) -> None:
    lines = b"".join(b"%d something happened again, and is told at length %s\n" % (one, b"." * 100)
                     for one in range(7000))
    handle = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    while True:
        for _ in range(64):
            os.write(handle, lines)
        os.fdatasync(handle)
        os.lseek(handle, 0, os.SEEK_SET)


def syncs(file: str) -> None:
    handle = os.open(f"{file}{os.getpid()}", os.O_CREAT | os.O_WRONLY)
    while True:
        os.pwrite(handle, b"x" * 4096, random.randrange(1000) * 4096)
        os.fsync(handle)


def commits(file: str) -> None:
    base = sqlite3.connect(f"{file}{os.getpid()}", isolation_level=None)
    base.execute("create table t (k integer primary key, v text)")
    while True:
        base.execute("insert into t (v) values (?)", ("x" * 500,))


def read_cached(file: str) -> None:
    """Through the page cache, which forgets it each time: what a large data set does."""
    while True:
        handle = os.open(file, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        while os.read(handle, MIB):
            pass
        os.close(handle)


def reread(file: str) -> None:
    """Through the page cache, beginning with one that has nothing of the file: it is charged to who reads it first."""
    with open(file, "rb") as source:
        os.posix_fadvise(source.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    while True:
        with open(file, "rb", buffering=0) as source:
            while source.read(MIB):
                pass


def copies(file: str, to: str) -> None:
    """Through the page cache, without an end."""
    while True:
        copy(file, to)


def copy(file: str, to: str) -> None:
    with open(file, "rb") as source, open(to, "wb") as target:
        while block := source.read(MIB):
            target.write(block)


def copy_once(file: str, to: str) -> None:
    copy(file, to)
    signal.pause()


def grow(mebibytes: str, seconds: str) -> None:
    """Takes so much memory in so many seconds, and keeps it."""
    kept = []
    begin, total = time.monotonic(), int(mebibytes)
    while len(kept) < total:
        due = (time.monotonic() - begin) / float(seconds) * total
        while len(kept) < min(due, total):
            kept.append(b"\x01" * MIB)
        time.sleep(0.005)
    signal.pause()


def sleepers(count: str) -> None:
    for _ in range(int(count)):
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    signal.pause()


def direct(file: str, kibibytes: str) -> None:
    """What dd does past the page cache."""
    write_directly(file, int(kibibytes), math.inf)


def write_directly(file: str, kibibytes: int, seconds: float) -> None:
    """So much of a write, over and over in the same 256 places."""
    handle = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_DIRECT)
    block = mmap.mmap(-1, kibibytes << 10)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for place in range(256):
            os.pwritev(handle, [block], place * len(block))
            if time.monotonic() >= end:
                break


def arrives(file: str, seconds: str) -> None:
    """A neighbor with 600 MB and 60 threads, which writes at first and then stays."""
    kept = b"\x01" * (600 * MIB)
    for _ in range(60):
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    stamp(sys.argv[2])
    write_directly(file, 1024, float(seconds))
    stamp(f"{sys.argv[2]}.end")
    while kept:
        signal.pause()


def beside(mebibytes: str) -> None:
    """A job that hardly does anything: 20 ms of work every half a second."""
    kept = b"\x01" * (int(mebibytes) * MIB)
    for _ in range(20):
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    while kept:
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        time.sleep(0.5)


def flood(address: str, burst: str) -> None:
    hogs.flood(address, int(burst))


def sink(port: str) -> None:
    with socket.create_server(("0.0.0.0", int(port))) as server:
        connection, _ = server.accept()
        while connection.recv(MIB):
            pass
    signal.pause()


def send(address: str, port: str) -> None:
    while True:
        with contextlib.suppress(OSError), socket.create_connection((address, int(port))) as connection:
            while True:
                connection.sendall(bytes(MIB))
        time.sleep(0.01)


def futexes(count: str) -> None:
    """So many processes and one lock."""
    lock = multiprocessing.Lock()

    def work() -> None:
        while True:
            with lock:
                pass
    many(int(count), work)


def many(count: int, work, *words: str) -> None:
    """The work in as many processes."""
    for _ in range(count - 1):
        if os.fork() == 0:
            break
    work(*words)


ALONE = (copy_once, direct, grow, sleepers, arrives, beside, flood, sink, send, futexes)
COUNTED = (spin, bursts, switches, forks, timers, page_faults, matrix, stream, caches, dentries, random_io, log_lines,
           syncs, commits, read_cached, reread, copies, hogs.read)
KINDS = {one.__name__: one for one in ALONE + COUNTED}


def stamp(file: str) -> None:
    pathlib.Path(file).write_text(f"{time.time_ns()}\n", encoding="ascii")


def call_me(name: str) -> None:
    ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)  # PR_SET_NAME


def main() -> None:
    name, file, kind, *words = sys.argv[1:]
    call_me(name)
    work = KINDS[kind]
    if kind in ("matrix", "stream", "caches"):
        import numpy  # noqa: F401 before the work begins
    stamp(file)
    if work in COUNTED:
        many(int(words[0]), work, *words[1:])
    else:
        work(*words)


if __name__ == "__main__":
    main()
