#!/usr/bin/env python3
"""Checks that the modules in src/ include one another, and libraries, only as the build says they may.

The table of modules is the reveal_module() lines of the root CMakeLists.txt and nothing else, so
what this enforces and what links are the same. A file may include its own module, the modules that
its row names, and what those may include in turn. Tests may include what their module may. Files
of a module declare its namespace, reveal::<module>. src/main.cc belongs to the top: it may include
anything.

A module may have folders by subject. What stands in one includes that folder, the module's own files, and the
folder that PARTS names of the module. Neither the module's own files nor other modules include what stands in
a folder. Headers of the module's folder "testing" are for all.

A library of LIBRARIES may be included by the modules whose own row names it, and by no others, even if
they may include such a module. Tests may include any.

Prints one line per violation, "file:line: what", and exits with 1 if there was any, with 2 if the
table itself cannot be used. Usage: check_dag.py [ROOT]
"""

import re
import sys
from pathlib import Path

MODULE = re.compile(r"^\s*reveal_module\(\s*(\w+)(?:\s+DEPS\s+([^)]*))?\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
NAMESPACE = re.compile(r"^(?:inline\s+)?namespace\s+reveal::(\w+)", re.MULTILINE)
THREAD = re.compile(r"\bstd::(?:jthread|async)\b|\bstd::thread\s*(?:\w+\s*)?[({]|\bpthread_create\b")
FILE = re.compile(r"\b(?:std::)?(?:ofstream|fstream)\b(?!>)|\bfopen\s*\(")
SUFFIXES = (".h", ".cc")
SYSTEM_INCLUDE = re.compile(r"^\s*#\s*include\s+<([^>]+)>")
# The names of libraries in the rows, and their headers, or the folders of these. What every module may use (the standard
# library, fmt) is not here.
LIBRARIES = {
    "CLI11::CLI11": ("CLI/",),
    "Curses::Curses": ("curses.h", "ncurses.h", "ncursesw/"),
    "Eigen3::Eigen": ("Eigen/",),
    "GTest::gtest": ("gtest/", "gmock/"),
    # Before OpenSSL::Crypto, which has all other headers of that folder.
    "OpenSSL::SSL": ("openssl/ssl.h", "openssl/tls1.h"),
    "OpenSSL::Crypto": ("openssl/",),
    "Threads::Threads": ("thread", "future", "stop_token", "pthread.h"),
    "ZLIB::ZLIB": ("zlib.h",),
    "crypt::crypt": ("crypt.h",),
    "hwy::hwy": ("hwy/",),
    "nats::headers": ("nats/",),
    "nlohmann_json::nlohmann_json": ("nlohmann/",),
    "pfm::pfm": ("perfmon/",),
    "pq::headers": ("libpq-fe.h",),
    "sqlite::headers": ("sqlite3.h",),
    "system::sockets": ("sys/socket.h", "sys/un.h", "netinet/", "arpa/", "netdb.h"),
    "tomlplusplus::tomlplusplus": ("toml++/",),
    "zstd::libzstd_shared": ("zstd.h", "zstd_errors.h"),
}
# Of a module with folders by subject, the one that has what the others are made of.
PARTS = {"collect": "parts"}


class BadTable(Exception):
    """The table of modules contradicts itself or cannot be found."""


def read_table(root):
    """Returns {module: modules that its row names} and {module: libraries that its row names}."""
    path = root / "CMakeLists.txt"
    if not path.is_file():
        raise BadTable(f"{path}: no such file")
    text = "\n".join(line.split("#", 1)[0] for line in path.read_text().splitlines())
    table, libraries = {}, {}
    for name, row in MODULE.findall(text):
        table[name] = [dep for dep in row.split() if "::" not in dep]
        libraries[name] = {dep for dep in row.split() if "::" in dep}
    if not table:
        raise BadTable(f"{path}: no reveal_module() line")
    for name, deps in table.items():
        for dep in deps:
            if dep not in table:
                raise BadTable(f"{path}: module {name} names {dep}, which is no module")
    return table, libraries


def closure(table):
    """Returns {module: all modules that it may include}. Raises BadTable on a cycle."""
    reach = {}

    def visit(name, path):
        if name in path:
            cycle = " -> ".join(path[path.index(name):] + [name])
            raise BadTable(f"CMakeLists.txt: modules in a cycle: {cycle}")
        if name not in reach:
            reach[name] = {name}.union(*(visit(dep, path + [name]) for dep in table[name]))
        return reach[name]

    for name in table:
        visit(name, [])
    return reach


def included_modules(text):
    """Yields (line number, included path) of every quoted include."""
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def check_include(root, module, allowed, included):
    """Returns what is wrong with an include of a file of `module`, or None."""
    target = included.split("/", 1)[0]
    if "/" not in included or target not in allowed.keys():
        return f'"{included}" does not name a module; write "module/file.h"'
    if target not in allowed[module]:
        return f'{module} may not include {target} ("{included}")'
    if not (root / "src" / included).is_file():
        return f'"{included}" does not exist'
    return None


def folder_of(path):
    """Returns the folder of a module in which a file stands, or "" if none; the path begins below src/."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def check_folder(path, included):
    """Returns what is wrong with the folder of an include of the file `path`, which begins below src/, or None."""
    module, own = path.split("/", 1)[0], folder_of(path)
    target, other = included.split("/", 1)[0], folder_of(included)
    allowed = {"", "testing"}
    if own and target == module:
        allowed |= {own, PARTS.get(module, own)}
    if other in allowed:
        return None
    including = f"{module}/{own}" if own else module
    return f'{including} may not include {target}/{other} ("{included}")'


def check_one_way(shown, path, text):
    """Yields the places that start a thread or make a file in another way than the one there is."""
    for number, line in enumerate(text.splitlines(), start=1):
        code = line.split("//", 1)[0]
        if THREAD.search(code) and path.name != "thread.cc":
            yield f"{shown}:{number}: threads are started by base::start_thread alone: others throw"
        if FILE.search(code) or ("O_CREAT" in code and not re.search("O_EXCL|O_NOFOLLOW", code)):
            yield f"{shown}:{number}: files are written by base::NewFile alone: others follow links"


def library_of(header):
    """Returns the library that a header belongs to, if it is one of LIBRARIES."""
    for library, beginnings in LIBRARIES.items():
        if header in beginnings or header.startswith(tuple(b for b in beginnings if b.endswith("/"))):
            return library
    return None


def is_for_tests(path):
    """Whether a file is compiled into tests only, by its path in the tree."""
    return path.stem.endswith("_test") or "testing" in path.parts


def check_libraries(path, module, text, libraries):
    """Yields (line number, what is wrong) of the libraries that a file includes."""
    if is_for_tests(path):
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if found := SYSTEM_INCLUDE.match(line):
            library = library_of(found[1])
            if library and library not in libraries[module]:
                yield number, f"{module} may not include <{found[1]}>: its row does not name {library}"


def check_file(root, path, allowed, libraries):
    """Yields the violations of one file of a module."""
    shown = path.relative_to(root)
    module = path.relative_to(root / "src").parts[0]
    text = path.read_text()
    for number, included in included_modules(text):
        problem = (check_include(root, module, allowed, included)
                   or check_folder(path.relative_to(root / "src").as_posix(), included))
        if problem:
            yield f"{shown}:{number}: {problem}"
    for number, problem in check_libraries(shown, module, text, libraries):
        yield f"{shown}:{number}: {problem}"
    if module != "base":
        for number, line in enumerate(text.splitlines(), start=1):
            if re.search(r"\btl::|<tl/", line):
                yield f"{shown}:{number}: tl:: is for base alone; write base::pass(result) or base::Unexpected(error)"
    if not is_for_tests(shown):
        yield from check_one_way(shown, path, text)
    declared = list(NAMESPACE.finditer(text))
    if not any(match.group(1) == module for match in declared):
        yield f"{shown}:1: declares no namespace reveal::{module}"
    for match in declared:
        if match.group(1) != module:
            number = text.count("\n", 0, match.start()) + 1
            yield f"{shown}:{number}: namespace reveal::{match.group(1)} in module {module}"


def check(root):
    """Returns all violations in the tree below `root`."""
    table, libraries = read_table(root)
    allowed = closure(table)
    problems = []
    for folder in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        if folder.name not in allowed:
            problems.append(f"src/{folder.name}:1: not a module of CMakeLists.txt")
            continue
        for path in sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES):
            problems.extend(check_file(root, path, allowed, libraries))
    return problems


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve()
    try:
        problems = check(root)
    except BadTable as error:
        print(error)
        return 2
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
