#!/usr/bin/env python3
"""Splits a module's sources into batches that can be read as one.

Most of a compiler's time, and nine tenths of clang-tidy's, go into the headers of a source; several
sources that are read as one share them. They can be where no two of them declare the same name in a
namespace of their own.

usage: tools/batches.py SOURCE...     prints for each source the number of its batch and its path
"""

import pathlib
import re
import sys

MOST_IN_A_BATCH = 16
# Code of a namespace begins in the first column, and nothing else does.
TYPE = re.compile(r"(?:class|struct|union|enum(?: class)?) (\w+)\b(?! *::)")
DECLARED = re.compile(r"(?!#|//|\}|namespace\b|extern\b)[^\s(={;][^(={;]*?(?<![:\w])(\w+)\s*(?:\[[^\]]*\])?\s*(?:[(={;]|$)")
USED = re.compile(r"using (?:\w+::)+(\w+);")
# Whoever includes this includes itself, once for every instruction set.
ALONE = "foreach_target.h"


def names_in(text, *patterns):
    """Returns the names that lines of a source declare, or use, in its namespaces: by the first
    pattern that a line matches."""
    return {found[1] for line in text.splitlines()
            if (found := next(filter(None, (pattern.match(line) for pattern in patterns)), None))}


def declared_in(text):
    return names_in(text, TYPE, DECLARED)


class Batch:
    def __init__(self):
        self.sources = []
        self.declared = set()
        self.used = set()  # names of other namespaces, which may be used twice
        self.full = False

    def can_take(self, declared, used):
        return not (self.full or self.declared & (declared | used) or self.used & declared)

    def take(self, source, declared, used, alone):
        self.sources.append(source)
        self.declared |= declared
        self.used |= used
        self.full = alone or len(self.sources) == MOST_IN_A_BATCH


def batches_of(sources):
    """Splits sources, a mapping of name to text, into lists of names; one that has no fellow is alone."""
    batches = []
    for source, text in sources.items():
        declared, used, alone = declared_in(text), names_in(text, USED), ALONE in text
        batch = None if alone else next((b for b in batches if b.can_take(declared, used)), None)
        if batch is None:
            batches.append(batch := Batch())
        batch.take(source, declared, used, alone)
    return [batch.sources for batch in batches]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for number, batch in enumerate(batches_of({path: pathlib.Path(path).read_text() for path in sys.argv[1:]})):
        for path in batch:
            print(number, path)
