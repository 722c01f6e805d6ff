// What is said of windows one by one must be what is said of them together (attribution.h).
#include "attribute/live_attributor.h"

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
constexpr std::size_t kThrottled = 29;

// Channels 0 to 5 are a disk's, which reads more in the rows of [first, last]; the last tells
// how often the processor was throttled, which rises with it if `throttled`.
struct DiskRun {
  explicit DiskRun(std::uint64_t seed, std::size_t first = kRows, std::size_t last = kRows,
                   bool throttled = false) {
    for (std::size_t i = 0; i < 30; ++i) add_channel(i);
    base::Rng rng(seed);
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto begin = static_cast<std::int64_t>(row) * 1'000'000'000;
      auto& values = matrix.add_row({window::WindowId(row), begin, begin + 3'000'000'000, row, 0});
      for (std::size_t c = 0; c < values.size(); ++c) {
        const auto channel = matrix.column(c).channel.index();
        const bool moved = channel < kDiskChannels || (throttled && channel == kThrottled);
        const bool hit = row >= first && row <= last && moved;
        values[c] = (hit ? 500 : 100) + rng.uniform() + static_cast<double>(row % 3);
      }
    }
  }

  void add_channel(std::size_t i) {
    const bool disk = i < kDiskChannels;
    const std::string name = i == kThrottled ? "cpu_package_throttles_total"
                                             : (disk ? "storage_" : "cpu_") + std::to_string(i);
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

// Returns by column what is to blame for a window on which that was said.
Eigen::VectorXd blame_for(const detect::WindowScorer& scorer, const detect::WindowVerdict& verdict,
                          const DiskRun& run) {
  LatestWindow window(scorer);
  window.take(verdict);
  const Usual by = usual_of(scorer.baseline());
  return Attributor(window, run.matrix, run.channels, by, {}).blame(0).total;
}

std::shared_ptr<const detect::FittedBaseline> usual() {
  const DiskRun quiet(1);
  auto fitted = detect::fit_baseline(quiet.matrix, quiet.channels, {});
  EXPECT_TRUE(fitted) << (fitted ? "" : fitted.error().message());
  return std::make_shared<const detect::FittedBaseline>(std::move(*fitted));
}

void expect_same(const std::vector<Evidence>& live, const std::vector<Evidence>& batch) {
  ASSERT_EQ(live.size(), batch.size());
  ASSERT_FALSE(batch.empty());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    EXPECT_EQ(live[i].key, batch[i].key) << i;
    EXPECT_EQ(live[i].observed, batch[i].observed) << i;
    EXPECT_EQ(live[i].baseline_median, batch[i].baseline_median) << i;
    EXPECT_EQ(live[i].baseline_mad, batch[i].baseline_mad) << i;
    EXPECT_NEAR(live[i].contribution, batch[i].contribution, 1e-9) << i;
  }
}

void expect_same_windows(const Finding& live, const Finding& batch) {
  ASSERT_EQ(live.windows.size(), batch.windows.size());
  for (std::size_t i = 0; i < batch.windows.size(); ++i) {
    const auto& of_live = live.windows[i].detectors;
    const auto& of_batch = batch.windows[i].detectors;
    EXPECT_EQ(live.windows[i].span.id, batch.windows[i].span.id);
    ASSERT_EQ(of_live.size(), of_batch.size());
    for (std::size_t d = 0; d < of_batch.size(); ++d) {
      EXPECT_EQ(of_live[d].detector, of_batch[d].detector);
      EXPECT_NEAR(of_live[d].score, of_batch[d].score, 1e-9 * of_batch[d].score);
      expect_same(of_live[d].evidence, of_batch[d].evidence);
    }
  }
}

TEST(LiveAttributor, AFindingSaysWhatItSaysOfAWholeRun) {
  const auto baseline = usual();
  const DiskRun run(2, 30, 33, true);
  const auto matched = detect::match(*baseline, run.matrix, run.channels).value();
  const auto scored = detect::ScoredRun::against(baseline->detectors, matched.design);
  const auto verdict = detect::judge(scored).value();
  const auto findings =
      attribute({run.channels, run.matrix, scored, verdict, baseline.get()}, {}).findings;
  ASSERT_EQ(findings.size(), 1u);
  const auto& batch = findings.front();

  detect::WindowScorer scorer(baseline, {});
  LiveAttributor attributor(scorer, run.matrix, run.channels);
  std::vector<Finding> found;
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto one = scorer.judge(run.matrix, run.channels, row).value();
    attributor.take(one, row);
    if (one.agreement < 2) continue;
    attributor.add(found);
  }
  ASSERT_EQ(found.size(), 1u);
  const auto& live = found.front();
  expect_same_windows(live, batch);
  for (std::size_t i = 0; i < live.subsystems.size(); ++i) {
    EXPECT_NEAR(live.subsystems[i], batch.subsystems[i], 1e-9);
  }
  EXPECT_EQ(live.detectors, batch.detectors);
  EXPECT_EQ(live.agreement, batch.agreement);
  EXPECT_EQ(live.severity.basis, batch.severity.basis);
  EXPECT_EQ(live.severity.seconds, batch.severity.seconds);
  EXPECT_EQ(live.claim, batch.claim);
  ASSERT_TRUE(live.telling && batch.telling);
  EXPECT_EQ(live.telling->key, batch.telling->key);
  expect_same(live.evidence, batch.evidence);
  ASSERT_FALSE(batch.patterns.empty());
  ASSERT_EQ(live.patterns.size(), batch.patterns.size());
  for (std::size_t i = 0; i < batch.patterns.size(); ++i) {
    EXPECT_EQ(live.patterns[i].pattern, batch.patterns[i].pattern);
    EXPECT_EQ(live.patterns[i].signs.size(), batch.patterns[i].signs.size());
  }
}

// A finding that lasts keeps evidence of its first windows alone, and all of them are in it.
TEST(LiveAttributor, AFindingThatLastsStaysSmall) {
  constexpr std::size_t kExplained = LiveAttributor::kExplainedWindows;
  const auto baseline = usual();
  const DiskRun run(2, 10, 10 + kExplained);
  detect::WindowScorer scorer(baseline, {});
  LiveAttributor attributor(scorer, run.matrix, run.channels);
  std::vector<Finding> found;
  for (std::size_t row = 0; row <= 10 + kExplained; ++row) {
    const auto one = scorer.judge(run.matrix, run.channels, row).value();
    attributor.take(one, row);
    if (one.agreement >= 2) attributor.add(found);
  }
  ASSERT_EQ(found.size(), 1u);
  const auto& live = found.front();
  ASSERT_EQ(live.windows.size(), kExplained + 1);
  EXPECT_FALSE(live.windows[kExplained - 1].detectors.front().evidence.empty());
  EXPECT_FALSE(live.windows[kExplained].detectors.empty());
  EXPECT_TRUE(live.windows[kExplained].detectors.front().evidence.empty());
  EXPECT_FALSE(live.evidence.empty());
}

// Rows that are forgotten are no longer looked at; the windows stay in the finding.
TEST(LiveAttributor, AFindingOutlivesTheFeaturesOfItsFirstWindows) {
  const auto baseline = usual();
  DiskRun run(2, 30, 33);
  detect::WindowScorer scorer(baseline, {});
  LiveAttributor attributor(scorer, run.matrix, run.channels);
  std::vector<Finding> found;
  for (std::size_t id = 30; id <= 33; ++id) {
    const std::size_t row = id < 32 ? id : id - 31;
    if (id == 32) {
      run.matrix.drop_first(31);
      attributor.forget_rows(31);
    }
    attributor.take(scorer.judge(run.matrix, run.channels, row).value(), row);
    EXPECT_EQ(attributor.continues(found, run.matrix.window(row)), id > 30) << id;
    attributor.add(found);
  }
  ASSERT_EQ(found.size(), 1u);
  const auto& live = found.front();
  ASSERT_EQ(live.windows.size(), 4u);
  EXPECT_EQ(live.windows.front().span.id.value(), 30u);
  EXPECT_EQ(live.subsystem(), model::Subsystem::kStorage);
  EXPECT_GT(live.evidence.front().observed, 400);
}

TEST(LiveAttributor, AnUnusualWindowLiesFartherOutThanOrdinaryOnes) {
  const auto baseline = usual();
  const DiskRun run(2, 30, 30);
  detect::WindowScorer scorer(baseline, {});
  LiveAttributor attributor(scorer, run.matrix, run.channels);
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto one = scorer.judge(run.matrix, run.channels, row).value();
    const double out = detect::strength(one.scores, one.limits, one.votes, 2);
    EXPECT_EQ(out > 1, row == 30) << out << " in row " << row;
    const auto shares = attributor.take(one, row);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
  }
}

// A window that nobody flags is shown by what the detector says that is the nearest to an alarm.
TEST(LiveAttributor, AnOrdinaryWindowIsBlamedOnWhatIsNearestToAnAlarm) {
  const auto baseline = usual();
  const DiskRun run(2);
  detect::WindowScorer scorer(baseline, {});
  auto verdict = scorer.judge(run.matrix, run.channels, 30).value();
  ASSERT_EQ(verdict.agreement, 0);
  for (std::size_t i = 0; i < verdict.scores.size(); ++i) {
    std::fill(verdict.scores.begin(), verdict.scores.end(), 0.1);
    verdict.limits.assign(verdict.scores.size(), 1);
    verdict.scores[i] = 0.2;
    const auto nearest = blame_for(scorer, verdict, run);
    auto alone = verdict;
    alone.agreement = 2;
    std::fill(alone.flagged.begin(), alone.flagged.end(), false);
    alone.flagged[i] = true;
    EXPECT_EQ(nearest, blame_for(scorer, alone, run)) << i;
  }
}

// It is why the window is a finding, so it must have a say in what is to blame.
TEST(LiveAttributor, WhatHoldsWorkUpSpeaksBeforeItRaisesAnAlarm) {
  const auto baseline = usual();
  const DiskRun run(2, 30, 30, true);
  detect::WindowScorer scorer(baseline, {});
  auto verdict = scorer.judge(run.matrix, run.channels, 30).value();
  const auto sees = [](const auto& one) { return one.detector->sees_saturation(); };
  const auto saturation = static_cast<std::size_t>(
      std::find_if(baseline->detectors.begin(), baseline->detectors.end(), sees) -
      baseline->detectors.begin());
  const auto of_all = blame_for(scorer, verdict, run);
  ASSERT_TRUE(verdict.flagged[saturation] && verdict.stalled);
  verdict.flagged[saturation] = false;
  EXPECT_EQ(blame_for(scorer, verdict, run), of_all);
  verdict.stalled = false;
  EXPECT_NE(blame_for(scorer, verdict, run), of_all);
}

TEST(LiveAttributor, WhatTheRunLacksIsNotBlamed) {
  const auto baseline = usual();
  DiskRun full(2, 30, 30);
  DiskRun run(2, 30, 30);  // its first channel has another name, so one of the baseline is absent
  run.channels = {};
  run.matrix = feature::FeatureMatrix();
  for (std::size_t i = 1; i < 30; ++i) run.add_channel(i);
  for (std::size_t row = 0; row < kRows; ++row) {
    auto& values = run.matrix.add_row(full.matrix.window(row));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = full.matrix.at(row, i + 4);
  }
  detect::WindowScorer scorer(baseline, {});
  const auto one = scorer.judge(run.matrix, run.channels, 30).value();
  EXPECT_EQ(blame_for(scorer, one, run).head(4).sum(), 0);
  LiveAttributor attributor(scorer, run.matrix, run.channels);
  attributor.take(one, 30);
  std::vector<Finding> found;
  attributor.add(found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().subsystem(), model::Subsystem::kStorage);
}

}  // namespace
}  // namespace reveal::attribute
