"""A job that compresses 3 MB every quarter of a second, on processor 1, and writes the result to the disk.

    pack.py LOG FILE

LOG gets a line a step, as the lab's trainer writes it: {"end_ns": wall clock, "ms": what it took}. The rest
of the quarter is no part of a step. Ends at SIGTERM.
"""

import json
import os
import pathlib
import sys
import time
import zlib

PERIOD_S = 0.25
CHUNK = 64 << 10


def data() -> bytes:
    words = [f"{number * number % 99991:05d} ".encode() * (number % 3 + 1) for number in range(300_000)]
    return b"".join(words)[:3 << 20]


def step(source: bytes, file: pathlib.Path) -> None:
    packer = zlib.compressobj(6)
    with open(file, "wb") as out:
        for place in range(0, len(source), CHUNK):
            out.write(packer.compress(source[place:place + CHUNK]))
        out.write(packer.flush())
        out.flush()
        os.fsync(out.fileno())


def main() -> None:
    log, file = map(pathlib.Path, sys.argv[1:])
    os.sched_setaffinity(0, {1})
    source = data()
    with open(log, "a", encoding="ascii", buffering=1) as out:
        while True:
            begin = time.monotonic_ns()
            step(source, file)
            took = time.monotonic_ns() - begin
            out.write(json.dumps({"end_ns": time.time_ns(), "ms": took / 1e6}) + "\n")
            time.sleep(max(0.0, PERIOD_S - took / 1e9))


if __name__ == "__main__":
    main()
