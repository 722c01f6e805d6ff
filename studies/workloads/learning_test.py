"""Training trains: losses fall, and what is spread over ranks gives the parameters that one process has."""

import pathlib
import tempfile
import unittest

import learn
import parallel
import torch
import torch.multiprocessing
from torch import nn
from torch.nn.utils import parameters_to_vector

WORLD, STEPS = 2, 3
EXAMPLES = 6


class Learning(unittest.TestCase):
    def losses(self, step, count):
        return [step() for _ in range(count)]

    def test_losses_fall(self):
        for kind, make, count, share in (("recurrent", learn.recurrent, 40, 0.95), ("autoencoder", learn.autoencoder, 60, 0.6),
                                         ("embedding", lambda: learn.embedding(rows=64), 150, 0.95)):
            with self.subTest(kind=kind):
                torch.manual_seed(0)
                losses = self.losses(make(), count)
                self.assertLess(sum(losses[-5:]), share * sum(losses[:5]))


def small() -> nn.Module:
    torch.manual_seed(7)
    return nn.Sequential(nn.Linear(5, 9), nn.ReLU(), nn.Linear(9, 3))


def batch(rank: int, step: int) -> tuple[torch.Tensor, torch.Tensor]:
    draw = torch.Generator().manual_seed(10 * step + rank)
    return torch.randn(EXAMPLES, 5, generator=draw), torch.randint(0, 3, (EXAMPLES,), generator=draw)


def sharded_rank(rank: int, folder: str) -> None:
    parallel.join(rank, WORLD, f"{folder}/store")
    job = parallel.Sharded(rank, WORLD, small())
    for step in range(STEPS):
        job.step(*batch(rank, step))
    job.gather()
    torch.save(parameters_to_vector(job.model.parameters()).detach(), f"{folder}/{rank}")


def pipeline_rank(rank: int, folder: str) -> None:
    parallel.join(rank, WORLD, f"{folder}/store")
    job = parallel.Pipeline(rank, WORLD)
    job.step()
    torch.save(parameters_to_vector(job.stage.parameters()).detach(), f"{folder}/{rank}")


class Parallel(unittest.TestCase):
    def ranks(self, run):
        """What each rank left."""
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(run, (folder,), WORLD)
            return [torch.load(pathlib.Path(folder) / str(rank)) for rank in range(WORLD)]

    def test_sharded_is_training_on_all_examples_at_once(self):
        model = small()
        optimizer = torch.optim.SGD(model.parameters(), lr=parallel.RATE, momentum=parallel.MOMENTUM)
        for step in range(STEPS):
            inputs, labels = map(torch.cat, zip(*(batch(rank, step) for rank in range(WORLD)), strict=True))
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
        wanted = parameters_to_vector(model.parameters()).detach()
        for found in self.ranks(sharded_rank):
            torch.testing.assert_close(found, wanted)

    def test_the_pipeline_is_one_model(self):
        stages = []
        for rank in range(WORLD):
            stages.append(parallel.Pipeline(rank, WORLD))
            if rank == 0:  # rank 0 draws its micro-batches behind its weights
                inputs = [torch.randn(parallel.MICRO_BATCH, parallel.WIDTH) for _ in range(parallel.MICRO_BATCHES)]
        whole = nn.Sequential(*(one.stage for one in stages))
        optimizer = torch.optim.SGD(whole.parameters(), lr=parallel.RATE, momentum=parallel.MOMENTUM)
        labels = torch.arange(parallel.MICRO_BATCH) % parallel.CLASSES
        loss = nn.functional.cross_entropy(whole(torch.cat(inputs)), labels.repeat(parallel.MICRO_BATCHES))
        loss.backward()
        optimizer.step()
        for one, found in zip(stages, self.ranks(pipeline_rank), strict=True):
            torch.testing.assert_close(found, parameters_to_vector(one.stage.parameters()).detach())


if __name__ == "__main__":
    unittest.main()
