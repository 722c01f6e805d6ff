#!/usr/bin/env python3
"""Joins sources into a few that a compiler reads at once.

Most of a compiler's time, and nine tenths of clang-tidy's, go into the headers of a source; sources that are
read as one share them. A name that two of them declare, each in an unnamed namespace of the same namespace, is
given another name in the second one. What a compiler says, and a debugger, still name the source and its line.

usage: tools/joined_sources.py plan PREFIX SOURCE...    prints for each source the number of its group and its path,
                                                        and writes each group of several as PREFIX_NUMBER.cc
       tools/joined_sources.py write OUTPUT SOURCE...   writes a group
"""

import pathlib
import re
import sys

# g++ -O2 needs about 1.5 GB for a group of this size; two of them fit a host of 4 GB.
MOST_BYTES = 250_000
INCLUDE = re.compile(r'#include [<"]([^>"]+)[>"]')
NAMESPACE = re.compile(r"namespace ((?:\w+::)*\w+) \{")
UNNAMED_BEGINS, UNNAMED_ENDS = "namespace {", "}  // namespace"
# Code of a namespace begins in the first column, and nothing else does.
TYPE = re.compile(r"(?:class|struct|union|enum(?: class)?) (\w+)\b(?! *::)|using (\w+) =")
DECLARED = re.compile(r"(?!#|//|\}|namespace\b|extern\b|TEST)[^\s(={;][^(={;]*?(?<![:\w])(\w+)\s*(?:\[[^\]]*\])?\s*(?:[(={;]|$)")
ENUMERATION = re.compile(r"^enum (?!class)[^;{]*\{([^}]*)\}", re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*")
TOKEN = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/'
                   r"|(?:\.|->|::)\s*\w+|\w+", re.DOTALL)


def stands_alone(text):
    """Whether a source changes what others would read: by a macro, or by including itself."""
    return any(line.startswith("#define") for line in text.splitlines())


def enumerators(text):
    """Returns the names of unscoped enumerations' values, which are names of the namespace around them."""
    return {value.split("=")[0].strip() for found in ENUMERATION.finditer(text)
            for value in COMMENT.sub("", found[1]).split(",") if value.strip()}


def unnamed_names(text):
    """Returns the names that a source declares in its unnamed namespaces, each with the namespace around it."""
    names, around, inside = set(), "", False
    for line in text.splitlines():
        if found := NAMESPACE.match(line):
            around = found[1]
        elif line in (UNNAMED_BEGINS, UNNAMED_ENDS):
            inside = line == UNNAMED_BEGINS
        elif inside and (found := TYPE.match(line) or DECLARED.match(line)):
            names.add((around, found[found.lastindex]))
    return names | {(around, name) for name in enumerators(text)}


def other_name(name, number):
    """Returns a name of the same style."""
    return f"{name}_{number}" if name.islower() else f"{name}N{number}"


def renamed(text, names):
    """Returns a source with other names in place of some, a mapping; members, strings and comments stay."""
    if not names:
        return text
    return TOKEN.sub(lambda token: names.get(token[0], token[0]), text)


def include_of(line, source):
    """Returns an include line with the path of a header that stands beside its source."""
    path = INCLUDE.match(line)[1]
    beside = source.parent / path
    return f'#include "{beside}"' if "/" not in path and beside.is_file() else line.split("  //")[0]


def without_includes(text, source):
    """Returns a source's includes, and the source with empty lines in their place; those that depend on a
    condition stay."""
    includes, lines, depth = [], [], 0
    for line in text.splitlines():
        depth += line.startswith("#if") - line.startswith("#endif")
        if depth == 0 and INCLUDE.match(line):
            includes.append(include_of(line, source))
            line = ""
        lines.append(line)
    return includes, "\n".join(lines) + "\n"


def joined(sources):
    """Returns one source made of several, a mapping of path to text: first all that they include, then each."""
    includes, bodies, taken = {}, [], set()
    for number, (path, text) in enumerate(sources.items()):
        names = unnamed_names(text)
        twice = {name: other_name(name, number) for _, name in names & taken}
        taken |= names
        own, body = without_includes(text, path)
        includes.update(dict.fromkeys(own))
        bodies.append(f'#line 1 "{path}"\n{renamed(body, twice)}')
    return "\n".join(includes) + "\n" + "".join(bodies)


def groups_of(sources, most_bytes=MOST_BYTES):
    """Splits sources, a mapping of path to text, into lists of paths, all of about one size and in their
    order; a source that stands alone has no fellow."""
    together = {path: len(text) for path, text in sources.items() if not stands_alone(text)}
    count = -(-sum(together.values()) // most_bytes)
    groups, sizes = [[] for _ in range(count)], [0] * count
    group = 0
    for path, size in together.items():
        # The next group begins where an equal share of what is left is reached.
        if groups[group] and group + 1 < count and sizes[group] + size / 2 > sum(together.values()) / count:
            group += 1
        groups[group].append(path)
        sizes[group] += size
    return groups + [[path] for path in sources if path not in together]


def read(paths):
    return {pathlib.Path(path).resolve(): pathlib.Path(path).read_text() for path in paths}


def write_if_new(output, text):
    """Writes a file; one that is the same keeps its time, so that it is not compiled anew."""
    if not output.is_file() or output.read_text() != text:
        output.write_text(text)


def main(words):
    match words:
        case ["plan", prefix, _, *_]:
            sources = read(words[2:])
            for number, group in enumerate(groups_of(sources)):
                if len(group) > 1:
                    write_if_new(pathlib.Path(f"{prefix}_{number}.cc"), joined({path: sources[path] for path in group}))
                for path in group:
                    print(number, path)
        case ["write", output, _, *_]:
            write_if_new(pathlib.Path(output), joined(read(words[2:])))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
