#include <array>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "detect/design.h"
#include "detect/detector.h"
#include "detect/saturation_parts.h"
#include "detect/saturation_signals.h"
#include "detect/scored_run.h"
#include "detect/verdict.h"
#include "feature/feature.h"

namespace reveal::detect {
namespace {

using Eigen::Index;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<Detector> fitted_on(const Eigen::MatrixXd& x) {
  auto out = registry()[find_detector("saturation").value()].make({});
  EXPECT_TRUE(out->fit(x));
  return out;
}

// By hand: of 0 to 100 the median is 50, and 1.4826 MAD is 37.065; the 20 % and 80 % quantiles are
// 60 apart, which makes 35.65. Five of the larger are 185.325. What never moved has units of one.
TEST(Saturation, IsTheLargestRiseInWhatIsFarForItsColumn) {
  Eigen::MatrixXd x(101, 2);
  x << Eigen::VectorXd::LinSpaced(101, 0, 100), Eigen::VectorXd::Zero(101);
  const auto detector = fitted_on(x);
  Eigen::MatrixXd seen(5, 2);
  seen << 50, 0, 50 + 185.325, 0, 50, 0.5, 50 + 2 * 185.325, 3, -1000, -1;
  const auto scores = detector->score(seen);
  const std::array expected{0.0, 1.0, 0.5, 3.0, 0.0};
  for (Index i = 0; i < 5; ++i) {
    EXPECT_NEAR(scores(i), expected[static_cast<std::size_t>(i)], 1e-12);
  }
  // 2 and 3 squared of their sum, and together the score.
  const auto parts = detector->contributions(seen, 3);
  EXPECT_NEAR(parts(0), 3 * 4.0 / 13, 1e-12);
  EXPECT_NEAR(parts(1), 3 * 9.0 / 13, 1e-12);
}

TEST(Saturation, AScoresPartsTellWhatEachColumnWouldHaveAlone) {
  const auto detector = fitted_on(Eigen::MatrixXd::Zero(40, 3));
  Eigen::MatrixXd seen(4, 3);
  seen << 3, 1, 0, 3, kNan, kNan, kNan, 1, kNan, -1, -2, 0;
  const auto alone = detector->score(seen);
  const auto own = own_scores(detector->contributions(seen, 0), alone(0));
  EXPECT_NEAR(own(0), alone(1), 1e-12);
  EXPECT_NEAR(own(1), alone(2), 1e-12);
  EXPECT_EQ(own(2), 0);
  EXPECT_EQ(own_scores(detector->contributions(seen, 3), alone(3)), Eigen::Vector3d::Zero());
}

// A limit may be higher than what parts tell apart.
TEST(Saturation, WhatAColumnHasAloneIsTheScoreWherePartsTellNoMore) {
  const auto detector = fitted_on(Eigen::MatrixXd::Zero(40, 3));
  Eigen::MatrixXd seen(1, 3);
  seen << 50, 30, 2;
  const auto own = own_scores(detector->contributions(seen, 0), detector->score(seen)(0));
  EXPECT_NEAR(own(0), 50, 1e-12);
  EXPECT_NEAR(own(1), 50, 1e-12);  // 20 at least, by its part
  EXPECT_NEAR(own(2), 2, 1e-12);
}

TEST(Saturation, IsNothingWhereNothingIsDefined) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(40, 2);
  x.col(0).setConstant(kNan);
  x(3, 1) = kNan;
  const auto detector = fitted_on(x);
  Eigen::MatrixXd seen(3, 2);
  seen << kNan, kNan, 2, kNan, kNan, 4;
  EXPECT_EQ(detector->score(seen), Eigen::Vector3d(0, 2, 4));
  EXPECT_EQ(detector->contributions(seen, 2), Eigen::Vector2d(0, 4));
}

// Another fault in a sixth of the run does not hide one.
TEST(Saturation, AFifthOfTheRunDoesNotWidenWhatIsUsual) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(120, 1);
  for (Index row = 0; row < 120; ++row) x(row, 0) = 0.01 * static_cast<double>(row % 5);
  x.middleRows(40, 20).setConstant(7);
  EXPECT_NEAR(fitted_on(x)->score(Eigen::MatrixXd::Constant(1, 1, 5.025))(0), 5, 1e-12);
}

class NamedColumns {
 public:
  void add(const char* metric, const char* feature, model::Kind kind = model::Kind::kGauge) {
    model::MetricDescriptor row;
    row.name = metric;
    row.kind = kind;
    const auto channel = channels.add_channel(channels.add_metric(row));
    matrix.add_column({channel, feature::find_feature(feature).value()});
  }
  model::ChannelTable channels;
  feature::FeatureMatrix matrix;
};

TEST(SaturationSignals, AreLevelsOfTheirMetrics) {
  NamedColumns run;
  run.add("cpu_pressure_some_seconds_total", "mean", model::Kind::kCounter);
  run.add("cpu_pressure_full_seconds_total", "mean", model::Kind::kCounter);
  run.add("memory_oom_kills_total", "sum_values", model::Kind::kEvent);
  run.add("memory_swapped_out_pages_total", "mean", model::Kind::kEvent);
  run.add("storage_io_pressure_some_seconds_total", "variance", model::Kind::kCounter);
  EXPECT_THAT(least_rises(run.matrix, run.channels), testing::ElementsAre(0.1, 0, 1, 0, 0));
  EXPECT_TRUE(has_pressure_metrics(run.channels));
}

// A queue that lasts half a window moves its median, one of a few tenths of a second only its mean.
TEST(SaturationSignals, ADisksQueueMustLastIfPressureTellsWhoWaits) {
  NamedColumns run;
  run.add("storage_queue_depth", "mean");
  run.add("storage_queue_depth", "median");
  run.add("memory_writeback_bytes", "median");
  EXPECT_THAT(least_rises(run.matrix, run.channels), testing::ElementsAre(2, 0, 0));
  run.add("cpu_pressure_some_seconds_total", "mean", model::Kind::kCounter);
  run.add("storage_io_pressure_some_seconds_total", "mean", model::Kind::kCounter);
  EXPECT_THAT(least_rises(run.matrix, run.channels), testing::ElementsAre(0, 2, 0, 0.1, 0.1));
}

TEST(SaturationSignals, ADisksQueueIsItsMeanWhereThereAreNoMedians) {
  NamedColumns run;
  run.add("storage_queue_depth", "mean");
  run.add("cpu_pressure_some_seconds_total", "mean", model::Kind::kCounter);
  run.add("storage_io_pressure_some_seconds_total", "mean", model::Kind::kCounter);
  EXPECT_THAT(least_rises(run.matrix, run.channels), testing::ElementsAre(2, 0.1, 0.1));
}

TEST(SaturationSignals, SayNothingOfAHostThatDoesNotTellWhatWaits) {
  NamedColumns run;
  run.add("cpu_pressure_some_seconds_total", "mean", model::Kind::kCounter);
  EXPECT_FALSE(has_pressure_metrics(run.channels));
}

TEST(SaturationSignals, OfADesignAreInLeastRises) {
  NamedColumns run;
  run.add("cpu_busy_ratio", "mean");
  run.add("cpu_pressure_some_seconds_total", "mean");
  for (std::size_t row = 0; row < 30; ++row) {
    run.matrix.add_row({}) = {static_cast<double>(row % 7),
                              row == 20 ? kNan : 0.02 * static_cast<double>(row % 3)};
  }
  const auto design =
      make_design(run.matrix, {.least_rises = least_rises(run.matrix, run.channels)});
  ASSERT_TRUE(design);
  EXPECT_THAT(design->saturation.live, testing::ElementsAre(1));
  EXPECT_NEAR(design->saturation.x(2, 0), 0.4, 1e-12);
  EXPECT_TRUE(std::isnan(design->saturation.x(20, 0)));
}

// Quiet runs of every length in which pressure is what exponential chance makes of it: no alarm in
// nearly all, and a rise of a few windows is one in all of them.
TEST(Saturation, SaysNothingOfQuietRunsAndFindsARise) {
  int quiet_alarms = 0;
  int found = 0;
  constexpr int kRuns = 100;
  for (int seed = 0; seed < kRuns; ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed));
    NamedColumns run;
    run.add("cpu_busy_ratio", "mean");
    run.add("cpu_pressure_some_seconds_total", "mean");
    run.add("storage_io_pressure_some_seconds_total", "mean");
    const std::size_t windows = 60 + static_cast<std::size_t>(rng.uniform() * 500);
    for (std::size_t row = 0; row < windows; ++row) {
      auto& values = run.matrix.add_row({});
      for (auto& value : values) value = -0.02 * std::log(1 - rng.uniform());
    }
    const auto alarms = [&](double rise) {
      feature::FeatureMatrix lifted;
      for (std::size_t c = 0; c < 3; ++c) lifted.add_column(run.matrix.column(c));
      for (std::size_t row = 0; row < windows; ++row) {
        auto& values = lifted.add_row({});
        for (std::size_t c = 0; c < 3; ++c) values[c] = run.matrix.at(row, c);
        if (row >= 30 && row < 37) values[1] += rise;
      }
      const auto design = make_design(lifted, {.least_rises = least_rises(lifted, run.channels)});
      DetectorOptions options;
      options.names = {"saturation"};
      const auto scored = ScoredRun::score(*design, Baseline::kRest, options);
      const auto verdict = judge(*scored, {.neighbors = 3});
      const auto& flagged = verdict->detectors.front().flagged;
      return std::count(flagged.begin(), flagged.end(), true);
    };
    quiet_alarms += alarms(0) > 0 ? 1 : 0;
    found += alarms(0.6) >= 5 ? 1 : 0;
  }
  EXPECT_LE(quiet_alarms, 1);
  EXPECT_GE(found, 99);
}

}  // namespace
}  // namespace reveal::detect
