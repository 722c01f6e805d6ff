#include "work/slowdowns.h"

#include <cmath>
#include <limits>
#include <tuple>
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

// Of a minute that others disturb for a third, with a job that varies by itself.
TEST(Slowdowns, AreFoundInAShortRunThatIsOftenDisturbed) {
  const auto found = Course()
                         .then(14, 1, 0.06)
                         .then(6, 0.7, 0.06)
                         .then(10, 1, 0.06)
                         .then(6, 0.5, 0.06)
                         .then(11, 1, 0.06)
                         .then(6, 0.6, 0.06)
                         .then(12, 1, 0.06)
                         .found();
  EXPECT_EQ(found.size(), 3u);
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

// Others slow the job for 40 % of the time, by more than it strays by itself: none of these hides
// another.
TEST(Slowdowns, ShowAmongMany) {
  Course course;
  course.then(26, 1);
  for (const auto& [slow_s, rate, then_s] :
       {std::tuple{9, 0.45, 15}, {8, 0.62, 17}, {10, 0.3, 14}, {6, 0.55, 13}, {9, 0.7, 22}}) {
    course.then(slow_s, rate).then(then_s, 1);
  }
  EXPECT_EQ(course.found().size(), 5u);
}

TEST(Dips, ComeAtOnceAndGoAtOnce) {
  const auto found = dips(Course().then(60, 1).then(5, 0.7).then(60, 1).job);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin_ns, 60 * kSecond_ns);
  EXPECT_EQ(found[0].end_ns, 65 * kSecond_ns);
  Course slope;
  slope.then(60, 1);
  for (const double rate : {0.9, 0.85, 0.8, 0.7, 0.6, 0.7, 0.8, 0.85, 0.9}) slope.then(3, rate);
  EXPECT_THAT(dips(slope.then(60, 1).job), testing::IsEmpty());
}

TEST(Dips, AreNothingOfTheJobsOwn) {
  Course phases;
  for (int i = 0; i < 6; ++i) phases.then(20, 1).then(5, 0.5);
  phases.then(20, 1);
  auto other_work = Course().then(100, 1).then(80, 0.6);
  auto pause = Course().then(50, 1).then(60, 0).then(50, 1);
  auto start = Course().then(40, 0).then(6, 0.6).then(60, 1);
  auto little = Course().then(60, 1).then(5, 0.8).then(60, 1);
  for (const auto* course : {&phases, &other_work, &pause, &start, &little}) {
    EXPECT_THAT(dips(course->job), testing::IsEmpty());
  }
}

// Fewer requests come at night.
// The rates of a job beside ten compilers, measured. From second 84 on signals of timers kept the
// processors busy for 9 s, from second 126 on a task of real-time priority did for 8 s.
TEST(Slowdowns, ShowWhereOthersSlowTheJobAllTheTime) {
  JobRate job;
  job.rate = {0.64, 0.82, 1.15, 1.25, 0.74, 0.61, 0.61, 0.71, 0.95, 0.9,  0.8,  1.02, 1.2,  0.82,
              0.7,  0.82, 1.15, 0.88, 1.31, 0.91, 1.12, 1.21, 1.02, 0.82, 1.29, 1.09, 0.93, 0.71,
              0.85, 1.17, 0.63, 1.05, 0.78, 0.63, 0.53, 0.57, 0.48, 0.63, 0.56, 0.69, 0.79, 0.6,
              0.45, 0.82, 0.46, 0.65, 0.53, 0.67, 0.71, 0.81, 0.82, 0.72, 0.41, 0.47, 0.65, 0.71,
              0.51, 0.57, 0.66, 0.81, 0.61, 0.61, 0.61, 0.62, 0.7,  0.71, 0.61, 0.81, 0.7,  0.91,
              1.08, 0.91, 1.01, 0.99, 0.93, 0.81, 0.8,  0.82, 0.86, 0.89, 0.79, 1.02, 1.12, 0.82,
              0.41, 0.0,  0.0,  0.12, 0.36, 0.62, 0.1,  0.0,  0.5,  0.72, 0.58, 1.12, 0.79, 0.7,
              0.84, 0.81, 0.75, 0.77, 0.72, 0.77, 0.7,  0.97, 0.92, 0.29, 0.0,  0.42, 0.82, 0.89,
              0.81, 0.81, 1.02, 0.92, 0.87, 0.72, 0.85, 1.02, 0.94, 0.92, 0.9,  0.82, 0.92, 0.72,
              0.31, 0.3,  0.34, 0.27, 0.39, 0.41, 0.32, 0.51, 0.72, 0.8,  0.91, 0.91, 0.81, 0.91,
              1.11, 0.81, 0.81, 0.79, 0.81, 0.81, 0.97, 0.57, 0.45, 0.48, 0.56, 0.43, 0.53, 0.61,
              0.52, 0.73, 0.98, 0.83, 0.89, 0.91, 0.93, 0.81, 0.72, 0.72, 0.71, 0.64, 0.48, 0.54,
              0.48, 0.7};
  for (std::size_t i = 0; i < job.rate.size(); ++i) {
    job.begin_ns.push_back(static_cast<std::int64_t>(i) * kSecond_ns);
    job.end_ns.push_back(static_cast<std::int64_t>(i + 1) * kSecond_ns);
  }
  job.block_error = 0.1;
  job.bias_error = 0.005;
  const auto found = slowdowns(job);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(static_cast<double>(found[0].begin_ns) / kSecond_ns, 84, 1);
  EXPECT_NEAR(static_cast<double>(found[1].begin_ns) / kSecond_ns, 126, 1);
  EXPECT_NEAR(static_cast<double>(found[1].end_ns) / kSecond_ns, 134, 1);
}

TEST(Slowdowns, AreNotDemandThatWanders) {
  Course course;
  for (int i = 0; i < 600; ++i) course.then(1, 0.75 + 0.25 * std::cos(0.02 * i));
  EXPECT_THAT(course.found(), testing::IsEmpty());
}

// A server whose requests come at random, 8 to 16 a second in a day of 20 minutes: what came in a
// second strays by a third. `hit`: seconds in which it answers a fifth.
JobRate server(std::uint64_t seed, int seconds, int hit_from = -1, int hit_until = -1) {
  constexpr int kSlots = 400;  // of a second, each with one request or none
  base::Rng rng(seed);
  JobRate out;
  for (int second = 0; second < seconds; ++second) {
    const double demand = 12 + 4 * std::sin(second * 2 * 3.14159265 / 1200);
    const bool is_hit = second >= hit_from && second < hit_until;
    int requests = 0;
    for (int slot = 0; slot < kSlots; ++slot) {
      if (rng.uniform() < demand * (is_hit ? 0.2 : 1) / kSlots) ++requests;
    }
    out.rate.push_back(requests / 15.0);
    out.begin_ns.push_back(second * kSecond_ns);
    out.end_ns.push_back((second + 1) * kSecond_ns);
  }
  // As calm_deviation() makes of such a course: less than it strays, since it looks at medians.
  out.block_error = 0.14;
  out.bias_error = 0.006;
  return out;
}

TEST(Slowdowns, AreNotRequestsThatComeAtRandom) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) found += slowdowns(server(seed, 3600)).size();
  EXPECT_EQ(found, 0u) << "in a hundred hours";
}

TEST(Slowdowns, ShowAmongRequestsThatComeAtRandom) {
  const auto found = slowdowns(server(3, 1200, 600, 612));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(static_cast<double>(found[0].begin_ns) / 1e9, 600, 1.5);
  EXPECT_NEAR(static_cast<double>(found[0].end_ns) / 1e9, 612, 1.5);
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
