#include "fleet/before_after.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fleet/before_after_json.h"
#include "fleet/before_after_text.h"
#include "fleet/testing/made_host.h"

namespace reveal::fleet {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kSeconds = 300;
constexpr std::size_t kChannels = 200;

ComparedRun run_named(const std::string& recording, const std::string& host = "node7") {
  const auto grid = made_grid(kSeconds);
  return {recording, {host, grid.begin_ns, grid.end_ns() - kSecond_ns, kSecond_ns}, grid};
}

JoinedWork no_work() {
  JoinedWork out;
  out.begin_run(kSecond_ns);
  out.begin_run(kSecond_ns);
  return out;
}

// Channels around 50 that move as slowly as a tenth of a minute; the third may be moved.
HostLevels made(std::uint64_t seed, double shift = 0, const std::string& governor = "powersave") {
  MadeHost host(made_grid(kSeconds));
  base::Rng rng(seed);
  std::vector<model::ChannelId> ids;
  for (std::size_t i = 0; i < kChannels; ++i) ids.push_back(host.add("load_" + std::to_string(i)));
  std::vector<double> slow(kChannels, 0);
  host.say("governor", governor);
  for (std::size_t tick = 0; tick < kSeconds; ++tick) {
    for (std::size_t i = 0; i < kChannels; ++i) {
      slow[i] = 0.8 * slow[i] + normal(rng);
      host.set(ids[i], 50 + 2 * slow[i] + (i == 3 ? shift : 0));
    }
    host.tick();
  }
  host.finish();
  return std::move(host.levels);
}

BeforeAfter compared(HostLevels before, HostLevels after, const std::string& host_after = "node7") {
  std::vector<HostLevels> levels;
  levels.push_back(std::move(before));
  levels.push_back(std::move(after));
  auto out = compare_runs({run_named("a"), run_named("b", host_after)}, levels, no_work());
  EXPECT_TRUE(out) << (out ? "" : out.error().message());
  return std::move(*out);
}

TEST(BeforeAfter, OfOneRunWithItselfNothingChanged) {
  const auto same = compared(made(1), made(1));
  EXPECT_EQ(same.quantities, kChannels);
  EXPECT_TRUE(same.changes.empty());
  EXPECT_TRUE(same.facts.empty());
  EXPECT_THAT(to_text(same, {}), HasSubstr("No quantity changed"));
}

TEST(BeforeAfter, OfAlikeRunsHardlyAnythingDid) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    found += compared(made(2 * seed), made(2 * seed + 1)).changes.size();
  }
  EXPECT_LE(found, 4U);  // of 2000
}

TEST(BeforeAfter, WhatChangedIsTold) {
  const auto other = compared(made(1), made(2, 20, "performance"));
  ASSERT_FALSE(other.changes.empty());
  const auto& change = other.changes.front();
  EXPECT_EQ(change.quantity.metric, "load_3");
  EXPECT_LT(change.change.low, 20);
  EXPECT_GT(change.change.high, 20);
  ASSERT_EQ(other.facts.size(), 1U);
  EXPECT_EQ(other.facts[0].observed, "powersave");
  EXPECT_EQ(other.facts[0].usual, "performance");
  const auto text = to_text(other, {});
  EXPECT_THAT(text, AllOf(HasSubstr("load_3 rose from "), HasSubstr("(by "),
                          HasSubstr("governor: powersave before, performance after")));
  EXPECT_THAT(to_text(compared(made(2, 20), made(1)), {}), HasSubstr("load_3 fell from "));
}

TEST(BeforeAfter, TheLargestEffectComesFirst) {
  MadeHost before(made_grid(60));
  MadeHost after(made_grid(60));
  for (auto* host : {&before, &after}) {
    const bool is_after = host == &after;
    const auto less = host->add("less", "", model::Kind::kGauge, "ratio");
    const auto more = host->add("more", "", model::Kind::kGauge, "ratio");
    for (int tick = 0; tick < 60; ++tick) {
      host->set(less, is_after ? 0.3 : 0.2);
      host->set(more, is_after ? 0.9 : 0.2);
      host->tick();
    }
    host->finish();
  }
  const auto result = compared(std::move(before.levels), std::move(after.levels));
  ASSERT_EQ(result.changes.size(), 2U);
  EXPECT_EQ(result.changes[0].quantity.metric, "more");
  EXPECT_GT(result.changes[0].effect(), result.changes[1].effect());
}

TEST(BeforeAfter, UnlikeHostsAndSharedTimeAreNoted) {
  const auto same = compared(made(1), made(2));
  EXPECT_EQ(same.shared_ns(), static_cast<std::int64_t>(kSeconds) * kSecond_ns);
  EXPECT_THAT(to_text(same, {}), AllOf(HasSubstr("are in both runs"), Not(HasSubstr("different"))));
  const auto unlike = compared(made(1), made(2), "node8");
  EXPECT_EQ(unlike.shared_ns(), 0);
  EXPECT_THAT(to_text(unlike, {}), AllOf(HasSubstr("The runs are of different hosts"),
                                         Not(HasSubstr("are in both runs"))));
}

TEST(BeforeAfter, NothingInCommonIsAnError) {
  MadeHost before(made_grid(60));
  MadeHost after(made_grid(60));
  const auto one = before.add("one");
  const auto other = after.add("other");
  for (int tick = 0; tick < 60; ++tick) {
    before.set(one, tick);
    before.tick();
    after.set(other, tick);
    after.tick();
  }
  before.finish();
  after.finish();
  std::vector<HostLevels> levels;
  levels.push_back(std::move(before.levels));
  levels.push_back(std::move(after.levels));
  const auto result = compare_runs({run_named("a"), run_named("b")}, levels, no_work());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(result.error().message(), HasSubstr("nothing in common"));
}

TEST(BeforeAfter, JsonSaysTheSame) {
  const auto other = compared(made(1), made(2, 20, "performance"));
  const auto json = nlohmann::json::parse(to_json(other));
  EXPECT_EQ(json["schema"], "reveal.before_after");
  EXPECT_EQ(json["changes"][0]["channel"], "load_3");
  EXPECT_EQ(json["changes"][0]["change"]["value"], other.changes[0].change.value);
  EXPECT_EQ(json["facts"][0]["after"], "performance");
  EXPECT_TRUE(json["work"][0]["rate"].is_null());
  EXPECT_FALSE(json["work"][0]["not_known"].is_null());
}

Recorded recorded(std::int64_t seconds, std::int64_t interval_ns = kSecond_ns) {
  return {"h", kMadeBegin_ns, kMadeBegin_ns + seconds * kSecond_ns - interval_ns, interval_ns};
}

TEST(GridsOfTwoRuns, HaveBucketsOfOneLength) {
  const auto grids = grids_of({recorded(60), recorded(2 * 3600)});
  ASSERT_TRUE(grids) << grids.error().message();
  EXPECT_EQ((*grids)[0].bucket_ns, 2 * kSecond_ns);  // 3600 at most
  EXPECT_EQ((*grids)[1].bucket_ns, 2 * kSecond_ns);
  EXPECT_EQ((*grids)[0].buckets, 30U);
  EXPECT_EQ((*grids)[1].buckets, 3600U);
  EXPECT_EQ((*grids_of({recorded(60), recorded(60, 5 * kSecond_ns)}))[0].bucket_ns, 5 * kSecond_ns);
}

TEST(GridsOfTwoRuns, AShortRunIsTooLittle) {
  const auto grids = grids_of({recorded(60), recorded(11)});
  ASSERT_FALSE(grids);
  EXPECT_EQ(grids.error().kind, base::ErrorKind::kTooLittle);
  EXPECT_THAT(grids.error().message(),
              AllOf(HasSubstr("after has only 11.0 s"), HasSubstr("12.0 s")));
  EXPECT_TRUE(grids_of({recorded(12), recorded(12)}));
}

}  // namespace
}  // namespace reveal::fleet
