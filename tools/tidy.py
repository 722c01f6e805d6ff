#!/usr/bin/env python3
"""Runs clang-tidy over every source of a build but the tests, many as one (tools/joined_sources.py).

A group that does not compile as one is read source by source.

usage: tools/tidy.py BUILD_DIR     prints what is wrong and exits 1, or says how many sources are clean
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import joined_sources

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = "/src/[a-z_]+/([a-z_]+/)?[a-z_0-9]+[.](h|cc)"
BROKEN = "clang-diagnostic-error"
SOURCE_BEGINS = re.compile(r'#line 1 "(.*)"')
# A half of what a compiler is given: clang-tidy holds all of a group, and two of them run at once.
MOST_BYTES = 120_000


def flags_of(command):
    """Returns the flags of a compile command, which stand between the compiler and what it writes."""
    words = shlex.split(command)
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    return " ".join(words[first:words.index("-o")]).replace("-isystem ", "-isystem").split(" ")


def sources_of(build):
    """Returns the sources, path to text, and the flags of each."""
    texts, flags = {}, {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if source.is_relative_to(ROOT / "src") and not source.stem.endswith("_test"):
            texts[source], flags[source] = source.read_text(), flags_of(entry["command"])
    listed = ("git", "-C", str(ROOT), "ls-files", "src/*.cc")
    tracked = {ROOT / name for name in subprocess.run(listed, capture_output=True, text=True).stdout.split()}
    if missed := {source for source in tracked if not source.stem.endswith("_test")} - texts.keys():
        sys.exit(f"tools/tidy.py: {build} was configured before {min(missed)} was written; "
                 f"configure it again: cmake --preset {build.name}")
    return dict(sorted(texts.items())), flags


def clang_tidy(*arguments):
    done = subprocess.run(["clang-tidy", "--quiet", *arguments], capture_output=True, text=True)
    return done.stdout or (done.stderr if done.returncode else "")


def origins(text):
    """Returns, for each line of joined sources, the source and the number that it has there."""
    where, source, number = [], None, 0
    for line in text.splitlines():
        if found := SOURCE_BEGINS.match(line):
            source, number = found[1], 0
        where.append(f"{source}:{number}" if source else None)
        number += 1
    return where


def told_by_source(wrong, whole, text):
    """Returns what clang-tidy says with the lines of joined sources named as those of the sources."""
    where = origins(text)
    return re.sub(rf"{re.escape(str(whole))}:(\d+)", lambda found: where[int(found[1]) - 1] or found[0], wrong)


def mistakes_in(build, number, group, texts, flags):
    """Returns what is wrong in a group; its sources are read as one if there are more than one."""
    if len(group) > 1:
        # Below the project's root, where clang-tidy finds its configuration.
        whole = build / "tidy" / f"{number}.cc"
        text = joined_sources.joined({source: texts[source] for source in group})
        whole.write_text(text)
        # As one, what is local to one source may hide what another has.
        words = dict.fromkeys(word for source in group for word in flags[source])
        # A registry declares what the sources before it define.
        wrong = clang_tidy(f"--header-filter={OURS}", "--checks=-readability-redundant-declaration", str(whole),
                           "--", *words, "-Wno-shadow")
        if BROKEN not in wrong:
            return told_by_source(wrong, whole, text)
        print(f"tools/tidy.py: read one by one, as {whole} does not compile:\n{told_by_source(wrong, whole, text)}",
              file=sys.stderr)
    return "".join(clang_tidy("-p", str(build), str(source)) for source in group)


def main(build):
    texts, flags = sources_of(build)
    # A source with definitions of its own is read with them, alone.
    own = [source for source in texts if any(word.startswith("-DREVEAL_") and "VERSION" not in word for word in flags[source])]
    groups = joined_sources.groups_of({source: text for source, text in texts.items() if source not in own}, MOST_BYTES)
    groups += [[source] for source in own]
    (build / "tidy").mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda job: mistakes_in(build, *job, texts, flags), enumerate(groups)))
    if any(found):
        sys.exit("\n".join(filter(None, found)))
    print(f"clang-tidy: {len(texts)} sources are clean")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve())
