#include "procfs/loadavg.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

std::vector<Value> read(std::string_view text) {
  const LoadavgLayout layout({"1min", "5min", "15min", "runnable", "tasks"});
  std::vector<Value> values(layout.size(), 77);
  layout.read(text, values);
  return values;
}

TEST(Loadavg, ReadsLoadsInHundredthsAndTasks) {
  EXPECT_THAT(read("0.20 10.18 0.02 3/1080 11206\n"), ElementsAre(20, 1018, 2, 3, 1080));
}

TEST(Loadavg, WhatIsCutOrRubbishIsMissing) {
  constexpr Value kNone;
  EXPECT_THAT(read(""), ElementsAre(kNone, kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("0.20 10.18 0.02 3/10"), ElementsAre(kNone, kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("0.20 x 0.0 3 11206\n"), ElementsAre(20, kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("0.20 0.30 0.40 3/ 11206\n"), ElementsAre(20, 30, 40, 3, kNone));
}

TEST(Loadavg, AKeyThatIsNoneHasNoValue) {
  const LoadavgLayout layout({"2min"});
  std::vector<Value> values(1, 77);
  layout.read("0.20 10.18 0.02 3/1080 11206\n", values);
  EXPECT_FALSE(values[0]);
}

const ParserCase kFuzzed("proc/loadavg", [](std::string_view text) {
  fuzz_layout<LoadavgLayout>(text, {"1min", "15min", "runnable", "tasks"});
});

}  // namespace
}  // namespace reveal::procfs
