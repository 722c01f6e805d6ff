"""A rank of the lab's training whose steps mostly wait for an accelerator, as those of most real jobs do.

    paced.py RANK WORLD ADDRESS LOG LIFE [--device-ms D] [--checkpoint-s C] [--evaluate-s E] [--scratch FILE]

A step is real gradients, averaged by gloo, and D ms in which the accelerator would compute, asleep. What belongs to
the life of a job comes in between: each C s rank 0 writes a checkpoint and flushes it while the others wait, each E s
all ranks compute without gradients for a while and exchange nothing. Rank 0 decides, so that all do it after the same
step. LOG gets a line a step, as the lab's trainer writes it, and LIFE of rank 0 one for each of the others:
{"begin_ns", "end_ns", "what"}. Runs until SIGTERM.
"""

import argparse
import json
import os
import time

import folders  # noqa: F401 first: it knows where the other studies are
import torch
import torch.distributed as dist
import train

MODEL, BATCH = "cnn", 4
EVALUATION_STEPS = 200
WEIGHTS = 4 << 20  # numbers of 4 bytes in a checkpoint, as of a larger model
GO_ON, CHECKPOINT, EVALUATE, STOP = range(4)  # where several are due, the largest is next


class Schedule:
    """What is due by the clock."""

    def __init__(self, checkpoint_s: float, evaluate_s: float, now: float) -> None:
        self._every = {CHECKPOINT: checkpoint_s, EVALUATE: evaluate_s}
        self._due = {what: now + every for what, every in self._every.items()}

    def next(self, now: float) -> int:
        return max((what for what, due in self._due.items() if now >= due), default=GO_ON)

    def done(self, what: int) -> None:
        """The next one comes after its time, however long this one took or had to wait."""
        self._due[what] += self._every[what]


class Paced(train.Rank):
    def __init__(self, options: argparse.Namespace) -> None:
        own = train.options_of(MODEL, BATCH, options.log, options.world, options.rank)
        super().__init__(argparse.Namespace(**(vars(own) | vars(options))))
        self.schedule = Schedule(options.checkpoint_s, options.evaluate_s, time.monotonic())

    def wait_for_device(self) -> None:
        time.sleep(self.options.device_ms / 1e3)

    def next(self) -> int:
        """What all ranks do now: the most that any of them asks for."""
        mine = STOP if self.stopping else self.schedule.next(time.monotonic()) if self.options.rank == 0 else GO_ON
        word = torch.tensor([float(mine)])
        if self.options.world > 1:
            dist.all_reduce(word, op=dist.ReduceOp.MAX)
        return int(word.item())

    def checkpoint(self) -> None:
        if self.options.rank != 0:
            return
        with open(self.options.scratch, "wb") as out:
            torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(),
                        "more": torch.zeros(WEIGHTS)}, out)
            out.flush()
            os.fsync(out.fileno())

    def evaluate(self) -> None:
        with torch.no_grad():
            model = getattr(self.model, "module", self.model)  # alone: the ranks exchange nothing
            for _ in range(EVALUATION_STEPS):
                model(train.inputs(MODEL, BATCH))
                self.wait_for_device()

    def live(self, what: int) -> None:
        begin = time.time_ns()
        (self.checkpoint if what == CHECKPOINT else self.evaluate)()
        if self.options.rank == 0:
            self.schedule.done(what)
            with open(self.options.life, "a", encoding="ascii") as out:
                name = "checkpoint" if what == CHECKPOINT else "evaluation"
                out.write(json.dumps({"begin_ns": begin, "end_ns": time.time_ns(), "what": name}) + "\n")

    def run(self) -> None:
        with open(self.options.log, "w", encoding="ascii", buffering=1) as log:
            while (what := self.next()) != STOP:
                if what != GO_ON:
                    self.live(what)
                    continue
                begin = time.monotonic_ns()
                self.step()
                self.wait_for_device()
                took = time.monotonic_ns() - begin
                log.write(json.dumps({"end_ns": time.time_ns(), "ms": took / 1e6}) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("rank", "world"):
        parser.add_argument(name, type=int)
    for name in ("address", "log", "life"):
        parser.add_argument(name)
    parser.add_argument("--device-ms", type=float, default=12)
    parser.add_argument("--checkpoint-s", type=float, default=180)
    parser.add_argument("--evaluate-s", type=float, default=300)
    parser.add_argument("--scratch", default="checkpoint")
    train.run_rank(parser.parse_args(), Paced)


if __name__ == "__main__":
    main()
