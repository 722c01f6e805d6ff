// All expected times are computed by hand from the shares that the windows are given.
#include "attribute/stall_time.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "feature/feature.h"

namespace reveal::attribute {
namespace {

constexpr std::size_t kRows = 80;
constexpr std::size_t kFirst = 70;  // of the finding

// Windows of 3 s every second; each channel's share of the time in the rows of the finding, and
// before them.
struct StalledRun {
  StalledRun() {
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto begin = static_cast<std::int64_t>(row) * 1'000'000'000;
      matrix.add_row({window::WindowId(row), begin, begin + 3'000'000'000, row, 0});
    }
  }
  model::ChannelId add(std::string_view metric, std::string_view group, double usual,
                       std::vector<double> shares) {
    model::MetricDescriptor descriptor;
    descriptor.name = metric;
    descriptor.label = metric;
    descriptor.unit = "seconds";
    descriptor.kind = model::Kind::kCounter;
    if (!group.empty()) descriptor.scope = model::Scope::kCgroup;
    const auto channel = channels.add_channel(channels.add_metric(descriptor), group);
    columns.push_back({{channel, *feature::find_feature("mean")}, usual, std::move(shares)});
    return channel;
  }
  std::optional<Stall> read(const std::optional<GroupLevel>& culprit = {},
                            const std::optional<GroupLevel>& sufferer = {}) {
    feature::FeatureMatrix filled;
    for (const auto& column : columns) filled.add_column(column.key);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < kRows; ++row) {
      auto& values = filled.add_row(matrix.window(row));
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto& shares = columns[i].shares;
        const bool inside = row >= kFirst && row < kFirst + shares.size();
        values[i] = inside ? shares[row - kFirst] : columns[i].usual;
        if (i == 0 && inside) rows.push_back(row);
      }
    }
    return StallReader(channels, filled).read(rows, culprit, sufferer);
  }

  struct Column {
    feature::FeatureKey key;
    double usual;
    std::vector<double> shares;
  };
  model::ChannelTable channels;
  feature::FeatureMatrix matrix;
  std::vector<Column> columns;
};

constexpr std::string_view kCpu = "cpu_pressure_some_seconds_total";
constexpr std::string_view kIo = "storage_io_pressure_some_seconds_total";
constexpr std::string_view kGroupCpu = "cpu_cgroup_pressure_some_seconds_total";

// 4 s of which 60 % are waited: windows have a third, two thirds, all, all, two thirds, a third.
TEST(StallTime, IsTheShareBeyondTheUsualTimesTheTime) {
  StalledRun run;
  run.add(kIo, "", 0.1, {0.3, 0.5, 0.7, 0.7, 0.5, 0.3});
  const auto stall = run.read();
  ASSERT_TRUE(stall);
  EXPECT_NEAR(stall->seconds, 4 * 0.6, 1e-9);
  EXPECT_EQ(stall->group, "");
}

TEST(StallTime, OneWindowHasAllOfItsStall) {
  StalledRun run;
  run.add(kIo, "", 0, {0.4});
  EXPECT_NEAR(run.read()->seconds, 3 * 0.4, 1e-9);
}

TEST(StallTime, OfSeveralMetricsTheLongestCounts) {
  StalledRun run;
  run.add(kCpu, "", 0, {0.2, 0.2, 0.2});
  const auto io = run.add(kIo, "", 0, {0.5, 0.5, 0.5});
  const auto stall = run.read();
  EXPECT_EQ(stall->channel, io);
  EXPECT_NEAR(stall->seconds, 1.5, 1e-9);
}

TEST(StallTime, IsTheSufferersAlone) {
  StalledRun run;
  run.add(kCpu, "", 0, {0.9, 0.9, 0.9});
  const auto web = run.add(kGroupCpu, "cg=/web", 0.1, {0.4, 0.4, 0.4});
  const auto noisy = run.add(kGroupCpu, "cg=/noisy", 0, {0.8, 0.8, 0.8});
  const auto stall = run.read(GroupLevel{noisy, 1, 0}, GroupLevel{web, 0.4, 0.1});
  EXPECT_EQ(stall->group, "cg=/web");
  EXPECT_NEAR(stall->seconds, 0.9, 1e-9);
}

// A task of idle priority waits nearly always while others run, and nobody waits for it.
TEST(StallTime, ACulpritThatWaitsHarmsNobody) {
  StalledRun run;
  run.add(kCpu, "", 0, {0.9, 0.9, 0.9});
  const auto idle = run.add(kGroupCpu, "cg=/idle", 0, {0.85, 0.85, 0.85});
  EXPECT_EQ(run.read(GroupLevel{idle, 1, 0})->seconds, 0);
}

// Two that share a core wait half of the time each, one of them always.
TEST(StallTime, ACulpritThatWaitsAsOthersDoHarmsThem) {
  StalledRun run;
  run.add(kCpu, "", 0, {1, 1, 1});
  const auto hog = run.add(kGroupCpu, "cg=/hog", 0, {0.5, 0.5, 0.5});
  EXPECT_NEAR(run.read(GroupLevel{hog, 1, 0})->seconds, 3, 1e-9);
}

// A kernel without pressure by group tells of a quota alone, in cores: more than one is all the
// time.
TEST(StallTime, WhatAQuotaTakesIsTimeToo) {
  StalledRun run;
  const auto job = run.add("cpu_cgroup_throttled_seconds_total", "cg=/job", 0, {0.4, 2.5, 0.4});
  const auto stall = run.read({}, GroupLevel{job, 2.5, 0});
  ASSERT_TRUE(stall);
  EXPECT_NEAR(stall->seconds, 3, 1e-9);  // of the window that is stalled all the time
}

TEST(StallTime, CountsTellNoTime) {
  StalledRun run;
  run.add("network_receive_drops_total", "", 0, {500, 500, 500});
  EXPECT_FALSE(run.read());
}

}  // namespace
}  // namespace reveal::attribute
