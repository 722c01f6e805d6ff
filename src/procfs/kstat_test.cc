#include "procfs/kstat.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

constexpr Value kNone;

std::vector<Value> read(std::string_view text) {
  const KstatLayout layout({"misses", "hits", "c"});
  std::vector<Value> values(layout.size(), 77);
  layout.read(text, values);
  return values;
}

TEST(Kstat, ReadsWhatIsBehindTheType) {
  EXPECT_THAT(read("13 1 0x01 12 3264 5000000000 90000000000000\n"
                   "name                            type data\n"
                   "hits                            4    8000000\n"
                   "misses                          4    60000\n"
                   "c_max                           4    128000000000\n"),
              ElementsAre(60000, 8000000, kNone));
}

TEST(Kstat, WhatIsCutOrOfAnotherTypeIsMissing) {
  EXPECT_THAT(read(""), ElementsAre(kNone, kNone, kNone));
  EXPECT_THAT(read("hits 4 88374"), ElementsAre(kNone, kNone, kNone));
  EXPECT_THAT(read("hits 4\nmisses 7 12\nc 4 -1\n"), ElementsAre(kNone, kNone, kNone));
}

const ParserCase kFuzzed("proc/spl/kstat/zfs/arcstats", [](std::string_view text) {
  fuzz_layout<KstatLayout>(text, {"hits", "c", "size"});
});

}  // namespace
}  // namespace reveal::procfs
