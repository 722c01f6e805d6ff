"""A host that is idle but for a small build now and then: a few files of C, compiled at nice 10.

    builds.py FOLDER LOG [--seed N]

A build comes each 20 to 60 s. LOG gets a line for each file that was compiled: {"end_ns", "ms"}. Ends at SIGTERM.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import time

APART_S = (20.0, 60.0)
FILES = (2, 5)
FUNCTIONS = 60
NICE = 10


def source(number: int) -> str:
    """A file that any C compiler takes; each number has another one."""
    functions = [f"static double f{i}(double x) {{ double y = {number % 97 + i}; for (int k = 0; k < {i % 7 + 3}; ++k) "
                 f"y = y * x + k; return y; }}" for i in range(FUNCTIONS)]
    total = " + ".join(f"f{i}(x)" for i in range(FUNCTIONS))
    return "\n".join(["#include <math.h>", "#include <stdio.h>", *functions,
                      f"double all(double x) {{ return sqrt(fabs({total})); }}", ""])


def build(folder: pathlib.Path, numbers: list[int], log) -> None:
    for number in numbers:
        file = folder / f"{number}.c"
        file.write_text(source(number), encoding="ascii")
        begin = time.monotonic_ns()
        subprocess.run(["cc", "-O1", "-c", file, "-o", file.with_suffix(".o")], check=True)
        log.write(json.dumps({"end_ns": time.time_ns(), "ms": (time.monotonic_ns() - begin) / 1e6}) + "\n")
    for number in numbers:
        for suffix in (".c", ".o"):
            (folder / f"{number}{suffix}").unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("log", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    os.nice(NICE)
    draw, first = random.Random(options.seed), 0
    with open(options.log, "w", encoding="ascii", buffering=1) as log:
        while True:
            time.sleep(draw.uniform(*APART_S))
            count = draw.randint(*FILES)
            build(options.folder, list(range(first, first + count)), log)
            first += count


if __name__ == "__main__":
    main()
