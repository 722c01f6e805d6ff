"""Training and serving on a GPU that knows how much it gets done.

    train.py KIND LOG [--data FOLDER] [--scratch FILE] [--every SECONDS] [--small]

KIND is one of
    loader       a convolutional network; four processes read its images from files, past the page cache, and unpack them
    transformer  a language model whose steps keep the GPU busy
    launch       one of many small layers: the processor that starts its kernels decides its pace
    checkpoint   transformer, which writes its weights to --scratch every --every seconds (18) and flushes them
    serve        answers requests over loopback with a small model; three clients ask

LOG gets a line for what was done: {"end_ns": wall clock, "work": how much}, from the first step that is as fast as
those that follow. Ends at SIGTERM. --small is for a look without a GPU.
"""

import argparse
import mmap
import os
import pathlib
import random
import selectors
import signal
import socket
import sys
import time
import zlib
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "work_rate"))

from work_log import Log  # noqa: E402 of the study of the work rate

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
HALF = torch.bfloat16
WORKERS = 4
FILES, IMAGES_A_FILE, IMAGE = 48, 16, (3, 224, 224)


class Block(nn.Module):
    """A layer of a transformer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.heads = max(1, width // 64)
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2)
                   for part in self.mix(self.before(x)).chunk(3, dim=-1))
        future = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        weights = (q @ k.transpose(-1, -2) / (width // self.heads) ** 0.5).masked_fill(future, -1e4).softmax(-1)
        x = x + self.out((weights.to(v.dtype) @ v).transpose(1, 2).reshape(batch, length, width))
        return x + self.wide(self.between(x))


class Language(nn.Module):
    def __init__(self, words: int, width: int, layers: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.layers = nn.ModuleList(Block(width) for _ in range(layers))
        self.out = nn.Linear(width, words)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.words(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.out(x)


class Trainer:
    """One model and its optimizer; a step ends when its loss is known."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model.to(DEVICE)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def step(self, inputs: torch.Tensor, targets: torch.Tensor) -> float:
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(DEVICE.type, HALF):
            out = self.model(inputs)
            loss = nn.functional.cross_entropy(out.flatten(0, -2).float(), targets.flatten())
        loss.backward()
        self.optimizer.step()
        return loss.item()


def language(width: int, layers: int, batch: int, length: int) -> Callable[[], float]:
    words = 8192
    trainer = Trainer(Language(words, width, layers))
    draw = np.random.default_rng(0)

    def step() -> float:
        tokens = torch.from_numpy(draw.integers(0, words, (batch, length + 1))).to(DEVICE, non_blocking=True)
        return trainer.step(tokens[:, :-1], tokens[:, 1:])
    step.model = trainer.model
    return step


def forever(log: str, step: Callable[[], float], also: Callable[[], None] = lambda: None) -> None:
    for _ in range(5):
        step()
    ready = Log(log)
    while True:
        step()
        ready.done()
        also()


def transformer(options: argparse.Namespace) -> None:
    forever(options.log, language(64, 2, 2, 32) if options.small else language(2048, 8, 8, 1024))


def launch(options: argparse.Namespace) -> None:
    forever(options.log, language(64, 4, 2, 32) if options.small else language(512, 24, 4, 128))


def checkpoint(options: argparse.Namespace) -> None:
    step = language(64, 2, 2, 32) if options.small else language(2048, 8, 8, 1024)
    due = [time.monotonic() + options.every]

    def save() -> None:
        if time.monotonic() < due[0]:
            return
        with open(options.scratch, "wb") as out:
            torch.save(step.model.state_dict(), out)
            out.flush()
            os.fsync(out.fileno())
        due[0] = time.monotonic() + options.every
    forever(options.log, step, save)


class Images(torch.utils.data.Dataset):
    """Images as they are stored: packed, several to a file. Files are read past the page cache."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.paths = sorted(folder.glob("*.images"))

    def __len__(self) -> int:
        return 1 << 30  # as many as are asked for

    def __getitem__(self, _: int) -> tuple[torch.Tensor, torch.Tensor]:
        path = random.choice(self.paths)
        size = path.stat().st_size
        handle = os.open(path, os.O_RDONLY | os.O_DIRECT)
        with mmap.mmap(-1, -(-size // 4096) * 4096) as room:
            os.preadv(handle, [room], 0)
            raw = zlib.decompress(room[:size])
        os.close(handle)
        images = np.frombuffer(raw, np.uint8).reshape(-1, *IMAGE)
        flipped = images[:, :, :, ::-1] if random.random() < 0.5 else images
        return torch.from_numpy(flipped.copy()), torch.randint(0, 1000, (len(images),))


def make_images(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(0)
    for number in range(FILES):
        path = folder / f"{number}.images"
        if not path.exists():
            steps = draw.integers(0, 5, (IMAGES_A_FILE, *IMAGE), dtype=np.uint8)
            path.write_bytes(zlib.compress(np.cumsum(steps, axis=-1, dtype=np.uint8).tobytes(), 1))


class Convolutions(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        sizes = [3, width, 2 * width, 4 * width, 4 * width]
        self.layers = nn.Sequential(*(layer for a, b in zip(sizes, sizes[1:], strict=False) for layer in
                                      (nn.Conv2d(a, b, 3, stride=2, padding=1), nn.BatchNorm2d(b), nn.ReLU())))
        self.out = nn.Linear(sizes[-1], 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.layers(x).mean((2, 3)))


def seconds_of(work: Callable[[], object], times: int) -> float:
    begin = time.monotonic()
    for _ in range(times):
        work()
    return (time.monotonic() - begin) / times


def loader(options: argparse.Namespace) -> None:
    folder = pathlib.Path(options.data)
    make_images(folder)
    batches = iter(torch.utils.data.DataLoader(Images(folder), batch_size=2, num_workers=WORKERS, persistent_workers=True,
                                               pin_memory=DEVICE.type == "cuda"))
    trainer = Trainer(Convolutions(8 if options.small else 64))

    def take() -> tuple[torch.Tensor, torch.Tensor]:
        images, labels = next(batches)
        return images.flatten(0, 1).to(DEVICE, non_blocking=True).float() / 255, labels.flatten().to(DEVICE)
    images, labels = take()
    for _ in range(5):
        trainer.step(images, labels)
    # As many passes a batch as keep the GPU busy for most of the time that the loaders need for the next.
    loading = seconds_of(take, 4 * WORKERS)
    passes = max(1, round(0.8 * loading / seconds_of(lambda: trainer.step(images, labels), 5)))
    log = Log(options.log)
    while True:
        images, labels = take()
        for _ in range(passes):
            trainer.step(images, labels)
        log.done()


def ask(address: tuple[str, int]) -> None:
    with socket.create_connection(address) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while True:
            connection.sendall(bytes(4096))
            if not connection.recv(4096, socket.MSG_WAITALL):
                return
            time.sleep(0.004 * random.random())


def serve(options: argparse.Namespace) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    for _ in range(3):
        if os.fork() == 0:
            ask(server.getsockname())
            os._exit(0)
    model = (Language(8192, 64, 2) if options.small else Language(8192, 1024, 8)).to(DEVICE).eval()
    tokens = torch.zeros((4, 256), dtype=torch.long, device=DEVICE)
    selector = selectors.DefaultSelector()
    selector.register(server, selectors.EVENT_READ)
    log = Log(options.log)
    with torch.inference_mode(), torch.autocast(DEVICE.type, HALF):
        while True:
            for key, _ in selector.select():
                if key.fileobj is server:
                    connection, _ = server.accept()
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    selector.register(connection, selectors.EVENT_READ)
                    continue
                if not key.fileobj.recv(4096, socket.MSG_WAITALL):
                    raise SystemExit
                model(tokens)[0, -1].argmax().item()
                key.fileobj.sendall(bytes(4096))
                log.done()


KINDS = {one.__name__: one for one in (loader, transformer, launch, checkpoint, serve)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("log")
    parser.add_argument("--data", default="images")
    parser.add_argument("--scratch", default="checkpoint")
    parser.add_argument("--every", type=float, default=18)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    torch.manual_seed(0)
    random.seed(0)
    KINDS[options.kind](options)


if __name__ == "__main__":
    main()
