"""One rank of training that is spread over processes, which talk by gloo over loopback.

    parallel.py KIND RANK WORLD LOG --store FILE

KIND is one of
    data      each rank has the model, and gradients are averaged (the lab's trainer)
    pipeline  each rank has some of the layers; four micro-batches a step go through them and back (GPipe)
    sharded   each rank has a part of every parameter and of the optimizer's state; parameters are gathered for a
              step and gradients are reduced to their owner, as FSDP's SHARD_GRAD_OP does

FILE is where the ranks find one another; it must be new. LOG gets a line for what was done: {"end_ns": wall clock,
"work": how much}, of the lab's trainer with "ms" in place of the work. Ends at SIGTERM.
"""

import argparse
import datetime
import os
import pathlib
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

STUDIES = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(STUDIES / "lab"), str(STUDIES / "work_rate")]

import train  # noqa: E402 of the lab
from work_log import Log  # noqa: E402 of the study of the work rate

MICRO_BATCHES, MICRO_BATCH, WIDTH, CLASSES = 4, 16, 256, 10
MOMENTUM, RATE = 0.9, 0.01


def layer() -> nn.Module:
    return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU())


class Pipeline:
    """This rank's layers of a model whose activations go from rank to rank, and their gradients back."""

    def __init__(self, rank: int, world: int) -> None:
        self.rank, self.last = rank, rank == world - 1
        torch.manual_seed(rank)
        self.stage = nn.Sequential(layer(), layer(), *[nn.Linear(WIDTH, CLASSES)] * self.last)
        self.optimizer = torch.optim.SGD(self.stage.parameters(), lr=RATE, momentum=MOMENTUM)

    def step(self) -> float:
        self.optimizer.zero_grad()
        done = [self.forward() for _ in range(MICRO_BATCHES)]
        for taken, given in done:
            self.backward(taken, given)
        self.optimizer.step()
        return sum(given.item() for _, given in done) / MICRO_BATCHES if self.last else 0.0

    def forward(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns what came in, and what went out: of the last rank the loss."""
        taken = torch.randn(MICRO_BATCH, WIDTH)
        if self.rank > 0:
            dist.recv(taken, self.rank - 1)
            taken.requires_grad_()
        given = self.stage(taken)
        if self.last:
            return taken, nn.functional.cross_entropy(given, torch.arange(MICRO_BATCH) % CLASSES) / MICRO_BATCHES
        dist.send(given.detach(), self.rank + 1)
        return taken, given

    def backward(self, taken: torch.Tensor, given: torch.Tensor) -> None:
        gradient = None
        if not self.last:
            gradient = torch.empty_like(given)
            dist.recv(gradient, self.rank + 1)
        given.backward(gradient)
        if self.rank > 0:
            dist.send(taken.grad, self.rank - 1)


class Sharded:
    """A model of which each rank keeps a part of the parameters, and updates that."""

    def __init__(self, rank: int, world: int, model: nn.Module) -> None:
        self.rank, self.world, self.model = rank, world, model
        flat = parameters_to_vector(model.parameters()).detach()
        self.count = len(flat)
        self.pad = -self.count % world
        self.shard = nn.functional.pad(flat, (0, self.pad)).chunk(world)[rank].clone()
        self.velocity = torch.zeros_like(self.shard)

    def gather(self) -> None:
        parts = [torch.empty_like(self.shard) for _ in range(self.world)]
        dist.all_gather(parts, self.shard)
        vector_to_parameters(torch.cat(parts)[:self.count], self.model.parameters())

    def step(self, inputs: torch.Tensor, labels: torch.Tensor) -> float:
        self.gather()
        self.model.zero_grad()
        loss = nn.functional.cross_entropy(self.model(inputs), labels)
        loss.backward()
        flat = parameters_to_vector([parameter.grad for parameter in self.model.parameters()])
        parts = [part.clone() for part in nn.functional.pad(flat, (0, self.pad)).chunk(self.world)]
        for owner, part in enumerate(parts):  # gloo has no reduce_scatter
            dist.reduce(part, owner)
        self.velocity.mul_(MOMENTUM).add_(parts[self.rank] / self.world)
        self.shard.sub_(RATE * self.velocity)
        return loss.item()


def data(options: argparse.Namespace) -> None:
    train.Rank(train.options_of("mlp", 8, options.log, options.world)).run()


def pipeline(options: argparse.Namespace) -> None:
    job, log = Pipeline(options.rank, options.world), Log(options.log)
    while True:
        job.step()
        log.done()


def sharded(options: argparse.Namespace) -> None:
    torch.manual_seed(0)  # the same parameters at each rank
    job, log = Sharded(options.rank, options.world, train.Transformer()), Log(options.log)
    torch.manual_seed(options.rank)
    while True:
        job.step(train.inputs("transformer", 8), torch.randint(0, train.CLASSES, (8,)))
        log.done()


KINDS = {one.__name__: one for one in (data, pipeline, sharded)}


def join(rank: int, world: int, store: str) -> None:
    """Finds the other ranks by a file that all of them can write."""
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world,
                            timeout=datetime.timedelta(seconds=120))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("rank", type=int)
    parser.add_argument("world", type=int)
    parser.add_argument("log")
    parser.add_argument("--store", required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.rank)
    join(options.rank, options.world, options.store)
    KINDS[options.kind](options)


if __name__ == "__main__":
    main()
