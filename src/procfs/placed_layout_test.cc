// Not fuzzed here: two of the cases in rpc_layout_test.cc are of it.
#include "procfs/placed_layout.h"

#include <gmock/gmock.h>

#include "procfs/xfs_stats.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

constexpr Value kNone;
constexpr PlacedLine kLines[] = {{"io", {{"read", "written"}}}, {"th", {{"threads"}}}};

std::vector<Value> read(std::string_view text) {
  const PlacedLayout layout(kLines, {"io written", "th threads", "io read", "io other", "io"});
  std::vector<Value> values(layout.size(), 77);
  layout.read(text, values);
  return values;
}

TEST(PlacedLayout, FindsNumbersByLabelAndPlace) {
  EXPECT_THAT(read("rc 1 2 3\nio 4096 8192\nth 8 0 0.000\n"),
              ElementsAre(8192, 8, 4096, kNone, kNone));
}

TEST(PlacedLayout, WhatIsCutOrRubbishIsMissing) {
  EXPECT_THAT(read(""), ElementsAre(kNone, kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("io 4096 81"), ElementsAre(kNone, kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("io 4096\nth\n"), ElementsAre(kNone, kNone, 4096, kNone, kNone));
  EXPECT_THAT(read("io x 5\nth -8\n"), ElementsAre(5, kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("ion 1 2\n\n \n"), ElementsAre(kNone, kNone, kNone, kNone, kNone));
}

TEST(PlacedLayout, TheFirstOfTwoLinesCounts) {
  EXPECT_THAT(read("io 1 2\nio 3 4\n"), ElementsAre(2, kNone, 1, kNone, kNone));
}

// The places are those of fs/xfs/xfs_stats.h in the kernel's source.
TEST(XfsStats, LogBuffersAndBytes) {
  const XfsLayout layout({"log waits", "log forced_sleeps", "push_ail sleeps", "xpc written",
                          "xpc read", "buf locked_waits"});
  std::vector<Value> values(layout.size());
  layout.read(
      "extent_alloc 1000 20000 1100 21000\n"
      "log 2000 80000 7 3000 2500\n"
      "push_ail 9000 17 700 300 80 60 10 0 20 5\n"
      "buf 10000 9000 8000 31 40 0 0 1000 20\n"
      "xpc 4096000 8192000000 16384000000\n"
      "debug 0\n",
      values);
  EXPECT_THAT(values, ElementsAre(7, 2500, 17, 8192000000u, 16384000000u, 31));
}

}  // namespace
}  // namespace reveal::procfs
