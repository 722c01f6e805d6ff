#include "procfs/net_stat.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

constexpr Value kNone;

std::vector<Value> read(std::string_view text) {
  const NetStatLayout layout({"drop", "invalid", "clashres"});
  std::vector<Value> values(layout.size(), 77);
  layout.read(text, values);
  return values;
}

// As Linux 4.18 writes it, and as 6.18 does.
constexpr std::string_view kOld =
    "entries  searched found new invalid ignore delete delete_list insert insert_failed drop "
    "early_drop icmp_error  expect_new expect_create expect_delete search_restart\n"
    "0000012c  00000005 00000000 00000000 0000000a 00000000 00000000 00000000 00000000 00000001 "
    "00000010 00000000 00000000  00000000 00000000 00000000 00000007\n"
    "0000012c  00000006 00000000 00000000 00000001 00000000 00000000 00000000 00000000 00000002 "
    "00000001 00000000 00000000  00000000 00000000 00000000 00000000\n";
constexpr std::string_view kNew =
    "entries  clashres found new invalid ignore delete chainlength insert insert_failed drop "
    "early_drop icmp_error  expect_new expect_create expect_delete search_restart\n"
    "00000003  00000002 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
    "ffffffff 00000000 00000000  00000000 00000000 00000000 00000000\n"
    "00000003  00000003 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
    "00000002 00000000 00000000  00000000 00000000 00000000 00000000\n";

TEST(NetStat, AddsUpCoresByName) {
  EXPECT_THAT(read(kOld), ElementsAre(17, 11, kNone));
}

TEST(NetStat, ColumnsAreFoundByNameAndSumsAreWhole) {
  EXPECT_THAT(read(kNew), ElementsAre(0x100000001, 0, 5));
}

TEST(NetStat, EntriesAreOfTheTableAndNumbersMayHave64Bits) {
  const NetStatLayout layout({"table_fulls", "entries"});
  std::vector<Value> values(layout.size(), 77);
  layout.read(
      "entries  allocs   table_fulls\n"
      "00000400 0000000c 123456789a\n"
      "00000400 0000000e 00000001\n",
      values);
  EXPECT_THAT(values, ElementsAre(0x123456789b, 0x400));
}

TEST(NetStat, WhatIsCutOrRubbishIsMissing) {
  const auto nothing = ElementsAre(kNone, kNone, kNone);
  EXPECT_THAT(read(""), nothing);
  EXPECT_THAT(read("entries drop\n"), nothing);
  EXPECT_THAT(read(kOld.substr(0, kOld.size() - 1)), nothing);
  EXPECT_THAT(read(kOld.substr(0, kOld.size() - 10)), nothing);
  EXPECT_THAT(read("entries drop\n00000001\n"), nothing);
  EXPECT_THAT(read("entries drop\n00000001 00000001 00000001\n"), nothing);
  EXPECT_THAT(read("entries drop\n00000001 -0000001\n"), nothing);
  EXPECT_THAT(read("entries drop\n00000001 10000000000000000\n"), nothing);
}

const ParserCase kFuzzed("proc/net/stat/nf_conntrack", [](std::string_view text) {
  fuzz_layout<NetStatLayout>(text, {"drop", "early_drop", "clashres", "searched"});
});

}  // namespace
}  // namespace reveal::procfs
