"""Tests tools/joined_sources.py on sources written here, and on what g++ makes of them."""

import contextlib
import io
import os
import pathlib
import subprocess
import tempfile
import unittest

import joined_sources

FIRST = """#include <vector>
namespace reveal::collect {
namespace {

using Row = MetricRow<int>;
struct Options {
  int depth = 0;
};
enum Column : int {
  kName = 0,  // first, of all
  kColumns,
};
enum Side { kLeft, kRight };
constexpr std::array<int, 2> kRows = {1, 2};
constexpr const char* kNames[] = {"a"};
std::vector<int> read(const Options& options,
                      int depth) {
  const int sum = depth;
  return {};
}

}  // namespace

bool Reader::next() { return false; }
int visible() { return 1; }
}  // namespace reveal::collect
"""

PROGRAM = {
    "main.cc": """#include <cstdio>
#include "other.h"
namespace a {
namespace {
struct Row {
  int deep;
};
int depth(Row row) { return row.deep; }
}  // namespace
}  // namespace a
int main() { std::printf("%d %d\\n", a::depth({.deep = 1}), b::deepest()); }
""",
    "other.h": """#pragma once
namespace a { int other(); }
namespace b { int deepest(); }
""",
    "other.cc": """#include "other.h"

namespace a {
namespace {
// Not the depth of main.cc.
struct Row {
  int deep;
  const char* text = "Row";
};
int depth(const Row* row) { return 10 * row->deep; }
}  // namespace
int other() {
  const Row row{2};
  return depth(&row);
}
}  // namespace a
""",
    "deepest.cc": """#include "other.h"
namespace b {
namespace {
int depth() { return a::other() + 3; }
}  // namespace
int deepest() { return depth(); }
}  // namespace b
"""}


class UnnamedNames(unittest.TestCase):
    def test_are_neither_members_nor_locals_nor_what_others_may_call(self):
        self.assertEqual(
            joined_sources.unnamed_names(FIRST),
            {("reveal::collect", name) for name in
             ("Row", "Options", "Column", "kName", "kColumns", "Side", "kLeft", "kRight", "kRows", "kNames", "read")})

    def test_a_type_is_declared_and_not_what_it_derives_from(self):
        text = "namespace n {\nnamespace {\nclass Meminfo final : public Collector {\n};\nenum class Kind : char {\n"
        self.assertEqual(joined_sources.unnamed_names(text), {("n", "Meminfo"), ("n", "Kind")})


class Renaming(unittest.TestCase):
    def test_leaves_members_strings_and_comments(self):
        text = 'row(x.row, p->row, a::row, .row = row, "row", \'r\', R"(row)") // row\n/* row */ rows'
        self.assertEqual(joined_sources.renamed(text, {"row": "row_1"}),
                         text.replace("row(", "row_1(", 1).replace("= row", "= row_1"))

    def test_keeps_the_style_of_a_name(self):
        self.assertEqual([joined_sources.other_name(name, 3) for name in ("row", "Row", "kRows")],
                         ["row_3", "RowN3", "kRowsN3"])


class Joined(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, text in PROGRAM.items():
            (self.folder / name).write_text(text)

    def write(self):
        output = self.folder / "joined.cc"
        joined_sources.main(["write", str(output), *(str(self.folder / name) for name in PROGRAM if name.endswith(".cc"))])
        return output

    def compile(self, source):
        return subprocess.run(["g++", "-std=c++20", "-Wall", "-Werror", str(source), "-o", str(self.folder / "program")],
                              capture_output=True, text=True)

    def test_sources_are_the_same_program(self):
        done = self.compile(self.write())
        self.assertEqual(done.stderr, "")
        said = subprocess.run([self.folder / "program"], capture_output=True, text=True).stdout
        self.assertEqual(said, "1 23\n")

    def test_a_plan_writes_the_groups(self):
        sources = [self.folder / name for name in PROGRAM if name.endswith(".cc")]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            joined_sources.main(["plan", str(self.folder / "all"), *map(str, sources)])
        self.assertEqual(said.getvalue(), "".join(f"0 {source.resolve()}\n" for source in sources))
        self.assertEqual((self.folder / "all_0.cc").read_text(), self.write().read_text())

    def test_what_is_the_same_is_not_written_again(self):
        output = self.write()
        os.utime(output, (1, 1))
        self.write()
        self.assertEqual(output.stat().st_mtime, 1)

    def test_a_mistake_is_told_by_its_source_and_line(self):
        other = self.folder / "other.cc"
        other.write_text(PROGRAM["other.cc"].replace("depth(&row)", "depth(row)"))
        self.assertIn(f"{other.resolve()}:14:", self.compile(self.write()).stderr)

    def test_an_include_that_depends_stays_where_it_is(self):
        includes, text = joined_sources.without_includes(
            "#include <vector>  // why\n#if defined(X)\n#include <map>\n#endif\n", pathlib.Path("a.cc"))
        self.assertEqual((includes, text), (["#include <vector>"], "\n#if defined(X)\n#include <map>\n#endif\n"))


class Groups(unittest.TestCase):
    def test_hold_every_source_once_in_order_and_are_about_alike(self):
        size = joined_sources.MOST_BYTES // 10
        sources = {str(i): "x" * size for i in range(45)}
        groups = joined_sources.groups_of(sources)
        self.assertEqual([len(group) for group in groups], [9] * 5)
        self.assertEqual(sum(groups, []), list(sources))

    def test_leave_alone_what_defines_a_macro(self):
        sources = {"a": "int f() {\n}\n", "b": "#define X\nint g() {\n}\n", "c": "int h() {\n}\n"}
        self.assertEqual(joined_sources.groups_of(sources), [["a", "c"], ["b"]])


if __name__ == "__main__":
    unittest.main()
