"""Tests tools/batches.py on sources written here."""

import unittest

import batches

FIRST = """#include <vector>
namespace reveal::collect {
namespace {

using Row = MetricRow<int>;
struct Options {
  int depth = 0;
};
constexpr std::array<int, 2> kRows = {1, 2};
constexpr const char* kNames[] = {"a"};
std::vector<int> read(const Options& options,
                      int depth) {
  const int sum = depth;
  return {};
}

}  // namespace

bool Reader::next() { return false; }
}  // namespace reveal::collect
"""


class DeclaredNames(unittest.TestCase):
    def test_are_those_of_namespaces_and_neither_members_nor_locals(self):
        self.assertEqual(batches.declared_in(FIRST), {"Row", "Options", "kRows", "kNames", "read"})

    def test_a_type_is_declared_and_not_what_it_derives_from(self):
        self.assertEqual(batches.declared_in("class Meminfo final : public Collector {\n};\nenum class Kind : char {\n"),
                         {"Meminfo", "Kind"})


class Batches(unittest.TestCase):
    def test_hold_no_name_twice(self):
        sources = {"a": "int f() {\n}\n", "b": "int g() {\n}\n", "c": "int f(int of) {\n}\n"}
        self.assertEqual(batches.batches_of(sources), [["a", "b"], ["c"]])

    def test_may_use_but_not_declare_a_name_of_elsewhere(self):
        sources = {"a": "using other::f;\n", "b": "using other::f;\n", "c": "int f() {\n}\n"}
        self.assertEqual(batches.batches_of(sources), [["a", "b"], ["c"]])

    def test_hold_every_source_once_and_are_not_too_large(self):
        sources = {str(i): f"int f{i}() {{\n}}\n" for i in range(40)}
        found = batches.batches_of(sources)
        self.assertEqual([len(batch) for batch in found], [16, 16, 8])
        self.assertEqual(sorted(sum(found, [])), sorted(sources))

    def test_leave_alone_what_includes_itself(self):
        sources = {"a": "int f() {\n}\n", "b": "#include <hwy/foreach_target.h>\nint g() {\n}\n", "c": "int h() {\n}\n"}
        self.assertEqual(batches.batches_of(sources), [["a", "c"], ["b"]])


if __name__ == "__main__":
    unittest.main()
