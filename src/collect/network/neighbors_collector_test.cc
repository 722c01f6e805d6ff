#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

constexpr std::string_view kFull =
    "entries  allocs   destroys hash_grows lookups  hits     res_failed rcv_probes_mcast "
    "rcv_probes_ucast periodic_gc_runs forced_gc_runs unresolved_discards table_fulls\n"
    "00000200 00001f40 00001b58 00000007   000186a0 00017318 0000002a   00000000         "
    "00000000         00000e10         000000c8       00000011            00000030\n"
    "00000200 00000bb8 00000ba0 00000000   0000c350 0000c350 00000006   00000000         "
    "00000000         00000000         00000064       00000003            00000018\n";

TEST(Neighbors, SayHowFullEachTableIsAndWhatItRefuses) {
  TestHost host(*find_collector("neighbors"));
  host.write("proc/net/stat/arp_cache", kFull);
  host.write("proc/sys/net/ipv4/neigh/default/gc_thresh3", "1024\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("network_neighbor_entries{table=arp}"), 512);
  EXPECT_EQ(host.value("network_neighbor_limit_entries{table=arp}"), 1024);
  EXPECT_EQ(host.value("network_neighbor_used_ratio{table=arp}"), 0.5);
  EXPECT_EQ(host.value("network_neighbor_table_fulls_total{table=arp}"), 0x48);
  EXPECT_EQ(host.value("network_neighbor_forced_collections_total{table=arp}"), 300);
  EXPECT_EQ(host.value("network_neighbor_failures_total{table=arp}"), 48);
  EXPECT_EQ(host.value("network_neighbor_discards_total{table=arp}"), 20);
  EXPECT_FALSE(host.value("network_neighbor_entries{table=ndisc}"));
}

// Kernels before 4.17 have no column table_fulls, and a container may not be shown the limit.
TEST(Neighbors, WhatIsNotToldIsNotInvented) {
  TestHost host(*find_collector("neighbors"));
  host.write("proc/net/stat/ndisc_cache", "entries  allocs\n00000005 00000010\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("network_neighbor_entries{table=ndisc}"), 5);
  EXPECT_FALSE(host.value("network_neighbor_used_ratio{table=ndisc}"));
  EXPECT_FALSE(host.value("network_neighbor_table_fulls_total{table=ndisc}"));
}

TEST(Neighbors, AHostWithoutATableSaysSo) {
  TestHost host(*find_collector("neighbors"));
  host.make_folder("proc/net/stat");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

}  // namespace
}  // namespace reveal::collect
