#!/usr/bin/env python3
"""Compares what two builds of the same commit have made, file by file and byte by byte.

Two kinds of files tell of the build itself, so each has lines that are left out: in a .buildinfo the date of the
build, and in a .changes the sums of that .buildinfo (deb-buildinfo(5), deb-changes(5)).

usage: compare_builds.py ONE OTHER    two folders; prints a line for each file, and fails if there is none, one is in
                                      one folder only, or one differs
"""

import hashlib
import pathlib
import re
import sys

OF_THE_BUILD = {".buildinfo": re.compile(rb"Build-Date: "), ".changes": re.compile(rb".*\.buildinfo$")}


def contents(path):
    """Returns the bytes of a file, without the lines that tell of its build."""
    data = path.read_bytes()
    left_out = OF_THE_BUILD.get(path.suffix)
    if not left_out:
        return data
    return b"\n".join(line for line in data.split(b"\n") if not left_out.match(line))


def names(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def difference(one, other):
    """Returns how two texts differ, and nothing if they do not."""
    if one == other:
        return ""
    shorter = min(len(one), len(other))
    first = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    return f"{len(one)} and {len(other)} bytes, which differ from byte {first} on"


def compare(one, other):
    """Yields for each file of the folders whether it is the same in both, and a line that says so."""
    left, right = names(one), names(other)
    for name in sorted(left | right):
        if name not in right:
            yield False, f"only in {one}: {name}"
        elif name not in left:
            yield False, f"only in {other}: {name}"
        else:
            data = contents(one / name)
            how = difference(data, contents(other / name))
            same = f"same     {hashlib.sha256(data).hexdigest()}  {name}"
            yield not how, f"differs  {name}: {how}" if how else same


def main(words):
    if len(words) != 2:
        sys.exit("usage: compare_builds.py ONE OTHER")
    one, other = map(pathlib.Path, words)
    told = list(compare(one, other))
    for _, line in told:
        print(line)
    if not told:
        sys.exit(f"compare_builds.py: neither {one} nor {other} has a file")
    different = sum(not same for same, _ in told)
    if different:
        sys.exit(f"compare_builds.py: {different} of {len(told)} files are not the same")
    print(f"{len(told)} files are the same")


if __name__ == "__main__":
    main(sys.argv[1:])
