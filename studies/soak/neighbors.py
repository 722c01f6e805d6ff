"""The neighbors that disturb a soak: what each does, and when they come, drawn beforehand from the seed."""

import contextlib
import dataclasses
import pathlib
import random
import sys
from collections.abc import Callable

STUDIES = pathlib.Path(__file__).resolve().parents[1]
for folder in ("lab", "trial"):
    sys.path.insert(0, str(STUDIES / folder))

from acts import Act, Culprit, Place  # noqa: E402 after the folders are known
from shell import run  # noqa: E402

FIRST_S = 300.0  # until the agent knows what is usual
MEAN_APART_S = 180.0
LEAST_APART_S = 45.0  # from an end to the next begin: the finding of the one must be over
SHORTEST_S, LONGEST_S = 8.0, 20.0
AFTER_S = 60.0  # what the last one leaves of the soak, for its finding to end
FILE_MIB, KEPT_MIB = 512, 150


@dataclasses.dataclass(frozen=True)
class Neighbor:
    name: str
    subsystems: tuple[str, ...]  # where an operator would look
    make: Callable[[Place], Act]


NEIGHBORS = (
    Neighbor("cpu", ("cpu",), lambda place: Culprit(place, "spinner", ["spin", "3", "1"], "soak_cpu")),
    Neighbor("disk", ("storage",), lambda place: Culprit(place, "reader", ["read", "4", "SCRATCH/big"], "soak_disk")),
    # It reads more than its group may keep, over and over, so the kernel reclaims.
    Neighbor("memory", ("memory", "storage"),
             lambda place: Culprit(place, "thrasher", ["reread", "1", "SCRATCH/big"], "soak_memory",
                                   limit_mebibytes=KEPT_MIB)),
)


def plan(seed: int, seconds: float) -> list[dict]:
    """The faults of a soak of that length, in order: which neighbor, and from when to when, in seconds."""
    draw = random.Random(seed)
    out, end = [], FIRST_S - LEAST_APART_S
    while True:
        begin = end + LEAST_APART_S + draw.expovariate(1 / (MEAN_APART_S - LEAST_APART_S))
        end = begin + draw.uniform(SHORTEST_S, LONGEST_S)
        neighbor = draw.choice(NEIGHBORS)
        if end > seconds - AFTER_S:
            return out
        out.append({"name": neighbor.name, "at_s": round(begin, 3), "until_s": round(end, 3),
                    "subsystems": list(neighbor.subsystems)})


def acts(faults: list[dict], out: pathlib.Path, stack: contextlib.ExitStack) -> list[Act]:
    """What puts each of them on and takes it off. Files that they need are there afterwards, until the stack ends."""
    if not faults:
        return []
    made = {one.name: one.make for one in NEIGHBORS}
    place = _place(out, stack)
    return [made[fault["name"]](place) for fault in faults]


def _place(out: pathlib.Path, stack: contextlib.ExitStack) -> Place:
    big = out / "big"
    stack.callback(big.unlink)
    run("dd", "if=/dev/zero", f"of={big}", "bs=1M", f"count={FILE_MIB}", "conv=fsync")
    return Place(out, None, "", list)


class Short:
    """Disturbances that need no control group: findings open and close, and it matters little how well."""

    KINDS = {"cpu": ("spinner", ["spin", "3", "1"]), "reads": ("reader", ["read", "4", "SCRATCH/big"]),
             "syncs": ("syncer", ["syncs", "2", "SCRATCH/synced"])}

    def __init__(self, out: pathlib.Path, stack: contextlib.ExitStack) -> None:
        self._place = _place(out, stack)

    def make(self, draw: random.Random) -> tuple[str, Act]:
        name = draw.choice(sorted(self.KINDS))
        for file in self._place.scratch.glob("synced*"):
            file.unlink()
        return name, Culprit(self._place, *self.KINDS[name])
