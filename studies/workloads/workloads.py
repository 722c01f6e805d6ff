"""The workloads of the suite, as a table: what each is, what it stands for in the paper, and the words that run it."""

import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
LAB, GPU = HERE.parent / "lab" / "train.py", HERE.parent / "gpu" / "train.py"


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str
    family: str  # learning, serving, parallel or computing
    model: str
    task: str
    paper: str  # the paper's that comes next to it (its Table 5); empty: none
    optimizer: str  # and its learning rate, as in the paper's Tables 6 and 7; empty: none
    batch: int
    program: pathlib.Path
    words: tuple[str, ...]  # LOG, DATA, SCRATCH and RANK stand for places and the number
    ranks: int = 1


def lab(model: str, batch: int) -> tuple[pathlib.Path, tuple[str, ...]]:
    return LAB, ("0", "1", "none", model, str(batch), "LOG")


def gpu(kind: str, *more: str) -> tuple[pathlib.Path, tuple[str, ...]]:
    return GPU, (kind, "LOG", "--small", *more)


def learn(kind: str) -> tuple[pathlib.Path, tuple[str, ...]]:
    return HERE / "learn.py", (kind, "LOG")


def parallel(kind: str) -> tuple[pathlib.Path, tuple[str, ...], int]:
    return HERE / "parallel.py", (kind, "RANK", "2", "LOG", "--store", "SCRATCH/store"), 2


def numeric(kind: str) -> tuple[pathlib.Path, tuple[str, ...]]:
    return HERE / "numeric.py", (kind, "LOG", "--scratch", "SCRATCH")


SGD, ADAM, ADAMW = "SGD, lr 1e-2", "Adam, lr 1e-3", "AdamW, lr 1e-4"
IMAGES, WORDS = "image classification", "text classification"
WORKLOADS = (
    Workload("cnn", "learning", "2 convolutions", IMAGES, "ResNet18/50, VGG16/19", SGD, 8, *lab("cnn", 8)),
    Workload("mlp", "learning", "3 layers of 384", IMAGES, "", SGD, 8, *lab("mlp", 8)),
    Workload("transformer", "learning", "2 layers, width 128", WORDS, "BERT, BART, ViT", SGD, 8, *lab("transformer", 8)),
    Workload("recurrent", "learning", "LSTM, 2 layers of 128", "next word", "", ADAM, 16, *learn("recurrent")),
    Workload("embedding", "learning", "1 Mi rows of 32", "click prediction", "", "SGD, lr 1e-1", 512, *learn("embedding")),
    Workload("autoencoder", "learning", "convolutions to 32 numbers", "image reconstruction", "VGG, ResNet (segmentation)",
             ADAM, 32, *learn("autoencoder")),
    Workload("loader", "learning", "4 convolutions", "images from files, 4 loaders", "ResNet50", ADAMW, 32,
             *gpu("loader", "--data", "DATA")),
    Workload("checkpoint", "learning", "2 layers, saved every 2 s", "next word", "LLaMA, Mistral, DeepSeek (fine-tuning)", ADAMW, 2,
             *gpu("checkpoint", "--scratch", "SCRATCH/weights", "--every", "2")),
    Workload("serve", "serving", "2 layers, 3 clients", "next word", "LLaMA, Mistral, DeepSeek (inference)", "", 4, *gpu("serve")),
    Workload("data_parallel", "parallel", "3 layers of 384", IMAGES, "DDP", SGD, 8, *parallel("data")),
    Workload("pipeline", "parallel", "8 layers over 2 ranks", IMAGES, "", SGD, 64, *parallel("pipeline")),
    Workload("sharded", "parallel", "2 layers, width 128", WORDS, "FSDP", SGD, 8, *parallel("sharded")),
    Workload("stencil", "computing", "1024 x 1024 points", "heat equation", "", "", 0, *numeric("stencil")),
    Workload("fft", "computing", "96^3 points", "Fourier transform", "", "", 0, *numeric("fft")),
    Workload("sort", "computing", "131,072 numbers in 8 files", "external sort", "", "", 0, *numeric("sort")),
    Workload("compress", "computing", "zlib, bz2, lzma", "compression", "", "", 0, *numeric("compress")),
    Workload("graph", "computing", "400,000 nodes, 3,000,000 links", "PageRank", "", "", 0, *numeric("graph")),
)


def named(names: list[str]) -> tuple[Workload, ...]:
    """Those of these names, in the order of the table; all if there is none. Fails with ValueError."""
    unknown = set(names) - {one.name for one in WORKLOADS}
    if unknown:
        raise ValueError(f"no such workload: {', '.join(sorted(unknown))}; there are {', '.join(one.name for one in WORKLOADS)}")
    return tuple(one for one in WORKLOADS if not names or one.name in names)
