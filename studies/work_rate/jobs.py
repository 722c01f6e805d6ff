"""Jobs that know how much they get done, so that what is estimated from outside can be held against it.

    jobs.py KIND LOG [--data FILE] [--scratch FILE]

KIND is one of
    serve       a server that answers requests over loopback, and a client with three connections
    loader      reads 2 MB a step past the page cache (--data), unpacks them, computes a little
    exchange    two processes that compute, then exchange 800 KB over loopback, a step
    checkpoint  exchange, which every 18 s writes 48 MB and flushes them (--scratch)
    evaluate    exchange, which every 20 s computes for 4 s and exchanges nothing
    long        exchange, whose step computes for some two seconds and exchanges 24 MB
    compute     multiplies matrices in memory that it has, and nothing else
    files       writes, reads and deletes 20 files of 64 KB a step (--scratch)
    pipe        a process hands another 1 MB a step by a pipe
    shuffle     three processes exchange 600 KB with one another over loopback and write what came (--scratch)
    fetch       a client that asks a server of its own for 256 KB objects, one after another, and hashes them

LOG gets a line for what was done: {"end_ns": wall clock, "work": how much}. Ends at SIGTERM.
"""

import argparse
import contextlib
import hashlib
import mmap
import os
import pathlib
import random
import selectors
import signal
import socket
import time
import zlib

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402 the variable must be set before
from work_log import Log  # noqa: E402

READ_BYTES = 2 << 20


class Matrices:
    """Some compute in memory that is there already."""

    def __init__(self, width: int) -> None:
        rng = np.random.default_rng(0)
        self.a = rng.standard_normal((width, width))
        self.b = rng.standard_normal((width, width))
        self.out = np.empty((width, width))

    def multiply(self, times: int) -> None:
        for _ in range(times):
            np.matmul(self.a, self.b, out=self.out)


def take(connection: socket.socket, count: int) -> bytes:
    parts = []
    while count > 0:
        part = connection.recv(min(count, 1 << 20))
        if not part:
            raise SystemExit
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def pair() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        other, _ = server.accept()
    for end in (one, other):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return one, other


class Exchange:
    """This process and one that it forks compute and then send each other so many bytes, a step."""

    def __init__(self, width: int, size: int, times: int) -> None:
        ours, theirs = pair()
        self.size, self.times = size, times
        self.compute = Matrices(width)
        self.child = os.fork()
        if self.child == 0:
            ours.close()
            with contextlib.suppress(ConnectionError):
                while True:
                    self.half(theirs, first=False)
        theirs.close()
        self.peer = ours

    def half(self, peer: socket.socket, first: bool) -> None:
        self.compute.multiply(self.times)
        gradient = np.random.default_rng(1).integers(0, 255, self.size, dtype=np.uint8).tobytes()
        if first:
            peer.sendall(gradient)
            take(peer, self.size)
        else:
            take(peer, self.size)
            peer.sendall(gradient)

    def step(self) -> None:
        self.half(self.peer, first=True)


def exchange(log: Log, _: argparse.Namespace) -> None:
    job = Exchange(128, 400_000, 6)
    while True:
        job.step()
        log.done()


def checkpoint(log: Log, options: argparse.Namespace) -> None:
    job = Exchange(128, 400_000, 6)
    block = os.urandom(1 << 20)
    due = time.monotonic() + 18
    while True:
        job.step()
        log.done()
        if time.monotonic() >= due:
            with open(options.scratch, "wb") as out:
                for _ in range(48):
                    out.write(block)
                out.flush()
                os.fsync(out.fileno())
            due = time.monotonic() + 18


def evaluate(log: Log, _: argparse.Namespace) -> None:
    job = Exchange(128, 400_000, 6)
    due = time.monotonic() + 20
    while True:
        job.step()
        log.done()
        if time.monotonic() >= due:
            end = time.monotonic() + 4
            while time.monotonic() < end:
                job.compute.multiply(1)
            due = time.monotonic() + 20


def long(log: Log, _: argparse.Namespace) -> None:
    job = Exchange(256, 12 << 20, 120)
    while True:
        job.step()
        log.done()


def compute(log: Log, _: argparse.Namespace) -> None:
    job = Matrices(128)
    while True:
        job.multiply(4)
        log.done()


def loader(log: Log, options: argparse.Namespace) -> None:
    handle = os.open(options.data, os.O_RDONLY | os.O_DIRECT)
    places = os.fstat(handle).st_size // READ_BYTES
    buffer = mmap.mmap(-1, READ_BYTES)
    job = Matrices(96)
    while True:
        os.preadv(handle, [buffer], random.randrange(places) * READ_BYTES)
        zlib.crc32(buffer)
        job.multiply(4)
        log.done()


def answer(server: socket.socket, log: Log) -> None:
    job = Matrices(64)
    selector = selectors.DefaultSelector()
    selector.register(server, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is server:
                connection, _ = server.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                selector.register(connection, selectors.EVENT_READ)
                continue
            take(key.fileobj, 4096)
            job.multiply(4)
            key.fileobj.sendall(bytes(16384))
            log.done()


def ask(address: tuple[str, int]) -> None:
    connection = socket.create_connection(address)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while True:
        connection.sendall(bytes(4096))
        take(connection, 16384)
        time.sleep(0.004 * random.random())


def serve(log: Log, _: argparse.Namespace) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    for _ in range(3):
        if os.fork() == 0:
            ask(server.getsockname())
    answer(server, log)


def fetch(log: Log, _: argparse.Namespace) -> None:
    size = 256 << 10
    ours, theirs = pair()
    if os.fork() == 0:
        ours.close()
        while take(theirs, 64):
            theirs.sendall(bytes(size))
    theirs.close()
    while True:
        ours.sendall(bytes(64))
        hashlib.sha256(take(ours, size)).digest()
        log.done()


def files(log: Log, options: argparse.Namespace) -> None:
    folder = pathlib.Path(f"{options.scratch}_files")
    folder.mkdir(exist_ok=True)
    block = os.urandom(64 << 10)
    job = Matrices(96)
    while True:
        for number in range(20):
            (folder / str(number)).write_bytes(block)
        for number in range(20):
            zlib.crc32((folder / str(number)).read_bytes())
            (folder / str(number)).unlink()
        job.multiply(6)
        log.done()


def pipe(log: Log, _: argparse.Namespace) -> None:
    reader, writer = os.pipe()
    if os.fork() == 0:
        block = bytes(1 << 20)
        while True:
            os.write(writer, block)
    job = Matrices(96)
    while True:
        left = 1 << 20
        while left > 0:
            left -= len(os.read(reader, left))
        job.multiply(4)
        log.done()


def shuffle(log: Log, options: argparse.Namespace) -> None:
    size = 300_000
    ends = [pair() for _ in range(2)]
    for number, (_, theirs) in enumerate(ends):
        if os.fork() == 0:
            job = Matrices(96)
            while True:
                job.multiply(3)
                theirs.sendall(bytes(size))
                take(theirs, size)
                if number == 0:
                    with open(f"{options.scratch}_{number}", "wb") as out:
                        out.write(bytes(size))
    while True:
        parts = [take(ours, size) for ours, _ in ends]
        for (ours, _), part in zip(ends, parts, strict=True):
            ours.sendall(part)
        log.done()


KINDS = {one.__name__: one for one in (serve, loader, exchange, checkpoint, evaluate, long, compute, files, pipe, shuffle,
                                       fetch)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("log")
    parser.add_argument("--data")
    parser.add_argument("--scratch")
    options = parser.parse_args()
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    KINDS[options.kind](Log(options.log), options)


if __name__ == "__main__":
    main()
