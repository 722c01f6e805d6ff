#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

constexpr std::string_view kStat =
    "entries  clashres found new invalid ignore delete chainlength insert insert_failed drop "
    "early_drop icmp_error  expect_new expect_create expect_delete search_restart\n"
    "00000384  00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
    "0000000a 00000001 00000000  00000000 00000000 00000000 00000000\n"
    "00000384  00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
    "00000014 00000002 00000000  00000000 00000000 00000000 00000000\n";

TEST(Conntrack, SaysHowFullTheTableIsAndWhatItDrops) {
  TestHost host(*find_collector("conntrack"));
  host.write("proc/sys/net/netfilter/nf_conntrack_count", "900\n");
  host.write("proc/sys/net/netfilter/nf_conntrack_max", "1000\n");
  host.write("proc/net/stat/nf_conntrack", kStat);
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("network_conntrack_entries"), 900);
  EXPECT_EQ(host.value("network_conntrack_used_ratio"), 0.9);
  EXPECT_EQ(host.value("network_conntrack_drops_total"), 30);
  EXPECT_EQ(host.value("network_conntrack_early_drops_total"), 3);
}

// The kernel counts in 32 bits on each core.
TEST(Conntrack, SumsWrapAsTheCountersDo) {
  TestHost host(*find_collector("conntrack"));
  host.write("proc/sys/net/netfilter/nf_conntrack_count", "1\n");
  host.write("proc/net/stat/nf_conntrack",
             "entries  drop\n00000001  ffffffff\n00000001  00000002\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("network_conntrack_drops_total"), 1);
}

// In a container the limit may be hidden, and a limit of 0 is none.
TEST(Conntrack, WithoutALimitNoShareIsInvented) {
  TestHost host(*find_collector("conntrack"));
  host.write("proc/sys/net/netfilter/nf_conntrack_count", "900\n");
  ASSERT_TRUE(host.open());
  host.write("proc/sys/net/netfilter/nf_conntrack_max", "0\n");
  host.tick();
  EXPECT_EQ(host.value("network_conntrack_entries"), 900);
  EXPECT_EQ(host.value("network_conntrack_limit_entries"), 0);
  EXPECT_FALSE(host.value("network_conntrack_used_ratio"));
}

TEST(Conntrack, AHostThatTracksNothingIsToldSo) {
  TestHost host(*find_collector("conntrack"));
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
  EXPECT_EQ(opened.error().what, "no connection is tracked");
}

}  // namespace
}  // namespace reveal::collect
