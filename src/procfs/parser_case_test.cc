// Runs every parser's case over its file and over damaged copies of it, and holds that every parser
// has one.
#include "procfs/testing/parser_case.h"

#include <algorithm>
#include <cctype>
#include <ostream>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "base/testing/mutation.h"

namespace reveal::procfs {

// What a test of a case is listed with.
void PrintTo(const ParserCase* parser, std::ostream* out) {
  *out << parser->file();
}

namespace {

namespace fs = std::filesystem;

constexpr int kMutations = 20000;

fs::path source(std::string_view path) {
  return fs::path(REVEAL_SOURCE_DIR) / path;
}

class AnyText : public ::testing::TestWithParam<const ParserCase*> {};

TEST_P(AnyText, IsParsedOrRefused) {
  const auto seed = seed_of(*GetParam(), source("tests/hosts"));
  ASSERT_TRUE(seed) << "no whole host of tests/hosts has " << GetParam()->file()
                    << ": add it to one, as a kernel wrote it";
  GetParam()->parse("");
  GetParam()->parse(*seed);
  base::Rng rng(1);
  for (int round = 0; round < kMutations; ++round) GetParam()->parse(base::mutated(*seed, rng));
}

std::string name_of(const ::testing::TestParamInfo<const ParserCase*>& info) {
  std::string out(info.param->file());
  std::replace_if(
      out.begin(), out.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(Parsers, AnyText, ::testing::ValuesIn(ParserCase::all()), name_of);

TEST(ParserCases, AreOnePerFile) {
  const auto all = ParserCase::all();
  const auto twice = std::adjacent_find(
      all.begin(), all.end(), [](const auto* a, const auto* b) { return a->file() == b->file(); });
  EXPECT_TRUE(twice == all.end()) << (*twice)->file();
}

TEST(ParserCases, EveryParserHasOneOrSaysWhyNot) {
  for (const auto& entry : fs::directory_iterator(source("src/procfs"))) {
    const auto name = entry.path().filename().string();
    if (!name.ends_with("_test.cc") || name == "parser_case_test.cc") continue;
    std::ifstream in(entry.path());
    const std::string text(std::istreambuf_iterator<char>(in), {});
    EXPECT_TRUE(text.find("const ParserCase k") != std::string::npos ||
                text.find("// Not fuzzed here: ") != std::string::npos)
        << name << " has no ParserCase (procfs/testing/parser_case.h), so nobody fuzzes its "
        << "parser. If it is none, or another case reaches it, say so: // Not fuzzed here: WHY";
  }
}

}  // namespace
}  // namespace reveal::procfs
