#include "procfs/number_list.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

constexpr Value kNone;

std::vector<Value> read(std::string_view text) {
  const NumberListLayout layout({"3", "1", "0", "first"});
  std::vector<Value> values(layout.size(), 77);
  layout.read(text, values);
  return values;
}

TEST(NumberList, FindsNumbersByTheirPlaces) {
  EXPECT_THAT(read("638\t0\t9223372036854775807\n"),
              ElementsAre(9223372036854775807u, 638, kNone, kNone));
}

TEST(NumberList, WhatIsCutOrRubbishIsMissing) {
  EXPECT_THAT(read(""), ElementsAre(kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("638\t0\t92233"), ElementsAre(kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("638 0\n5 6 7\n"), ElementsAre(kNone, 638, kNone, kNone));
  EXPECT_THAT(read("N/A 0 -7\n"), ElementsAre(kNone, kNone, kNone, kNone));
}

const ParserCase kFuzzed("proc/sys/fs/file-nr", [](std::string_view text) {
  fuzz_layout<NumberListLayout>(text, {"1", "3", "0"});
});

}  // namespace
}  // namespace reveal::procfs
