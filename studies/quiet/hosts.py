"""The healthy hosts of a piece, as a table: what each is, and the words of what runs there."""

import dataclasses
import pathlib

import folders  # noqa: F401 first: it knows where the other studies are
import network
import scenario

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = "rvq"  # of the namespaces, so that a lab may be there as well
GROUP = "quiet"  # all control groups of the study are below it
OWN = f"{GROUP}/reveal"  # of recorders, of the agent and of the study itself
TRAINING, INFERENCE, BUILD, MACHINE = "training", "inference", "build and idle", "machine"
BUILD_SHARES = 110  # of the processors' time, of 1024: the kernel's weight of nice 10


@dataclasses.dataclass(frozen=True)
class Host:
    name: str
    kind: str
    steps: tuple[str, ...]  # logs of the job there
    number: int = -1  # of its namespace; -1: the whole machine, which the agent records and judges


@dataclasses.dataclass(frozen=True)
class Job:
    host: int
    group: str
    words: tuple[str, ...]
    shares: int = 1024


HOSTS = (Host("train0", TRAINING, ("train0.jsonl",), 0), Host("train1", TRAINING, ("train1.jsonl",), 1),
         Host("serve", INFERENCE, ("serve.jsonl", "ask.jsonl"), 2), Host("build", BUILD, ("build.jsonl",), 3),
         Host("machine", MACHINE, ("train0.jsonl", "train1.jsonl", "serve.jsonl", "ask.jsonl")))
CLIENTS = 4  # a namespace that nobody records: clients are elsewhere
NAMESPACES = 5


def recording(host: Host) -> str:
    """Below the piece's folder."""
    return host.name if host.number >= 0 else "agent/state/recording"


def python(program: str, *words: object) -> tuple[str, ...]:
    return (scenario.PYTHON, "-B", str(HERE / program), *map(str, words))


def jobs(folder: pathlib.Path, scratch: pathlib.Path, seed: int) -> list[Job]:
    """What runs, in namespaces that are there. A job's group is named after its host."""
    out = [Job(rank, f"train{rank}", python("paced.py", rank, 2, network.address(0), folder / f"train{rank}.jsonl",
                                            folder / "life.jsonl", "--scratch", scratch / "checkpoint"))
           for rank in range(2)]
    server = network.address(2)
    return [*out, Job(2, "serve", python("inference.py", "serve", server, folder / "serve.jsonl")),
            Job(CLIENTS, "ask", python("inference.py", "ask", server, folder / "ask.jsonl", "--seed", seed)),
            Job(3, "build", python("builds.py", scratch / "build", folder / "build.jsonl", "--seed", seed), BUILD_SHARES)]
