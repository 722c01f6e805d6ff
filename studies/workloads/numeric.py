"""Codes as they run on machines for computing, each on data that it makes from a fixed seed.

    numeric.py KIND LOG [--scratch FOLDER]

KIND is one of
    stencil   heat in a plane of 1024 x 1024 points, explicit steps: memory's bandwidth decides
    fft       a field of 96^3 points into frequencies and back, on two threads
    sort      numbers that do not fit a chunk: chunks are sorted into files, and these are merged (--scratch)
    compress  text by zlib, bz2 and lzma, in two processes
    graph     PageRank of a graph whose degrees follow a power law: memory's latency decides

LOG gets a line for what was done: {"end_ns": wall clock, "work": how much}. Ends at SIGTERM.
"""

import argparse
import bz2
import heapq
import lzma
import os
import pathlib
import signal
import sys
import zlib
from collections.abc import Callable, Iterator

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402 the variables must be set before
import scipy.fft  # noqa: E402
import scipy.sparse  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "work_rate"))

from work_log import Log  # noqa: E402 of the study of the work rate

SPREAD = 0.2  # of heat between neighbors in a step; stable below .25
DAMPING = 0.85


class Heat:
    """The heat equation on a square whose edge stays at 0."""

    def __init__(self, field: np.ndarray) -> None:
        self.field, self.next = field.copy(), field.copy()

    def step(self) -> None:
        now, out = self.field, self.next
        out[1:-1, 1:-1] = now[1:-1, 1:-1] + SPREAD * (
            now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4 * now[1:-1, 1:-1])
        self.field, self.next = out, now


def stencil(_: pathlib.Path, draw: np.random.Generator) -> Callable[[], None]:
    field = np.zeros((1024, 1024))
    field[1:-1, 1:-1] = draw.random((1022, 1022))
    return Heat(field).step


def there_and_back(field: np.ndarray) -> np.ndarray:
    return scipy.fft.irfftn(scipy.fft.rfftn(field, workers=2), s=field.shape, workers=2)


def fft(_: pathlib.Path, draw: np.random.Generator) -> Callable[[], None]:
    field = draw.random((96, 96, 96))

    def step() -> None:
        if not np.allclose(there_and_back(field), field):
            raise SystemExit("numeric.py: the inverse transform does not give the field back")
    return step


def sort_by_files(numbers: np.ndarray, chunk: int, folder: pathlib.Path) -> Iterator[int]:
    """The numbers in order, by sorted chunks in files that are read bit by bit."""
    paths = []
    for place in range(0, len(numbers), chunk):
        paths.append(folder / f"{place}.sorted")
        np.sort(numbers[place:place + chunk]).tofile(paths[-1])
    yield from heapq.merge(*map(numbers_of, paths))
    for path in paths:
        path.unlink()


def numbers_of(path: pathlib.Path) -> Iterator[int]:
    with open(path, "rb") as file:
        while len(part := np.fromfile(file, np.int64, 4096)):
            yield from part.tolist()


def sort(folder: pathlib.Path, draw: np.random.Generator) -> Callable[[], None]:
    folder.mkdir(parents=True, exist_ok=True)

    def step() -> None:
        numbers = draw.integers(0, 1 << 62, 1 << 17)
        out = np.fromiter(sort_by_files(numbers, 1 << 14, folder), np.int64)
        if len(out) != len(numbers) or (out[:-1] > out[1:]).any():
            raise SystemExit("numeric.py: the numbers are not in order")
    return step


def packed_sizes(text: bytes) -> list[int]:
    """What each of the three makes of it, unpacked again and compared."""
    out = []
    for pack, unpack in ((zlib.compress, zlib.decompress), (bz2.compress, bz2.decompress),
                         (lambda one: lzma.compress(one, preset=1), lzma.decompress)):
        small = pack(text)
        if unpack(small) != text:
            raise SystemExit("numeric.py: what was unpacked is not what was packed")
        out.append(len(small))
    return out


def compress(_: pathlib.Path, draw: np.random.Generator) -> Callable[[], None]:
    words = [bytes(draw.integers(97, 123, draw.integers(2, 9), dtype=np.uint8)) for _ in range(4000)]

    def step() -> None:
        packed_sizes(b" ".join(words[place] for place in draw.zipf(1.3, 40_000) % len(words)))
    if os.fork() == 0:
        while True:
            step()
    return step


def links(nodes: int, edges: int, draw: np.random.Generator) -> scipy.sparse.csr_matrix:
    """A column a node with the shares of its links; few nodes have most of them."""
    to = draw.zipf(1.6, edges) % nodes
    matrix = scipy.sparse.csr_matrix((np.ones(edges), (to, draw.integers(0, nodes, edges))), (nodes, nodes))
    given = np.asarray(matrix.sum(axis=0)).ravel()
    return matrix @ scipy.sparse.diags(np.divide(1, given, out=np.zeros(nodes), where=given > 0))


def ranks(matrix: scipy.sparse.csr_matrix, rounds: int) -> np.ndarray:
    """PageRank (Brin and Page 1998) after so many rounds; a node without links gives to all."""
    nodes = matrix.shape[0]
    out = np.full(nodes, 1 / nodes)
    for _ in range(rounds):
        passed = matrix @ out
        out = DAMPING * (passed + (1 - passed.sum()) / nodes) + (1 - DAMPING) / nodes
    return out


def graph(_: pathlib.Path, draw: np.random.Generator) -> Callable[[], None]:
    matrix = links(400_000, 3_000_000, draw)

    def step() -> None:
        if abs(ranks(matrix, 5).sum() - 1) > 1e-9:
            raise SystemExit("numeric.py: the ranks do not sum to 1")
    return step


KINDS = {one.__name__: one for one in (stencil, fft, sort, compress, graph)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("log")
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path("scratch"))
    options = parser.parse_args()
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    step = KINDS[options.kind](options.scratch, np.random.default_rng(0))
    log = Log(options.log)
    while True:
        step()
        log.done()


if __name__ == "__main__":
    main()
