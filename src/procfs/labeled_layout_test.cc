#include "procfs/labeled_layout.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

constexpr Value kNone;

std::vector<Value> read(std::string_view text) {
  const LabeledLayout layout({"sockets used", "TCP inuse", "TCP mem", "UDP mem"});
  std::vector<Value> values(layout.size(), 77);
  layout.read(text, values);
  return values;
}

TEST(LabeledLayout, FindsPairsByLabelAndName) {
  EXPECT_THAT(read("sockets: used 290\n"
                   "TCP: inuse 27 orphan 0 tw 4 alloc 30 mem 3\n"
                   "UDP: inuse 6 mem 2\n"
                   "UDPLITE: inuse 9\n"),
              ElementsAre(290, 27, 3, 2));
  EXPECT_THAT(read("UDP: mem 2 later 9 inuse 6\nTCP: mem 3 inuse 27\n"),
              ElementsAre(kNone, 27, 3, 2));
}

TEST(LabeledLayout, WhatIsCutOrRubbishIsMissing) {
  EXPECT_THAT(read(""), ElementsAre(kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("sockets: used 29"), ElementsAre(kNone, kNone, kNone, kNone));
  EXPECT_THAT(read("sockets used 290\nTCP: inuse -1 mem\nUDP: mem 2 3 4\n"),
              ElementsAre(kNone, kNone, kNone, 2));
  EXPECT_THAT(read(":\nTCP inuse: 5\nTCPinuse: 6\n"), ElementsAre(kNone, kNone, kNone, kNone));
}

const ParserCase kFuzzed("proc/net/sockstat", [](std::string_view text) {
  fuzz_layout<LabeledLayout>(text, {"sockets used", "TCP inuse", "TCP mem"});
});

}  // namespace
}  // namespace reveal::procfs
