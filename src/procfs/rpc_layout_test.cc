#include "procfs/rpc_layout.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"
#include "procfs/xfs_stats.h"

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

TEST(NfsdLayout, ReadsThreadsBytesAndCalls) {
  const NfsdLayout layout(
      {"th threads", "io read", "io written", "rpc badcalls", "rc hits", "net connections"});
  std::vector<Value> values(layout.size());
  layout.read(
      "rc 11 5131 1246213\nfh 0 0 0 0 0\nio 4096000 8192000\n"
      "th 8 0 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000\n"
      "ra 0 0 0 0 0 0 0 0 0 0 0 0\nnet 1251344 0 1251350 12\nrpc 1251344 3 3 0 0\n"
      "proc3 22 0 800000\n",
      values);
  EXPECT_THAT(values, ElementsAre(8, 4096000, 8192000, 3, 11, 12));
}

const ParserCase kFuzzed("proc/net/rpc/nfs", [](std::string_view text) {
  fuzz_layout<RpcLayout>(text, {"rpc calls", "rpc retrans"});
});

const ParserCase kFuzzedNfsd("proc/net/rpc/nfsd", [](std::string_view text) {
  fuzz_layout<NfsdLayout>(text, {"th threads", "io read", "rpc badcalls"});
});

const ParserCase kFuzzedXfs("sys/fs/xfs/dm-0/stats/stats", [](std::string_view text) {
  fuzz_layout<XfsLayout>(text, {"log waits", "xpc read", "buf locked_waits"});
});

}  // namespace
}  // namespace reveal::procfs
