"""One rank of a training run, real gradients averaged by gloo over the rank's own network.

    train.py RANK WORLD ADDRESS MODEL BATCH LOG [--data FILE] [--read KIB] [--rest S]
             [--pause FROM:TO] [--batch-from T:B]

MODEL is transformer, cnn, mlp or infer (the transformer without gradients, each rank for itself).
LOG gets a line a step: {"end_ns": wall clock, "ms": what it took}. Runs until SIGTERM; all ranks end
after the same step. --data reads each batch, of --read KiB, from FILE past the page cache, as a data loader does.
With --rest each rank rests for so many seconds after each step, so that many fit on one machine.
Times count in seconds from the start: pauses and new batch sizes are a workload's own, no fault.
"""

import argparse
import datetime
import json
import mmap
import os
import random
import signal
import time

import torch
import torch.distributed as dist
from torch import nn

IMAGE, CLASSES, WORDS, LENGTH, WIDTH = 32, 10, 512, 32, 128
READ_KIB = 2048


class Transformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 2 * WIDTH, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(self.words(words)).mean(1))


def cnn() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 32, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3), nn.ReLU(),
        nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(1024, 256), nn.ReLU(), nn.Linear(256, CLASSES))


def mlp() -> nn.Module:
    width = 384
    return nn.Sequential(nn.Flatten(), nn.Linear(3 * IMAGE * IMAGE, width), nn.ReLU(),
                         nn.Linear(width, width), nn.ReLU(), nn.Linear(width, CLASSES))


MODELS = {"transformer": Transformer, "infer": Transformer, "cnn": cnn, "mlp": mlp}


def inputs(kind: str, batch: int) -> torch.Tensor:
    if kind in ("transformer", "infer"):
        return torch.randint(0, WORDS, (batch, LENGTH))
    return torch.randn(batch, 3, IMAGE, IMAGE)


class Rank:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.begin = time.monotonic()
        self.stopping = False
        self.model = MODELS[options.model]()
        if options.model != "infer" and options.world > 1:
            self.model = nn.parallel.DistributedDataParallel(self.model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01, momentum=0.9)
        self.data = os.open(options.data, os.O_RDONLY | os.O_DIRECT) if options.data else None
        self.buffer = mmap.mmap(-1, options.read << 10)
        signal.signal(signal.SIGTERM, self.stop)

    def stop(self, *_: object) -> None:
        self.stopping = True

    def read(self) -> None:
        if self.data is not None:
            places = os.lseek(self.data, 0, os.SEEK_END) // len(self.buffer)
            os.preadv(self.data, [self.buffer], random.randrange(places) * len(self.buffer))

    def batch(self) -> int:
        if self.options.batch_from and time.monotonic() - self.begin >= self.options.batch_from[0]:
            return int(self.options.batch_from[1])
        return self.options.batch

    def step(self) -> None:
        self.read()
        x = inputs(self.options.model, self.batch())
        if self.options.model == "infer":
            with torch.no_grad():
                self.model(x)
            return
        loss = nn.functional.cross_entropy(self.model(x), torch.randint(0, CLASSES, (len(x),)))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def goes_on(self) -> bool:
        if self.options.world == 1 or self.options.model == "infer":
            return not self.stopping
        flag = torch.tensor([0.0 if self.stopping else 1.0])
        dist.all_reduce(flag, op=dist.ReduceOp.MIN)
        return flag.item() > 0

    def pause(self) -> None:
        if self.options.pause:
            begin, end = self.options.pause
            now = time.monotonic() - self.begin
            if begin <= now < end:
                time.sleep(end - now)

    def run(self) -> None:
        with open(self.options.log, "w", encoding="ascii", buffering=1) as log:
            while self.goes_on():
                self.pause()
                begin = time.monotonic_ns()
                self.step()
                took = time.monotonic_ns() - begin
                log.write(json.dumps({"end_ns": time.time_ns(), "ms": took / 1e6}) + "\n")
                time.sleep(self.options.rest)


def pair(text: str) -> tuple[float, float]:
    first, _, second = text.partition(":")
    return float(first), float(second)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("rank", "world"):
        parser.add_argument(name, type=int)
    parser.add_argument("address")
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("batch", type=int)
    parser.add_argument("log")
    parser.add_argument("--data")
    parser.add_argument("--read", type=int, default=READ_KIB)
    parser.add_argument("--rest", type=float, default=0.0)
    parser.add_argument("--pause", type=pair)
    parser.add_argument("--batch-from", type=pair)
    return parser


def options_of(model: str, batch: int, log: object, world: int, rank: int = 0) -> argparse.Namespace:
    """Those of a rank that another study makes, with the defaults of the rest."""
    return parser().parse_args([str(word) for word in (rank, world, "", model, batch, log)])


def run_rank(options: argparse.Namespace, kind: type["Rank"]) -> None:
    """Meets the other ranks, and runs one of that kind until all end."""
    torch.set_num_threads(1)
    torch.manual_seed(options.rank)
    if options.world > 1:
        os.environ.update(MASTER_ADDR=options.address, MASTER_PORT="29517")
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "eth0")
        dist.init_process_group("gloo", rank=options.rank, world_size=options.world,
                                timeout=datetime.timedelta(seconds=120))
    kind(options).run()
    if options.world > 1:
        dist.barrier()


def main() -> None:
    run_rank(parser().parse_args(), Rank)


if __name__ == "__main__":
    main()
