#include "work/slowdowns.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::work {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

// Rates by second, each a little off, as steps are.
class Course {
 public:
  Course& then(int seconds, double rate, double jitter = 0.02) {
    for (int i = 0; i < seconds; ++i) {
      const double own = rate == 0 ? 0 : rate + jitter * (2 * rng_.uniform() - 1);
      const auto number = static_cast<std::int64_t>(job.rate.size());
      job.rate.push_back(own);
      job.begin_ns.push_back(number * kSecond_ns);
      job.end_ns.push_back((number + 1) * kSecond_ns);
    }
    return *this;
  }
  std::vector<Slowdown> found() {
    job.block_error = 0.02;
    job.bias_error = 0.005;
    return slowdowns(job);
  }

  JobRate job;

 private:
  base::Rng rng_{5};
};

TEST(Slowdowns, AreWhereTheRateFalls) {
  const auto found = Course().then(40, 1).then(8, 0.6).then(40, 1).then(5, 0.3).then(30, 1).found();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].begin_ns, 40 * kSecond_ns);
  EXPECT_EQ(found[0].end_ns, 48 * kSecond_ns);
  EXPECT_NEAR(found[0].loss.mean_rate, 0.6, 0.02);
  EXPECT_NEAR(found[0].loss.lost_s, 3.2, 0.15);
  EXPECT_EQ(found[1].begin_ns, 88 * kSecond_ns);
  EXPECT_NEAR(found[1].loss.lost_s, 3.5, 0.15);
}

TEST(Slowdowns, AreNoneInAQuietRun) {
  EXPECT_THAT(Course().then(600, 1, 0.1).found(), testing::IsEmpty());
}

TEST(Slowdowns, AreWhatWasSlowFromTheBegin) {
  const auto found = Course().then(105, 0.65).then(65, 1).found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin_ns, 0);
  EXPECT_EQ(found[0].end_ns, 105 * kSecond_ns);
  EXPECT_TRUE(found[0].from_begin);
  EXPECT_FALSE(found[0].to_end);
}

TEST(Slowdowns, AreWhatLastsToTheEnd) {
  const auto found = Course().then(100, 1).then(20, 0.7).found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin_ns, 100 * kSecond_ns);
  EXPECT_FALSE(found[0].from_begin);
  EXPECT_TRUE(found[0].to_end);
}

// Faults at no regular times, or of no one depth, are no phases.
TEST(Slowdowns, MayComeAgain) {
  EXPECT_EQ(Course()
                .then(20, 1)
                .then(6, 0.6)
                .then(20, 1)
                .then(6, 0.6)
                .then(70, 1)
                .then(6, 0.6)
                .then(30, 1)
                .found()
                .size(),
            3u);
  EXPECT_EQ(Course()
                .then(20, 1)
                .then(6, 0.7)
                .then(20, 1)
                .then(6, 0.4)
                .then(20, 1)
                .then(6, 0.2)
                .then(20, 1)
                .found()
                .size(),
            3u);
}

TEST(Slowdowns, AreNotAJobThatEndsOrBegins) {
  EXPECT_THAT(Course().then(50, 1).then(1, 0.4).then(60, 0).found(), testing::IsEmpty());
  EXPECT_THAT(Course().then(40, 0).then(6, 0.6).then(60, 1).found(), testing::IsEmpty());
  EXPECT_THAT(Course().then(8, 0.7).then(100, 1).found(), testing::IsEmpty());
}

TEST(Slowdowns, AreNotPauses) {
  Course course;
  course.then(50, 1)
      .then(1, 0.3)
      .then(5, 0)
      .then(1, 0.6)
      .then(60, 1)
      .then(1, 0.5)
      .then(1, 0.4)
      .then(50, 1);
  EXPECT_THAT(course.found(), testing::IsEmpty());
  const auto found = pauses(course.job);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin_ns, 51 * kSecond_ns);
  EXPECT_EQ(found[0].end_ns, 56 * kSecond_ns);
}

// It is slow, then stopped for long, then slow again: two slowdowns with a pause between them.
TEST(Slowdowns, EndWhereTheJobStandsStill) {
  const auto found =
      Course().then(40, 1).then(15, 0.5).then(5, 0).then(15, 0.5).then(40, 1).found();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].end_ns, 55 * kSecond_ns);
  EXPECT_EQ(found[1].begin_ns, 60 * kSecond_ns);
}

TEST(Slowdowns, AreNotPhasesThatAlternate) {
  Course course;
  for (int i = 0; i < 6; ++i) course.then(20, 1).then(5, 0.5);
  EXPECT_THAT(course.then(20, 1).found(), testing::IsEmpty());
}

// What differs from the phases is told beside them.
TEST(Slowdowns, ShowBesidePhases) {
  Course course;
  for (int i = 0; i < 3; ++i) course.then(20, 1).then(5, 0.5);
  course.then(8, 1).then(7, 0.2).then(5, 1).then(5, 0.5);
  for (int i = 0; i < 3; ++i) course.then(20, 1).then(5, 0.5);
  const auto found = course.then(20, 1).found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].loss.mean_rate, 0.2, 0.03);
}

// A job of requests whose number goes up and down by itself has no usual that a fall could be told
// from.
TEST(Slowdowns, AreNotAJobsOwnUpsAndDowns) {
  Course course;
  for (int i = 0; i < 40; ++i) {
    course.then(7, 0.8 + 0.2 * std::sin(0.7 * i) + 0.1 * std::sin(1.9 * i));
  }
  EXPECT_THAT(course.found(), testing::IsEmpty());
}

// Fewer requests come at night.
TEST(Slowdowns, AreNotDemandThatWanders) {
  Course course;
  for (int i = 0; i < 600; ++i) course.then(1, 0.75 + 0.25 * std::cos(0.02 * i));
  EXPECT_THAT(course.found(), testing::IsEmpty());
}

TEST(Slowdowns, BridgeWhatIsMissing) {
  Course course;
  course.then(40, 1).then(9, 0.5).then(40, 1);
  for (std::size_t i = 43; i < 46; ++i)
    course.job.rate[i] = std::numeric_limits<double>::quiet_NaN();
  const auto found = course.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].end_ns, 49 * kSecond_ns);
  EXPECT_DOUBLE_EQ(found[0].loss.known_s, 6);
}

}  // namespace
}  // namespace reveal::work
