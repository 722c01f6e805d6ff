#!/usr/bin/env python3
"""Checks that no name of the tree is a word that GLOSSARY.md gives up for another.

Each word of the glossary has one row, and no row gives up a word that has a row of its own.

A row of the glossary's table has a column "not called". A word in it that is written as `code` is held: it
must not be found in any file, whether in prose or as a part of a name (`fence`, kFenceOff, has_fence). Words
that are not written so are plain English or somebody else's terms as well, and only people can tell where
they are wrong. EXCEPTIONS are names of others that contain a held word.

usage: check_words.py [ROOT]; prints FILE:LINE and the word, and fails if there is any.
"""

import re
import subprocess
import sys
from pathlib import Path

GLOSSARY = "GLOSSARY.md"
COLUMN = "not called"
# The glossary names the words, the test plants them, and old entries of a log stay as they were.
SKIPPED = (GLOSSARY, "CHANGELOG.md", "tools/check_words.py", "tools/check_words_test.py")
SKIPPED_UNDER = ("tests/hosts/", "tests/recordings/", "docs/images/")
EXCEPTIONS = ("atomic_thread_fence",)


def rows(glossary):
    """Yields (words, words not to be used) of each row of the glossary's tables, as they are written."""
    column = None
    for line in glossary.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if not cells:
            column = None
        elif COLUMN in cells:
            column = cells.index(COLUMN)
        elif column is not None and column < len(cells) and set(cells[0]) != {"-"}:
            yield cells[0], cells[column]


def held_words(glossary):
    """Returns the held words of the glossary's text, in its order."""
    return [word for _, given_up in rows(glossary) for word in re.findall(r"`([^`]+)`", given_up)]


def doubles(glossary):
    """Returns a line for each word with two rows, and for each that one row has and another gives up."""
    def parts(cell):
        return [part.strip(" `") for part in cell.split(",") if part.strip(" `")]
    words = [word for cell, _ in rows(glossary) for word in parts(cell)]
    given_up = {word for _, cell in rows(glossary) for word in parts(cell)}
    out = [f"{GLOSSARY}: '{word}' has two rows" for word in sorted(set(words)) if words.count(word) > 1]
    return out + [f"{GLOSSARY}: '{word}' has a row, and another row gives it up"
                  for word in sorted(set(words) & given_up)]


# What may stand between the parts of a word: also the end of a line, in prose, a comment or a literal.
BETWEEN = r"""(?:[ _]|[ ]?"?\n[ \t]*(?:(?://+|\#|\*)[ \t]*)?"?)"""


def pattern(word):
    """Returns what finds the word: by itself, in snake_case and in CamelCase; also its plural."""
    parts = re.split(r"[ _]+", word)
    small = r"(?<![A-Za-z])" + BETWEEN.join(map(re.escape, parts)) + r"s?(?![a-z])"
    capital = "".join(re.escape(part[:1].upper() + part[1:]) for part in parts)
    spaced = BETWEEN.join(re.escape(part) for part in [parts[0].capitalize(), *parts[1:]])
    return re.compile(rf"{small}|(?:{capital}|{spaced})s?(?![a-z])")


def found_in(text, patterns):
    """Returns (line number, word) for each line on which a held word begins, in order."""
    for name in EXCEPTIONS:
        text = text.replace(name, "")
    found = {(text.count("\n", 0, match.start()) + 1, word)
             for word, finder in patterns for match in finder.finditer(text)}
    return sorted(found)


def tracked(root):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    return [path for path in listed.stdout.decode().split("\0")
            if path and path not in SKIPPED and not path.startswith(SKIPPED_UNDER)]


def check(root):
    """Returns a line for each held word in the name or the text of a tracked file."""
    words = held_words((root / GLOSSARY).read_text(encoding="utf-8"))
    if not words:
        return [f"{GLOSSARY}: no word of the column '{COLUMN}' is held"]
    patterns = [(word, pattern(word)) for word in words]
    out = doubles((root / GLOSSARY).read_text(encoding="utf-8"))
    for path in tracked(root):
        out += [f"{path}: is named '{word}'" for _, word in found_in(path, patterns)]
        try:
            text = (root / path).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        out += [f"{path}:{number}: '{word}'" for number, word in found_in(text, patterns)]
    return out


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
