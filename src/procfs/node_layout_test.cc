#include "procfs/node_layout.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

constexpr Value kNone;

std::vector<Value> read(std::string_view text) {
  const NodeLayout layout({"MemFree", "Active", "HugePages_Free"});
  std::vector<Value> values(layout.size(), 77);
  layout.read(text, values);
  return values;
}

TEST(NodeLayout, FindsKeysBehindTheNode) {
  EXPECT_THAT(read("Node 1 MemFree:         6936720 kB\n"
                   "Node 1 Active(anon):       1560 kB\n"
                   "Node 1 Active:           424220 kB\n"
                   "Node 1 HugePages_Free:      3\n"),
              ElementsAre(6936720, 424220, 3));
}

TEST(NodeLayout, WhatIsCutOrRubbishIsMissing) {
  EXPECT_THAT(read(""), ElementsAre(kNone, kNone, kNone));
  EXPECT_THAT(read("Node 0 MemFree:  69"), ElementsAre(kNone, kNone, kNone));
  EXPECT_THAT(read("MemFree: 1 kB\nNode 0 Active 2 kB\nNode 0 HugePages_Free: -\nNode 0\nNode\n"),
              ElementsAre(kNone, kNone, kNone));
}

const ParserCase kFuzzed("sys/devices/system/node/node0/meminfo", [](std::string_view text) {
  fuzz_layout<NodeLayout>(text, {"MemFree", "Dirty", "HugePages_Free"});
});

}  // namespace
}  // namespace reveal::procfs
