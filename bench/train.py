"""A small training run for the benchmarks: two ranks, gradients averaged by gloo, data made here.

    train.py SECONDS
"""

import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel

RANKS = 2


def train(rank, seconds):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29517")
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    torch.manual_seed(rank)
    torch.set_num_threads(1)
    model = DistributedDataParallel(nn.Sequential(
        nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(4),
        nn.Flatten(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    end = time.monotonic() + seconds
    go_on = torch.ones(1)
    while True:
        images, labels = torch.randn(16, 3, 32, 32), torch.randint(0, 10, (16,))
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        # All ranks stop after the same step, whoever's time is over first.
        go_on.fill_(1.0 if time.monotonic() < end else 0.0)
        dist.all_reduce(go_on, op=dist.ReduceOp.MIN)
        if go_on.item() == 0.0:
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(train, args=(float(sys.argv[1]),), nprocs=RANKS)
