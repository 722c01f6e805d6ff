#include "study/host_course.h"

#include <cmath>
#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/testing/made_series.h"

namespace reveal::study {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kSecond = 1'000'000'000;
const model::ChannelId kFirst(0);

Run run(std::int64_t begin_s, std::int64_t end_s) {
  return {{}, {}, begin_s * kSecond, end_s * kSecond};
}

CommonTime time_of(const std::vector<Run>& runs) {
  return common_time(runs);
}

// A row a tick of a second.
Series series_of(std::vector<std::vector<double>> frames) {
  return made_series(std::move(frames), kSecond);
}

TEST(CommonTime, IsByTheClocksIfHalfOfTheShortestIsInCommon) {
  const auto time = time_of({run(100, 200), run(140, 160), run(150, 300)});
  EXPECT_TRUE(time.by_clock);
  EXPECT_THAT(time.begins_ns, ElementsAre(0, 40 * kSecond, 50 * kSecond));
  EXPECT_EQ(time.begin_ns, 50 * kSecond);
  EXPECT_EQ(time.end_ns, 60 * kSecond);
}

TEST(CommonTime, IsElseAsLongAsTheShortestFromEachBegin) {
  for (const auto& other : {run(191, 300), run(900, 1000)}) {
    const auto time = time_of({run(100, 200), run(180, 200), other});
    EXPECT_FALSE(time.by_clock);
    EXPECT_THAT(time.begins_ns, ElementsAre(0, 0, 0));
    EXPECT_EQ(time.begin_ns, 0);
    EXPECT_EQ(time.end_ns, 20 * kSecond);
  }
}

TEST(SamplesIn, AreThoseOfTheTimeThatAllHave) {
  auto series = series_of({{1}, {2, 7}, {kNan, 8}, {4, 9}});
  model::MetricDescriptor late;
  late.name = "late";
  series.channels.add_channel(series.channels.add_metric(late));
  const CommonTime time{
      .begins_ns = {0, 10 * kSecond}, .begin_ns = 11 * kSecond, .end_ns = 12 * kSecond};
  EXPECT_THAT(samples_in(series, time, 1), ElementsAre(ElementsAre(2), ElementsAre(7, 8)));
  EXPECT_THAT(samples_in(series, time, 0), ElementsAre(IsEmpty(), IsEmpty()));
}

TEST(CourseOf, AShortOneHasItsSamples) {
  const auto course = course_of(series_of({{1}, {kNan}, {3}}), kFirst, 5 * kSecond);
  ASSERT_EQ(course.size(), 2U);
  EXPECT_EQ(course[1].seconds, 7);
  EXPECT_EQ(course[1].mean, 3);
  EXPECT_EQ(course[1].low, 3);
  EXPECT_EQ(course[1].high, 3);
}

TEST(CourseOf, ALongOneHasTheRangeOfEquallyManyTicks) {
  std::vector<std::vector<double>> frames;
  frames.reserve(401);
  for (int i = 0; i < 401; ++i) frames.push_back({static_cast<double>(i)});
  const auto course = course_of(series_of(std::move(frames)), kFirst, 0);
  ASSERT_EQ(course.size(), 134U);  // of three ticks each, the last of two
  EXPECT_EQ(course[1].seconds, 4);
  EXPECT_EQ(course[1].mean, 4);
  EXPECT_EQ(course[1].low, 3);
  EXPECT_EQ(course[1].high, 5);
  EXPECT_EQ(course[133].mean, 399.5);
}

TEST(CourseOf, MissedTicksAreAHole) {
  auto series = series_of({{1}, {2}, {3}});
  series.ticks = {0, 1, 3};
  const auto course = course_of(series, kFirst, 0);
  ASSERT_EQ(course.size(), 4U);
  EXPECT_EQ(course[2].seconds, 2);
  EXPECT_TRUE(std::isnan(course[2].mean));
  EXPECT_EQ(course[3].mean, 3);
}

}  // namespace
}  // namespace reveal::study
