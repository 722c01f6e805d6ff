#!/usr/bin/env python3
"""Runs clang-tidy over every source of a build but the tests, in batches (tools/batches.py).

A batch that does not compile, for what the batches do not know of, is read source by source.

usage: tools/tidy.py BUILD_DIR     prints what is wrong and exits 1, or says how many sources are clean
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

import batches

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = "/src/[a-z]+/[a-z_0-9]+[.](h|cc)"
BROKEN = "clang-diagnostic-error"


def flags_of(command):
    """Returns the flags of a compile command, which stand between the compiler and what it writes."""
    words = shlex.split(command)
    # In a batch, what is local to one source may hide what another has.
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    return (*words[first:words.index("-o")], "-Wno-shadow")


def modules_of(build):
    """Returns the sources of each module, path to text, by what they are compiled with."""
    modules = collections.defaultdict(dict)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if source.is_relative_to(ROOT / "src") and not source.stem.endswith("_test"):
            modules[source.parent, flags_of(entry["command"])][str(source)] = source.read_text()
    return modules


def clang_tidy(*arguments):
    done = subprocess.run(["clang-tidy", "--quiet", *arguments], capture_output=True, text=True)
    return done.stdout or (done.stderr if done.returncode else "")


def mistakes_in(build, number, batch, flags):
    """Returns what is wrong in a batch; its sources are read as one if there are more than one."""
    if len(batch) > 1:
        # Below the project's root, where clang-tidy finds its configuration.
        whole = build / "tidy" / f"{number}.cc"
        whole.write_text("".join(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n'
                                 for source in batch))
        wrong = clang_tidy(f"--header-filter={OURS}", str(whole), "--", *flags)
        if BROKEN not in wrong:
            return wrong
    return "".join(clang_tidy("-p", str(build), source) for source in batch)


def main(build):
    modules = modules_of(build)
    work = [(batch, flags) for (_, flags), sources in modules.items()
            for batch in batches.batches_of(sources)]
    # The longest first, so that none of them is left to run alone at the end.
    work.sort(key=lambda job: -len(job[0]))
    (build / "tidy").mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda job: mistakes_in(build, job[0], *job[1]), enumerate(work)))
    if any(found):
        sys.exit("\n".join(filter(None, found)))
    print(f"clang-tidy: {sum(map(len, modules.values()))} sources are clean")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve())
