"""Neighbors of a job on a GPU host: each says "ready", and disturbs from SIGUSR1 to SIGTERM.

    neighbors.py spin COUNT           busy processes on the processors that the job may use
    neighbors.py read COUNT FILE      processes that read FILE at random, past the page cache
    neighbors.py write COUNT FILE     processes that write half a gigabyte beside FILE and flush it, over and over
    neighbors.py bandwidth COUNT      processes that copy memory
    neighbors.py gpu WIDTH            another program on the same GPU: products of matrices so wide
    neighbors.py pcie MEGABYTES       copies so much to the GPU and back, over and over
"""

import mmap
import os
import random
import signal
import sys

BLOCK = 1 << 20


def ready() -> None:
    """Returns once SIGUSR1 has come."""
    print("ready", flush=True)
    signal.sigwait({signal.SIGUSR1})


def spin() -> None:
    while True:
        pass


def read(file: str) -> None:
    handle = os.open(file, os.O_RDONLY | os.O_DIRECT)
    places = os.fstat(handle).st_size // BLOCK
    buffer = mmap.mmap(-1, BLOCK)
    while True:
        os.preadv(handle, [buffer], random.randrange(places) * BLOCK)


def write(file: str) -> None:
    own = f"{file}.{os.getpid()}"
    handle = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.unlink(own)
    block = os.urandom(BLOCK)
    while True:
        for number in range(512):
            os.pwrite(handle, block, number * BLOCK)
        os.fsync(handle)


def bandwidth() -> None:
    import numpy as np
    source, target = np.ones(1 << 25), np.zeros(1 << 25)
    while True:
        np.copyto(target, source)


def gpu(width: int) -> None:
    import torch
    a = torch.randn(width, width, device="cuda", dtype=torch.bfloat16)
    (a @ a).sum().item()
    ready()
    while True:
        for _ in range(20):
            a @ a
        torch.cuda.synchronize()


def pcie(megabytes: int) -> None:
    import torch
    host = torch.empty(megabytes << 20, dtype=torch.uint8, pin_memory=True)
    device = host.to("cuda")
    ready()
    while True:
        for _ in range(4):
            device.copy_(host, non_blocking=True)
            host.copy_(device, non_blocking=True)
        torch.cuda.synchronize()


def many(count: int, work, *words: str) -> None:
    """As many processes, which end with this one."""
    ready()
    for _ in range(count - 1):
        if os.fork() == 0:
            work(*words)
    work(*words)


def main(kind: str, amount: str, *place: str) -> None:
    os.setpgid(0, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    if kind in ("spin", "read", "write", "bandwidth"):
        many(int(amount), {"spin": spin, "read": read, "write": write, "bandwidth": bandwidth}[kind], *place)
    elif kind in ("gpu", "pcie"):
        {"gpu": gpu, "pcie": pcie}[kind](int(amount))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
