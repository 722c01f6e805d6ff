"""Training on a processor that the lab's trainer and that for GPUs do not have.

    learn.py KIND LOG

KIND is one of
    recurrent    an LSTM that predicts the next word; its steps depend on one another, so little runs at once
    embedding    a table of 128 MB of which each step reads and writes rows all over the place, as recommenders do
    autoencoder  convolutions down to 32 numbers an image, and back

LOG gets a line for what was done: {"end_ns": wall clock, "work": how much}. The same words and weights are drawn in
each run. Ends at SIGTERM.
"""

import argparse
import pathlib
import sys
from collections.abc import Callable

import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "work_rate"))

from work_log import Log  # noqa: E402 of the study of the work rate

WORDS, LENGTH, BATCH = 1024, 32, 16
ROWS, WIDTH, FIELDS = 1 << 20, 32, 26
IMAGE, CODE = 32, 32


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, 128)
        self.body = nn.LSTM(128, 128, num_layers=2, batch_first=True)
        self.head = nn.Linear(128, WORDS)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(self.words(words))[0])


class Recommender(nn.Module):
    """As DLRM: a row for each of an example's categories, and a few layers on their sum."""

    def __init__(self, rows: int = ROWS) -> None:
        super().__init__()
        self.rows = nn.EmbeddingBag(rows, WIDTH, mode="sum", sparse=True)
        self.head = nn.Sequential(nn.Linear(WIDTH, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, picked: torch.Tensor) -> torch.Tensor:
        return self.head(self.rows(picked)).squeeze(1)


class Autoencoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, 24, 3, 2, 1), nn.ReLU(), nn.Conv2d(24, 48, 3, 2, 1), nn.ReLU(),
                                  nn.Flatten(), nn.Linear(48 * 64, CODE))
        self.up = nn.Sequential(nn.Linear(CODE, 48 * 64), nn.Unflatten(1, (48, 8, 8)), nn.ReLU(),
                                nn.ConvTranspose2d(48, 24, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(24, 3, 4, 2, 1))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.up(self.down(images))


def recurrent() -> Callable[[], float]:
    model = Recurrent()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    first = torch.randint(0, WORDS, (BATCH, 1))

    def step() -> float:
        # Each word follows from the one before, so there is something to learn.
        begin = (first + torch.randint(0, WORDS, (BATCH, 1))) % WORDS
        words = (begin + 7 * torch.arange(LENGTH + 1)) % WORDS
        loss = nn.functional.cross_entropy(model(words[:, :-1]).flatten(0, 1), words[:, 1:].flatten())
        return update(optimizer, loss)
    return step


def embedding(rows: int = ROWS) -> Callable[[], float]:
    model = Recommender(rows)
    sparse = torch.optim.SGD(model.rows.parameters(), lr=0.1)
    dense = torch.optim.Adam(model.head.parameters(), lr=1e-3)

    def step() -> float:
        picked = torch.randint(0, rows, (512, FIELDS))
        clicked = (picked[:, 0] % 2).float()
        loss = nn.functional.binary_cross_entropy_with_logits(model(picked), clicked)
        sparse.zero_grad()
        value = update(dense, loss)
        sparse.step()
        return value
    return step


def autoencoder() -> Callable[[], float]:
    model = Autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    shades = torch.linspace(-1, 1, IMAGE)

    def step() -> float:
        angles = torch.rand(32, 3, 1, 1) * 6.28
        images = torch.sin(3 * shades.view(1, 1, 1, -1) + angles) * torch.cos(2 * shades.view(1, 1, -1, 1) + angles)
        return update(optimizer, nn.functional.mse_loss(model(images), images))
    return step


def update(optimizer: torch.optim.Optimizer, loss: torch.Tensor) -> float:
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


KINDS = {one.__name__: one for one in (recurrent, embedding, autoencoder)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("log")
    options = parser.parse_args()
    torch.manual_seed(0)
    step = KINDS[options.kind]()
    log = Log(options.log)
    while True:
        step()
        log.done()


if __name__ == "__main__":
    main()
