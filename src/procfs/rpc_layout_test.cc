#include "procfs/rpc_layout.h"

#include <gmock/gmock.h>

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

constexpr Value kNone;

std::vector<Value> read(std::string_view text) {
  const RpcLayout layout({"rpc retrans", "rpc calls", "rpc other"});
  std::vector<Value> values(layout.size(), 77);
  layout.read(text, values);
  return values;
}

TEST(RpcLayout, ReadsTheRpcLine) {
  EXPECT_THAT(read("net 1 2 3 4\nrpc 5000000 123 5000100\nproc3 22 0 8 1\n"),
              ElementsAre(123, 5000000, kNone));
}

TEST(RpcLayout, WhatIsCutOrRubbishIsMissing) {
  EXPECT_THAT(read(""), ElementsAre(kNone, kNone, kNone));
  EXPECT_THAT(read("net 1 2 3 4\nrpc 5000000 12"), ElementsAre(kNone, kNone, kNone));
  EXPECT_THAT(read("rpc 7\n"), ElementsAre(kNone, 7, kNone));
  EXPECT_THAT(read("rpc x 5\n"), ElementsAre(5, kNone, kNone));
}

}  // namespace
}  // namespace reveal::procfs
