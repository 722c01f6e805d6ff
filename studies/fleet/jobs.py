"""Work of hosts that do not train: each step uses the processor, the network and the disk a little, and rests.

    jobs.py store DISK LOG                          gives blocks of DISK to who asks
    jobs.py load ADDRESS DISK CACHED LOG REST       takes blocks from a store, reads DISK past the page cache and CACHED
                                                    through it, and unpacks
    jobs.py serve ADDRESS DISK LOG REST             answers who asks, and asks the host at ADDRESS

LOG gets a line a step, as the lab's trainer writes it: {"end_ns": wall clock, "ms": what it took}; a store's step is
a block, and who serves writes to LOG.answers how long each answer took. REST is in seconds, between steps.
"""

import contextlib
import json
import mmap
import os
import random
import socket
import sys
import threading
import time
import zlib

PORT = 7400
BLOCK = 256 << 10
ASKED, ANSWERED = 16 << 10, 64 << 10
PATIENCE_S = 30
PACKED = zlib.compress(b"".join(f"{number * number % 99991:05d} ".encode() for number in range(120_000)), 6)


class Disk:
    """Reads blocks at random places past the page cache."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDONLY | os.O_DIRECT)
        self._places = os.lseek(self._file, 0, os.SEEK_END) // BLOCK

    def read(self) -> bytes:
        with mmap.mmap(-1, BLOCK) as room:
            os.preadv(self._file, [room], random.randrange(self._places) * BLOCK)
            return room[:]


class Log:
    def __init__(self, path: str) -> None:
        self._out, self._lock = open(path, "a", encoding="ascii", buffering=1), threading.Lock()

    @contextlib.contextmanager
    def step(self):
        begin = time.monotonic_ns()
        yield
        line = json.dumps({"end_ns": time.time_ns(), "ms": (time.monotonic_ns() - begin) / 1e6}) + "\n"
        with self._lock:
            self._out.write(line)


def received(connection: socket.socket, count: int) -> bytes:
    out = bytearray()
    while len(out) < count:
        part = connection.recv(count - len(out))
        if not part:
            raise ConnectionError("the other side is gone")
        out += part
    return bytes(out)


def connect(address: str) -> socket.socket:
    """Waits for who is to answer."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            connection = socket.create_connection((address, PORT), timeout=PATIENCE_S)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
            continue
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


def listen(answer) -> None:
    """Answers each connection in a thread of its own."""
    def talk(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                answer(connection)
    with socket.create_server(("0.0.0.0", PORT)) as server:
        while True:
            connection, _ = server.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=talk, args=(connection,), daemon=True).start()


def store(disk: str, log: str) -> None:
    source, steps = Disk(disk), Log(log)

    def answer(connection: socket.socket) -> None:
        received(connection, 1)
        with steps.step():
            connection.sendall(source.read())
    listen(answer)


def load(address: str, disk: str, cached: str, log: str, rest: str) -> None:
    source, steps, connection = Disk(disk), Log(log), connect(address)
    while True:
        with steps.step():
            connection.sendall(b"b")
            received(connection, BLOCK)
            source.read()
            with open(cached, "rb", buffering=0) as file:
                while file.read(1 << 20):
                    pass
            zlib.decompress(PACKED)
        time.sleep(float(rest))


def serve(address: str, disk: str, log: str, rest: str) -> None:
    source, steps, answers = Disk(disk), Log(log), Log(f"{log}.answers")

    def answer(connection: socket.socket) -> None:
        asked = received(connection, ASKED)
        with answers.step():
            zlib.decompress(PACKED)
            connection.sendall((asked + source.read())[:ANSWERED])
    threading.Thread(target=listen, args=(answer,), daemon=True).start()
    connection = connect(address)
    while True:
        with steps.step():
            connection.sendall(bytes(ASKED))
            received(connection, ANSWERED)
        time.sleep(float(rest))


KINDS = {one.__name__: one for one in (store, load, serve)}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    KINDS[sys.argv[1]](*sys.argv[2:])
