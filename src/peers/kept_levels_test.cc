#include "peers/kept_levels.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr std::int64_t kBegin_ns = 1'700'000'000 * kSecond_ns;

std::int64_t at(std::size_t second) {
  return kBegin_ns + static_cast<std::int64_t>(second) * kSecond_ns;
}

TEST(KeptCode, IsThatOfTheSameLevelForTheFloorOne) {
  for (const float level : {0.0F, 0.04F, -0.04F, 1.0F, 5e6F, -3e20F}) {
    for (const float least : {0.0005F, 1e-30F}) {
      const auto floor = wire::floor_of(least);
      const auto kept = kept_code(wire::code_of(level, floor), floor);
      EXPECT_EQ(level_of(kept), wire::level_of(wire::code_of(level, floor), floor)) << level;
      EXPECT_EQ(static_cast<wire::Code>(kept), wire::code_of(level, 1)) << level;
    }
  }
  EXPECT_EQ(kept_code(wire::kAbsent, 7), kNoLevel);
  EXPECT_EQ(kept_code(-1, 1), 0);
  EXPECT_TRUE(std::isnan(level_of(kNoLevel)));
}

// What was added is there again, whether most are alike or all differ.
TEST(LevelBlock, HasWhatWasAdded) {
  for (const double share : {0.0, 0.02, 0.3, 0.6, 1.0}) {
    base::Rng rng(7);
    LevelBlock block(kBegin_ns, 100);
    std::vector<std::vector<KeptCode>> added;
    for (std::size_t second = 0; second < LevelBlock::kMostSeconds; ++second) {
      auto& codes = added.emplace_back(100, KeptCode{0});
      for (auto& code : codes) {
        if (rng.uniform() < share) code = static_cast<KeptCode>(rng.next() % 60'000);
      }
      block.add(codes);
    }
    block.close();
    for (std::size_t second = 0; second < added.size(); ++second) {
      std::vector<KeptCode> got(100, kNoLevel);
      block.copy(second, got);
      EXPECT_EQ(got, added[second]) << share << " " << second;
    }
    EXPECT_LE(block.bytes(), sizeof block + 100 * LevelBlock::kMostSeconds * sizeof(KeptCode));
    if (share <= 0.02) {
      EXPECT_LE(block.bytes(), sizeof block + 1'000);
    }
  }
}

TEST(KeptLevels, ForgetsWhatIsOlderThanFiveMinutes) {
  KeptLevels kept;
  kept.keep_signal("a");
  auto& series = kept.series()[0];
  for (std::size_t second = 0; second < 1'000; ++second) {
    kept.add(series, at(second), std::vector<KeptCode>(10, static_cast<KeptCode>(second)));
    kept.forget(at(second));
    const auto& first = series.blocks.front();
    EXPECT_GE(first.begin_ns() + static_cast<std::int64_t>(first.seconds()) * kSecond_ns,
              at(second) - at(300) + at(0));
  }
  EXPECT_LE(series.blocks.size(), 7U);
  std::size_t bytes = 0;
  for (const auto& block : series.blocks) bytes += block.bytes();
  EXPECT_EQ(kept.bytes(), bytes);
  while (series.blocks.size() > 1) kept.forget_block();
  kept.forget_block();
  EXPECT_EQ(kept.bytes(), series.blocks[0].bytes());
}

TEST(KeptLevels, KeepsWhatWasAskedForForTenMinutes) {
  KeptLevels kept;
  kept.ask("a", at(0));
  kept.add(kept.series()[0], at(1), std::vector<KeptCode>{1});
  kept.forget(at(600));
  ASSERT_NE(kept.find("a"), nullptr);
  kept.ask("a", at(600));
  kept.forget(at(601));
  EXPECT_NE(kept.find("a"), nullptr);
  kept.forget(at(1'201));
  EXPECT_EQ(kept.find("a"), nullptr);
  EXPECT_EQ(kept.bytes(), 0U);
}

TEST(KeptLevels, OfTooManyThatWereAskedForTheFirstGoes) {
  KeptLevels kept;
  kept.keep_signal("signal");
  for (std::size_t i = 0; i <= KeptLevels::kMostAsked; ++i) {
    kept.ask(std::to_string(i), at(i));
    kept.add(kept.series().back(), at(i), std::vector<KeptCode>{1});
  }
  EXPECT_THAT(kept.series(), SizeIs(KeptLevels::kMostAsked + 1));
  EXPECT_EQ(kept.find("0"), nullptr);
  EXPECT_NE(kept.find("signal"), nullptr);
}

TEST(KeptLevels, ASlotIsGivenAgainOnceItsLevelsAreForgotten) {
  KeptLevels kept;
  EXPECT_EQ(kept.take_slot(at(0)), 0U);
  EXPECT_EQ(kept.take_slot(at(0)), 1U);
  kept.free_slot(0, at(10));
  EXPECT_EQ(kept.take_slot(at(20)), 2U);
  EXPECT_EQ(kept.take_slot(at(311)), 0U);
  EXPECT_EQ(kept.slots(), 3U);
}

constexpr const char* kGroup = "role=train";
// The keys of two quantities of made hosts.
constexpr const char* kSignal = "network_tcp_retransmit_ratio";
constexpr const char* kOther = "storage_read_bytes_total";

std::string key_of(const Group& group, const std::string& metric) {
  for (const auto& one : group.quantity_views()) {
    if (one.key.starts_with(metric)) return one.key;
  }
  return {};
}

TEST(LevelsOfAGroup, AreThoseThatItsHostsTold) {
  Lab lab(5);
  lab.fleet.keep_levels(1 << 20);
  lab.made.introduce();
  lab.run(0, 40, spliced({3}, kRetransmits, 0.04F, 20, 30));
  const auto* group = lab.fleet.find_group(kGroup);
  const auto table = group->levels_of(key_of(*group, kSignal), 20, 1'000'000);
  ASSERT_EQ(table.hosts, 5U);
  ASSERT_EQ(table.seconds, 20U);
  const auto first = static_cast<std::size_t>((table.begin_ns - kMadeBegin_ns) / kSecond_ns);
  EXPECT_GE(first, 17U);
  for (std::size_t second = 0; second < 20; ++second) {
    for (std::size_t host = 0; host < 5; ++host) {
      const bool is_slow = host == 3 && first + second >= 20 && first + second < 30;
      EXPECT_NEAR(level_of(table.codes[second * 5 + host]), is_slow ? 0.04 : 0, 0.0004)
          << first + second << " " << host;
    }
  }
  EXPECT_EQ(group->levels_of(key_of(*group, kSignal), 300, 50).seconds, 10U);
  EXPECT_GT(lab.fleet.kept_bytes(), 0U);
}

TEST(LevelsOfAGroup, AreAskedForAfterASecond) {
  Lab lab(5);
  lab.fleet.keep_levels(1 << 20);
  lab.made.introduce();
  lab.run(0, 40, usual_level);
  const auto* group = lab.fleet.find_group(kGroup);
  const auto after = [&](std::int64_t after_ns) {
    return group->levels_of(key_of(*group, kSignal), 20, 1'000'000, after_ns);
  };
  const auto all = after(-1);
  ASSERT_EQ(all.seconds, 20U);
  const auto last_ns = all.begin_ns + 19 * kSecond_ns;
  EXPECT_EQ(after(last_ns).seconds, 0U);
  EXPECT_THAT(after(last_ns).codes, testing::IsEmpty());
  EXPECT_EQ(after(last_ns - 1).seconds, 1U);
  EXPECT_EQ(after(last_ns - 1).begin_ns, last_ns);
  const auto three = after(last_ns - 3 * kSecond_ns);
  EXPECT_EQ(three.seconds, 3U);
  EXPECT_EQ(three.begin_ns, last_ns - 2 * kSecond_ns);
  EXPECT_EQ(three.codes, std::vector<KeptCode>(all.codes.end() - 15, all.codes.end()));
  EXPECT_EQ(after(kMadeBegin_ns).seconds, 20U);
  EXPECT_EQ(after(last_ns + 100 * kSecond_ns).seconds, 0U);
}

TEST(LevelsOfAGroup, OfWhatIsNoSignalAreKeptOnceTheyAreAskedFor) {
  Lab lab(3);
  lab.fleet.keep_levels(1 << 20);
  lab.made.introduce();
  lab.run(0, 10, usual_level);
  const auto* group = lab.fleet.find_group(kGroup);
  const auto key = key_of(*group, kOther);
  EXPECT_EQ(group->levels_of(key, 300, 1'000).seconds, 0U);
  EXPECT_TRUE(lab.fleet.ask_levels(kGroup, key));
  EXPECT_FALSE(lab.fleet.ask_levels(kGroup, "no such"));
  EXPECT_FALSE(lab.fleet.ask_levels("no such", key));
  lab.run(10, 20, usual_level);
  const auto table = group->levels_of(key, 300, 1'000);
  EXPECT_GE(table.seconds, 8U);
  EXPECT_NEAR(level_of(table.codes.back()), 5e6, 2e5);
}

// Which rows are whose is told by the hosts' ids, whoever came when.
TEST(LevelsOfAGroup, FollowTheirHosts) {
  Lab lab(4);
  lab.fleet.keep_levels(1 << 20);
  lab.made.introduce();
  const auto level = [](std::size_t host, std::size_t quantity, std::size_t) {
    return quantity == kRetransmits ? 0.01F * static_cast<float>(host) : 0.5F;
  };
  lab.run(0, 10, level);
  // One gets another group, and comes back.
  auto facts = lab.made.facts_of(1);
  facts.groups = {"role=other"};
  lab.made.send_facts(1, facts);
  lab.run(10, 20, level);
  const auto* group = lab.fleet.find_group(kGroup);
  const auto key = key_of(*group, kSignal);
  auto table = group->levels_of(key, 5, 1'000);
  ASSERT_EQ(table.hosts, 3U);
  EXPECT_NEAR(level_of(table.codes[0]), 0, 1e-4);
  EXPECT_NEAR(level_of(table.codes[1]), 0.02, 2e-4);
  EXPECT_NEAR(level_of(table.codes[2]), 0.03, 3e-4);
  lab.made.send_facts(1, lab.made.facts_of(1));
  lab.run(20, 30, level);
  table = group->levels_of(key, 300, 1'000);
  ASSERT_EQ(table.hosts, 4U);
  EXPECT_NEAR(level_of(table.codes[table.codes.size() - 3]), 0.01, 1e-4);
  EXPECT_EQ(table.codes[1], kNoLevel);  // it has a slot of its own since it is back
}

TEST(LevelsOfAGroup, TakeNotMoreThanTheyMay) {
  Lab lab(50);
  lab.fleet.keep_levels(40'000);
  lab.made.introduce();
  const auto noise = [](std::size_t host, std::size_t quantity, std::size_t second) {
    return static_cast<float>((host * 7 + quantity * 13 + second * 17) % 97) + 1.0F;
  };
  std::size_t most = 0;
  lab.run(0, 20, noise);
  for (std::size_t second = 20; second < 400; second += 20) {
    lab.run(second, second + 20, noise);
    most = std::max(most, lab.fleet.kept_bytes());
  }
  // A block of each of two signals is above it for a moment.
  EXPECT_LE(most, 40'000U + 2U * 2U * 50U * LevelBlock::kMostSeconds);
  const auto* group = lab.fleet.find_group(kGroup);
  EXPECT_GE(group->levels_of(key_of(*group, kSignal), 300, 1 << 20).seconds, 50U);
}

TEST(ViewOfAGroup, SaysHowFarHostsLieFromTheirPeers) {
  Lab lab(5);
  lab.made.introduce();
  lab.run(0, 140, spliced({2}, kRetransmits, 0.04F, 132, 150));
  const auto* group = lab.fleet.find_group(kGroup);
  const auto view = group->view();
  ASSERT_THAT(view, SizeIs(5));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(view[i].host->id(), lab.made.id(i));
    EXPECT_TRUE(view[i].is_compared);
    EXPECT_EQ(view[i].is_slow, i == 2);
    if (i == 2) {
      EXPECT_GT(view[i].distance, 4);
    } else {
      EXPECT_LT(view[i].distance, 1);
      EXPECT_GT(view[i].distance, 0);
    }
  }
  EXPECT_TRUE(group->last().is_certain);
  EXPECT_EQ(group->last().hosts, 5U);
  EXPECT_THAT(group->last().slow, ElementsAre(view[2].host));
  EXPECT_EQ(lab.fleet.standing_counts().at(static_cast<std::size_t>(Standing::kCompared)), 5U);
}

}  // namespace
}  // namespace reveal::peers
