#include "detect/elapsed.h"

#include <gtest/gtest.h>

namespace reveal::detect {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// Two runs, the second an hour after the first, with a window every 10 s.
feature::FeatureMatrix two_runs() {
  feature::FeatureMatrix out;
  for (const std::int64_t begin : {0, 10, 20, 3600, 3610}) {
    out.add_row({window::WindowId(out.row_count()), begin * kSecond, (begin + 30) * kSecond, 0, 0});
  }
  return out;
}

TEST(Elapsed, AreSecondsSinceTheFirstWindowOfTheRun) {
  const Eigen::VectorXd elapsed = elapsed_seconds(two_runs(), {0, 3});
  EXPECT_EQ(elapsed, (Eigen::VectorXd(5) << 0, 10, 20, 0, 10).finished());
}

TEST(Elapsed, APeakIsTheHighestScoreOfGoodRunsWithinAWindowsLength) {
  FittedBaseline baseline;
  baseline.windows.length_ns = 30 * kSecond;
  baseline.elapsed_s = (Eigen::VectorXd(6) << 0, 50, 100, 0, 40, 200).finished();
  FittedDetector detector;
  detector.by_window = (Eigen::VectorXd(6) << 1, 9, 2, 3, 4, 8).finished();
  baseline.detectors.push_back(detector);
  const Eigen::VectorXd asked = (Eigen::VectorXd(7) << 0, 20, 30, 75, 131, 170, 231).finished();
  const auto peaks = usual_peaks(baseline, asked);
  ASSERT_EQ(peaks.size(), 1u);
  EXPECT_EQ(peaks[0], (Eigen::VectorXd(7) << 3, 9, 9, 9, 0, 8, 0).finished());
}

TEST(Elapsed, ABaselineOfOneRunKnowsNothingOfThem) {
  FittedBaseline baseline;
  baseline.detectors.emplace_back();
  EXPECT_TRUE(usual_peaks(baseline, Eigen::VectorXd::Zero(3)).empty());
}

}  // namespace
}  // namespace reveal::detect
