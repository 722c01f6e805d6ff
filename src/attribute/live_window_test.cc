// What is said of windows one by one must be what is said of them together (attribution.h).
#include "attribute/live_window.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attribute/attribution.h"
#include "base/rng.h"
#include "feature/feature.h"

namespace reveal::attribute {
namespace {

constexpr std::size_t kRows = 80;
constexpr std::size_t kDiskChannels = 6;
constexpr std::size_t kStolen = 29;

// Channels 0 to 5 are a disk's, which reads more in the rows of [first, last]; the last tells
// stolen time, which rises with it where `stolen`.
struct DiskRun {
  explicit DiskRun(std::uint64_t seed, std::size_t first = kRows, std::size_t last = kRows,
                   bool stolen = false) {
    for (std::size_t i = 0; i < 30; ++i) add_channel(i);
    base::Rng rng(seed);
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto begin = static_cast<std::int64_t>(row) * 1'000'000'000;
      auto& values = matrix.add_row({window::WindowId(row), begin, begin + 3'000'000'000, row, 0});
      for (std::size_t c = 0; c < values.size(); ++c) {
        const auto channel = matrix.column(c).channel.index();
        const bool moved = channel < kDiskChannels || (stolen && channel == kStolen);
        const bool hit = row >= first && row <= last && moved;
        values[c] = (hit ? 500 : 100) + rng.uniform() + static_cast<double>(row % 3);
      }
    }
  }

  void add_channel(std::size_t i) {
    const bool disk = i < kDiskChannels;
    const std::string name =
        i == kStolen ? "cpu_steal_ratio" : (disk ? "storage_" : "cpu_") + std::to_string(i);
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = disk ? "Disk read sectors" : "Something else";
    metric.unit = "sectors/s";
    metric.subsystem = disk ? model::Subsystem::kStorage : model::Subsystem::kCpu;
    const auto channel = channels.add_channel(channels.add_metric(metric));
    for (const auto* feature : {"mean", "maximum", "minimum", "median"}) {
      matrix.add_column({channel, *feature::find_feature(feature)});
    }
  }

  model::ChannelTable channels;
  feature::FeatureMatrix matrix;
};

std::shared_ptr<const detect::FittedBaseline> usual() {
  const DiskRun quiet(1);
  auto fitted = detect::fit_baseline(quiet.matrix, quiet.channels, {});
  EXPECT_TRUE(fitted) << (fitted ? "" : fitted.error().message());
  return std::make_shared<const detect::FittedBaseline>(std::move(*fitted));
}

TEST(LiveWindow, AFindingIsToldAsOfAWholeRun) {
  const auto baseline = usual();
  const DiskRun run(2, 30, 33);
  const auto matched = detect::match(*baseline, run.matrix, run.channels).value();
  const auto scored = detect::ScoredRun::against(baseline->detectors, matched.design);
  const auto verdict = detect::judge(scored).value();
  const auto findings =
      attribute({run.channels, run.matrix, scored, verdict, baseline.get()}, {}).findings;
  ASSERT_EQ(findings.size(), 1u);

  detect::WindowScorer scorer(baseline, {});
  LiveBlame live;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto one = scorer.judge(run.matrix, run.channels, row).value();
    if (one.agreement < 2) continue;
    const auto window = blame(scorer, one, run.matrix, run.channels);
    if (rows.empty()) {
      live = window;
    } else {
      add(live, window, scorer, run.matrix, run.channels);
    }
    rows.push_back(row);
  }
  EXPECT_THAT(rows, testing::ElementsAre(30, 31, 32, 33));
  for (std::size_t i = 0; i < live.subsystems.size(); ++i) {
    EXPECT_NEAR(live.subsystems[i], findings[0].subsystems[i], 1e-9);
  }
  EXPECT_EQ(live.subsystem(), model::Subsystem::kStorage);
  EXPECT_EQ(live_claim(live, scorer, run.matrix, run.channels, rows), findings[0].claim);
}

TEST(LiveWindow, AnUnusualWindowLiesFartherOutThanOrdinaryOnes) {
  const auto baseline = usual();
  const DiskRun run(2, 30, 30);
  detect::WindowScorer scorer(baseline, {});
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto one = scorer.judge(run.matrix, run.channels, row).value();
    const double out = detect::strength(one.scores, one.limits, one.votes, 2);
    EXPECT_EQ(out > 1, row == 30) << out << " in row " << row;
    const auto shares = blame(scorer, one, run.matrix, run.channels).subsystems;
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
  }
}

// A window that nobody flags is shown by what the detector says that is the nearest to an alarm.
TEST(LiveWindow, AnOrdinaryWindowIsBlamedOnWhatIsNearestToAnAlarm) {
  const auto baseline = usual();
  const DiskRun run(2);
  detect::WindowScorer scorer(baseline, {});
  auto verdict = scorer.judge(run.matrix, run.channels, 30).value();
  ASSERT_EQ(verdict.agreement, 0);
  for (std::size_t i = 0; i < verdict.scores.size(); ++i) {
    std::fill(verdict.scores.begin(), verdict.scores.end(), 0.1);
    verdict.limits.assign(verdict.scores.size(), 1);
    verdict.scores[i] = 0.2;
    const auto nearest = blame(scorer, verdict, run.matrix, run.channels);
    auto alone = verdict;
    alone.agreement = 2;
    std::fill(alone.flagged.begin(), alone.flagged.end(), false);
    alone.flagged[i] = true;
    EXPECT_EQ(nearest.excess, blame(scorer, alone, run.matrix, run.channels).excess) << i;
  }
}

// It is why the window is a finding, so it must have a say in what is to blame.
TEST(LiveWindow, WhatHoldsWorkUpSpeaksBeforeItRaisesAnAlarm) {
  const auto baseline = usual();
  const DiskRun run(2, 30, 30, true);
  detect::WindowScorer scorer(baseline, {});
  auto verdict = scorer.judge(run.matrix, run.channels, 30).value();
  const auto sees = [](const auto& one) { return one.detector->sees_saturation(); };
  const auto saturation = static_cast<std::size_t>(
      std::find_if(baseline->detectors.begin(), baseline->detectors.end(), sees) -
      baseline->detectors.begin());
  const auto of_all = blame(scorer, verdict, run.matrix, run.channels).excess;
  ASSERT_TRUE(verdict.flagged[saturation] && verdict.stalled);
  verdict.flagged[saturation] = false;
  EXPECT_EQ(blame(scorer, verdict, run.matrix, run.channels).excess, of_all);
  verdict.stalled = false;
  EXPECT_NE(blame(scorer, verdict, run.matrix, run.channels).excess, of_all);
}

TEST(LiveWindow, WhatTheRunLacksIsNotBlamed) {
  const auto baseline = usual();
  DiskRun full(2, 30, 30);
  DiskRun run(2, 30, 30);  // its first channel has another name, so one of the baseline is absent
  run.channels = {};
  run.matrix = {};
  for (std::size_t i = 1; i < 30; ++i) run.add_channel(i);
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto from = full.matrix.row(row).subspan(4);
    run.matrix.add_row(full.matrix.window(row)).assign(from.begin(), from.end());
  }
  detect::WindowScorer scorer(baseline, {});
  const auto one = scorer.judge(run.matrix, run.channels, 30).value();
  const auto window = blame(scorer, one, run.matrix, run.channels);
  EXPECT_EQ(window.excess.head(4).sum(), 0);
  EXPECT_EQ(window.subsystem(), model::Subsystem::kStorage);
}

}  // namespace
}  // namespace reveal::attribute
