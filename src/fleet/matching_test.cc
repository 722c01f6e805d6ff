#include "fleet/matching.h"

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fleet/testing/made_host.h"

namespace reveal::fleet {
namespace {

using model::Kind;
using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

// Returns a host whose gauges have these values throughout.
HostLevels host_with(const std::map<std::string, double>& by_instance,
                     const std::string& unit = "packets") {
  MadeHost host(made_grid(1));
  for (const auto& [instance, value] : by_instance) {
    host.set(host.add("load", instance, Kind::kGauge, unit), value);
  }
  host.tick();
  host.finish();
  return std::move(host.levels);
}

// By quantity: the only bucket of each host, -1 for a host that has none.
std::map<std::string, std::vector<float>> compared(const std::vector<HostLevels>& hosts,
                                                   std::size_t least = 3) {
  std::map<std::string, std::vector<float>> out;
  for_each_compared(hosts, least, [&](const ComparedQuantity& it) {
    for (const auto& levels : it.levels) {
      out[it.quantity.key()].push_back(levels.empty() ? -1 : levels[0]);
    }
  });
  return out;
}

std::vector<HostLevels> hosts_with(std::vector<std::map<std::string, double>> all,
                                   const std::string& unit = "packets") {
  std::vector<HostLevels> out;
  for (const auto& one : all) out.push_back(host_with(one, unit));
  return out;
}

TEST(Matching, ChannelsOfTheSameNameAreComparedOneByOne) {
  const auto hosts = hosts_with(
      {{{"dev=a", 1}, {"dev=b", 2}}, {{"dev=a", 3}, {"dev=b", 4}}, {{"dev=a", 5}, {"dev=b", 6}}});
  EXPECT_THAT(compared(hosts),
              UnorderedElementsAre(Pair("load{dev=a} channel", ElementsAre(1, 3, 5)),
                                   Pair("load{dev=b} channel", ElementsAre(2, 4, 6))));
}

TEST(Matching, ThoseOfOtherNamesStandTogether) {
  const auto hosts = hosts_with({{{"dev=lo", 1}, {"dev=eth0", 2}, {"dev=eth1", 4}},
                                 {{"dev=lo", 3}, {"dev=ens5", 8}},
                                 {{"dev=lo", 5}, {"dev=enp7", 16}}});
  EXPECT_THAT(compared(hosts),
              UnorderedElementsAre(Pair("load{dev=lo} channel", ElementsAre(1, 3, 5)),
                                   Pair("load sum", ElementsAre(6, 8, 16))));
}

TEST(Matching, TemperaturesAreNotAddedUp) {
  const auto hosts = hosts_with(
      {{{"sensor=a", 40}, {"sensor=b", 60}}, {{"sensor=c", 51}}, {{"sensor=d", 52}}}, "celsius");
  EXPECT_THAT(compared(hosts), UnorderedElementsAre(Pair("load mean", ElementsAre(50, 51, 52))));
}

TEST(Matching, AHostWithoutTheMetricIsNamedAndTheOthersCompared) {
  const auto hosts = hosts_with({{{"", 1}}, {{"", 2}}, {}, {{"", 3}}});
  EXPECT_THAT(compared(hosts),
              UnorderedElementsAre(Pair("load channel", ElementsAre(1, 2, -1, 3))));
  const auto matched = for_each_compared(hosts, 3, [](const ComparedQuantity&) {});
  ASSERT_EQ(matched.lacking.size(), 1u);
  EXPECT_EQ(matched.lacking[0].metric, "load");
  EXPECT_THAT(matched.lacking[0].has, ElementsAre(true, true, false, true));
}

TEST(Matching, WhatTooFewHaveIsNotCompared) {
  const auto hosts = hosts_with({{{"dev=a", 1}}, {{"dev=b", 2}}, {}});
  EXPECT_TRUE(compared(hosts).empty());
  EXPECT_EQ(compared(hosts, 2).size(), 1u);
}

}  // namespace
}  // namespace reveal::fleet
