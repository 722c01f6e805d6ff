#include "fleet/comparison.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fleet/json.h"
#include "fleet/testing/made_host.h"
#include "fleet/text.h"

namespace reveal::fleet {
namespace {

using model::Kind;
using model::Subsystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::size_t kSeconds = 90;
constexpr double kGiB = 1073741824;
constexpr double kSegmentsPerSecond = 200;

// What is wrong with one host of a fleet.
struct Wrong {
  double unused_huge_pages = 0;  // bytes
  std::size_t since = 0;         // seconds
  double lost = 0.01;            // of the segments
  std::string governor = "performance";
  double installed = 8 * kGiB;
};

HostLevels host_of(const Wrong& wrong, std::uint64_t seed, const std::string& interface) {
  MadeHost host(made_grid(kSeconds));
  base::Rng rng(seed);
  const auto pages =
      host.add("memory_hugepages_unused_bytes", "", Kind::kGauge, "bytes", Subsystem::kMemory);
  const auto installed =
      host.add("memory_installed_bytes", "", Kind::kStatic, "bytes", Subsystem::kMemory);
  const auto sent = host.add("network_tcp_sent_segments_total", "", Kind::kCounter, "segments",
                             Subsystem::kNetwork);
  const auto again =
      host.add("network_tcp_retransmits_total", "", Kind::kEvent, "segments", Subsystem::kNetwork);
  const auto bytes = host.add("network_received_bytes_total", "dev=" + interface, Kind::kCounter,
                              "bytes", Subsystem::kNetwork, model::Scope::kNic);
  host.say("frequency governor", wrong.governor);
  double segments = 0;
  double retransmits = 0;
  for (std::size_t s = 0; s < kSeconds; ++s) {
    host.set(pages, s >= wrong.since ? wrong.unused_huge_pages : 0);
    host.set(installed, wrong.installed + static_cast<double>(seed) * 4096);
    segments += kSegmentsPerSecond;
    for (int i = 0; i < static_cast<int>(kSegmentsPerSecond); ++i) {
      retransmits += rng.uniform() < wrong.lost ? 1 : 0;
    }
    host.set(sent, segments);
    host.set(again, retransmits);
    host.set(bytes, 1e6 * static_cast<double>(s) * (1 + 0.01 * rng.uniform()));
    host.tick();
  }
  host.finish();
  return std::move(host.levels);
}

Comparison compared(const std::vector<Wrong>& fleet) {
  std::vector<HostLevels> levels;
  std::vector<Recorded> recorded;
  for (std::size_t i = 0; i < fleet.size(); ++i) {
    levels.push_back(host_of(fleet[i], i + 1, "eth" + std::to_string(i)));
    recorded.push_back({"node" + std::to_string(i), kMadeBegin_ns,
                        kMadeBegin_ns + static_cast<std::int64_t>(kSeconds - 1) * kSecond_ns,
                        kSecond_ns});
  }
  return compare(made_grid(kSeconds), recorded, levels);
}

std::vector<Wrong> fleet_with(std::size_t hosts, std::size_t place, const Wrong& wrong) {
  std::vector<Wrong> out(hosts);
  out[place] = wrong;
  return out;
}

TEST(Comparison, AlikeHostsDoNotDiffer) {
  for (const std::size_t hosts : {2U, 3U, 9U}) {
    const auto it = compared(std::vector<Wrong>(hosts));
    EXPECT_FALSE(it.outlier_host);
    for (const auto& host : it.hosts) {
      EXPECT_THAT(host.differences, IsEmpty());
      EXPECT_THAT(host.facts, IsEmpty());
    }
    EXPECT_THAT(to_text(it, {}), HasSubstr("No host differs from the others."));
  }
}

TEST(Comparison, NamesTheHostWithHugePagesAndWhatTheyAre) {
  Wrong wrong;
  wrong.unused_huge_pages = 2 * kGiB;
  const auto it = compared(fleet_with(3, 1, wrong));
  ASSERT_EQ(it.outlier_host, 1u);
  EXPECT_EQ(it.ranking.front(), 1u);
  ASSERT_EQ(it.hosts[1].patterns.size(), 1u);
  EXPECT_EQ(it.hosts[1].patterns[0].pattern->name, "idle_huge_pages");
  const auto text = to_text(it, {});
  EXPECT_THAT(text, HasSubstr("node1 is the outlier host"));
  EXPECT_THAT(text, HasSubstr("2 GiB against 0 bytes (median of 2 peers), all the time"));
  EXPECT_THAT(text, HasSubstr("Like their peers: node0, node2"));
}

// An RDMA adapter with 64 queue pairs of a job and three of the kernel on each host but one.
Comparison compared_adapters(double queue_pairs, double contexts) {
  std::vector<HostLevels> levels;
  std::vector<Recorded> recorded;
  for (std::size_t i = 0; i < 5; ++i) {
    const bool odd = i == 3;
    MadeHost host(made_grid(kSeconds));
    base::Rng rng(i + 1);
    const auto add = [&](const std::string& metric, Kind kind, const std::string& unit) {
      return host.add(metric, "dev=mlx5_0", kind, unit, Subsystem::kNetwork, model::Scope::kNic);
    };
    const auto pairs = add("network_rdma_queue_pairs", Kind::kGauge, "objects");
    const auto open = add("network_rdma_contexts", Kind::kGauge, "objects");
    const auto sent = add("network_infiniband_sent_bytes_total", Kind::kCounter, "bytes");
    double bytes = 0;
    for (std::size_t s = 0; s < kSeconds; ++s) {
      host.set(pairs, odd ? queue_pairs : 67);
      host.set(open, odd ? contexts : 8);
      bytes += 1e9 * (1 + 0.02 * rng.uniform());
      host.set(sent, bytes);
      host.tick();
    }
    host.finish();
    levels.push_back(std::move(host.levels));
    recorded.push_back({"node" + std::to_string(i), kMadeBegin_ns,
                        kMadeBegin_ns + static_cast<std::int64_t>(kSeconds - 1) * kSecond_ns,
                        kSecond_ns});
  }
  return compare(made_grid(kSeconds), recorded, levels);
}

TEST(Comparison, AHostWithFewerQueuePairsThanItsPeersIsNamed) {
  for (const double queue_pairs : {5, 35}) {
    const auto it = compared_adapters(queue_pairs, 8);
    ASSERT_EQ(it.outlier_host, 3u) << queue_pairs;
    ASSERT_EQ(it.hosts[3].patterns.size(), 1u) << queue_pairs;
    EXPECT_EQ(it.hosts[3].patterns[0].pattern->name, "few_queue_pairs");
    EXPECT_THAT(to_text(it, {}), HasSubstr("NCCL_IB_QPS_PER_CONNECTION"));
  }
  EXPECT_THAT(compared_adapters(60, 8).hosts[3].patterns, IsEmpty());
}

// What must not have moved did: nobody has the adapter open there.
TEST(Comparison, AHostWithoutTheJobHasNoPattern) {
  EXPECT_THAT(compared_adapters(3, 0).hosts[3].patterns, IsEmpty());
}

TEST(Comparison, SaysSinceWhen) {
  Wrong wrong;
  wrong.unused_huge_pages = 2 * kGiB;
  wrong.since = 31;
  const auto it = compared(fleet_with(4, 2, wrong));
  ASSERT_EQ(it.outlier_host, 2u);
  EXPECT_EQ(it.hosts[2].differences[0].since_ns, kMadeBegin_ns + 31 * kSecond_ns);
  EXPECT_THAT(to_text(it, {}), HasSubstr("since 10:00:31.0"));
}

TEST(Comparison, OfTwoHostsNobodyIsTheOutlierHost) {
  Wrong wrong;
  wrong.unused_huge_pages = 2 * kGiB;
  const auto it = compared(fleet_with(2, 0, wrong));
  EXPECT_FALSE(it.outlier_host);
  ASSERT_EQ(it.hosts[0].differences.size(), 2u);  // in bytes, and as a share of the memory
  EXPECT_THAT(it.hosts[1].differences, IsEmpty());
  const auto text = to_text(it, {});
  EXPECT_THAT(text, HasSubstr("two cannot tell which is the outlier host"));
  EXPECT_THAT(text, HasSubstr("2 GiB against 0 bytes on node1"));
  EXPECT_THAT(text, Not(HasSubstr("is the outlier host ")));
}

TEST(Comparison, LossOnAllHostsIsNobodys) {
  const auto it = compared(std::vector<Wrong>(5));
  ASSERT_EQ(it.alike.size(), 1u);
  EXPECT_EQ(it.alike[0].quantity.metric, "network_tcp_retransmits_total");
  ASSERT_TRUE(it.alike[0].share);
  EXPECT_NEAR(it.alike[0].share->median, 0.01, 0.001);
  EXPECT_LE(it.alike[0].share->low, it.alike[0].share->median);
  EXPECT_GE(it.alike[0].share->high, it.alike[0].share->median);
}

TEST(Comparison, LossOnOneHostIsItsOwn) {
  Wrong wrong;
  wrong.lost = 0.1;
  const auto it = compared(fleet_with(5, 4, wrong));
  EXPECT_EQ(it.outlier_host, 4u);
  EXPECT_THAT(it.alike, IsEmpty());
}

TEST(Comparison, FactsThatMostHaveOtherwiseAreTold) {
  Wrong wrong;
  wrong.governor = "powersave";
  wrong.installed = 4 * kGiB;
  const auto it = compared(fleet_with(4, 3, wrong));
  ASSERT_EQ(it.hosts[3].facts.size(), 2u);
  EXPECT_EQ(it.hosts[3].facts[0].subject, "frequency governor");
  EXPECT_EQ(it.hosts[3].facts[0].observed, "powersave");
  EXPECT_EQ(it.hosts[3].facts[0].usual, "performance");
  EXPECT_EQ(it.hosts[3].facts[0].usual_hosts, 3u);
  // A few pages more or less are the same size of memory.
  EXPECT_EQ(it.hosts[3].facts[1].subject, "memory_installed_bytes");
  EXPECT_THAT(it.hosts[0].facts, IsEmpty());
}

TEST(Comparison, FactsWithoutAMajorityAreNobodys) {
  std::vector<Wrong> fleet(4);
  fleet[0].governor = fleet[1].governor = "powersave";
  const auto it = compared(fleet);
  for (const auto& host : it.hosts) EXPECT_THAT(host.facts, IsEmpty());
  EXPECT_THAT(it.scattered_facts, testing::ElementsAre("frequency governor"));
}

TEST(Comparison, JsonHasWhatTheTextSays) {
  Wrong wrong;
  wrong.unused_huge_pages = 2 * kGiB;
  wrong.since = 31;
  const auto it = compared(fleet_with(4, 2, wrong));
  const auto json = nlohmann::json::parse(to_json(it));
  EXPECT_EQ(json["schema"], "reveal.compare");
  EXPECT_EQ(json["schema_version"], kSchemaVersion);
  EXPECT_EQ(json["outlier_host"], "node2");
  EXPECT_EQ(json["hosts"].size(), 4u);
  const auto& one = json["hosts"][0]["differences"][0];
  EXPECT_EQ(json["hosts"][0]["name"], "node2");
  EXPECT_EQ(one["channel"], "memory_hugepages_unused_bytes");
  EXPECT_EQ(one["observed"], 2 * kGiB);
  EXPECT_EQ(one["peers_median"], 0);
  EXPECT_EQ(one["since"]["ns"], kMadeBegin_ns + 31 * kSecond_ns);
  EXPECT_TRUE(one["to_end"]);
}

}  // namespace
}  // namespace reveal::fleet
