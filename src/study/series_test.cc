#include "study/series.h"

#include <cmath>
#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/courses.h"
#include "study/testing/made_series.h"

namespace reveal::study {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Series run_of(std::vector<std::vector<double>> frames, std::int64_t interval_ns = 100) {
  return made_series(std::move(frames), interval_ns);
}

TEST(HeldSamples, HoldUntilTheNextAndBeforeTheFirst) {
  const auto run = run_of({{kNan}, {3}, {kNan}, {5}});
  EXPECT_THAT(held_samples(run, model::ChannelId(0)), ElementsAre(3, 3, 3, 5));
}

TEST(HeldSamples, MissedTicksHoldWhatWasBefore) {
  auto run = run_of({{1}, {2}, {3}});
  run.ticks = {0, 1, 4};
  EXPECT_THAT(held_samples(run, model::ChannelId(0)), ElementsAre(1, 2, 2, 2, 3));
}

TEST(HeldSamples, AChannelThatCameLaterHasItsFirstSampleBefore) {
  auto run = run_of({{1, 8}, {2, 9}});
  run.frames[0].pop_back();
  EXPECT_THAT(held_samples(run, model::ChannelId(1)), ElementsAre(9, 9));
  run.frames[1][1] = kNan;
  EXPECT_THAT(held_samples(run, model::ChannelId(1)), IsEmpty());
}

TEST(Align, PointsAreMeansInDeviationsOfAllRuns) {
  const std::vector<Series> runs = [] {
    std::vector<Series> out;
    out.push_back(run_of({{1}, {3}, {5}, {7}, {100}}));
    out.push_back(run_of({{2}, {2}, {2}, {2}}));
    return out;
  }();
  const auto aligned = align(runs, 2, 2);
  ASSERT_TRUE(aligned);
  EXPECT_EQ(aligned->points, 2U);
  ASSERT_EQ(aligned->channels.size(), 1U);
  // Points 2, 6 and 2, 2: mean 3, variance (1 + 9 + 1 + 1) / 4.
  const double deviation = std::sqrt(3.0);
  EXPECT_THAT(aligned->channels[0].runs[0],
              ElementsAre(DoubleNear(-1 / deviation, 1e-12), DoubleNear(3 / deviation, 1e-12)));
  EXPECT_THAT(aligned->channels[0].runs[1],
              ElementsAre(DoubleNear(-1 / deviation, 1e-12), DoubleNear(-1 / deviation, 1e-12)));
}

TEST(Align, CountsWhatARunLacksAndLeavesOutWhatIsConstant) {
  std::vector<Series> runs;
  runs.push_back(run_of({{1, 5, 1}, {2, 5, 2}}));
  runs.push_back(run_of({{1, 5}, {3, 5}}));
  const auto aligned = align(runs, 2, 2);
  ASSERT_TRUE(aligned);
  EXPECT_EQ(aligned->not_in_all, 1U);
  ASSERT_EQ(aligned->channels.size(), 1U);
  EXPECT_EQ(aligned->channels[0].channel, "c0");
}

TEST(MedianCourse, LeavesOneOut) {
  const Courses courses{.channel = "c", .runs = {{1, 9}, {2, 8}, {6, 1}}};
  EXPECT_THAT(median_course(courses, 3), ElementsAre(2, 8));
  EXPECT_THAT(median_course(courses, 0), ElementsAre(4, 4.5));
}

}  // namespace
}  // namespace reveal::study
