#!/usr/bin/env python3
"""Prints the libraries that the archive for any Linux has: the loader of a program, what it is linked with, what it
loads when it is used, and what libraries of a host were linked with when these were not yet a part of libc.

usage: libraries.py PROGRAM READELF ROOT     ROOT has the libraries, "" for this host
"""

import pathlib
import re
import subprocess
import sys

# libpq is left to the host: it needs a dozen more, Kerberos and LDAP among them.
# As patterns: the header that it was compiled with has a say in the name.
LOADED = [r"libpfm\.so\.4", r"libnats\.so\.3\.\d+", r"libsqlite3\.so\.0"]
ONCE_APART = ["libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1"]


def said_by(readelf, option, path):
    return subprocess.run([readelf, option, path], check=True, capture_output=True, text=True).stdout


def loader_of(program, readelf):
    return re.search(r"program interpreter: ([^\]]+)\]", said_by(readelf, "--program-headers", program))[1]


def needed_by(path, readelf):
    return re.findall(r"\(NEEDED\)\s+Shared library: \[([^\]]+)\]", said_by(readelf, "--dynamic", path))


def loaded_by(program):
    """Returns the names that the program asks for, one that fits each of LOADED."""
    text = pathlib.Path(program).read_bytes()
    found = {pattern: re.search(pattern.encode() + rb"(?=\0)", text) for pattern in LOADED}
    for pattern, name in found.items():
        if name is None:
            sys.exit(f"libraries.py: {program} loads no {pattern} any more")
    return [name[0].decode() for name in found.values()]


def folders(root, loader):
    """Returns where the libraries of the loader's architecture lie, on Debian."""
    # RISC-V's has the calling convention behind it.
    machine = pathlib.Path(loader).name.removeprefix("ld-linux-").split(".")[0].removesuffix("-lp64d")
    triplet = machine.replace("x86-64", "x86_64")
    return [root / folder / f"{triplet}-linux-gnu" for folder in ("lib", "usr/lib")]


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: libraries.py PROGRAM READELF ROOT")
    program, readelf, root = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3] or "/")
    loader = loader_of(program, readelf)
    within = folders(root, loader)
    found = {pathlib.Path(loader).name: root / loader.lstrip("/")}
    wanted = needed_by(program, readelf) + loaded_by(program)
    optional = list(ONCE_APART)
    while wanted or optional:
        is_needed = bool(wanted)
        name = wanted.pop() if is_needed else optional.pop()
        if name in found:
            continue
        path = next((folder / name for folder in within if (folder / name).exists()), None)
        if path:
            found[name] = path
            wanted += needed_by(path, readelf)
        elif is_needed:
            sys.exit(f"libraries.py: {name} is not in {' or '.join(map(str, within))}")
    for path in sorted(found.values()):
        print(path)


if __name__ == "__main__":
    main()
