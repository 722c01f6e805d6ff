#include "attribute/harm.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

// Two minutes at the usual rate, but from second 60 to 70.
work::JobRate job_with(double rate, std::string name = "cg=/job") {
  work::JobRate out;
  out.job = std::move(name);
  for (int i = 0; i < 120; ++i) {
    out.begin_ns.push_back(i * kSecond_ns);
    out.end_ns.push_back((i + 1) * kSecond_ns);
    out.rate.push_back(i >= 60 && i < 70 ? rate : 1.0 + (i % 2 == 0 ? 0.01 : -0.01));
  }
  out.block_error = 0.01;
  out.bias_error = 0.005;
  return out;
}

TEST(Harm, ASlowdownTellsItsOwnStretch) {
  const auto jobs = histories_of({job_with(0.4)});
  const auto harm = harm_of(jobs, 58 * kSecond_ns, 73 * kSecond_ns);
  ASSERT_TRUE(harm);
  EXPECT_TRUE(harm->slow);
  EXPECT_EQ(harm->job, "cg=/job");
  EXPECT_EQ(harm->begin_ns, 60 * kSecond_ns);
  EXPECT_EQ(harm->end_ns, 70 * kSecond_ns);
  EXPECT_NEAR(harm->loss.mean_rate, 0.4, 1e-9);
  EXPECT_NEAR(harm->loss.lost_s, 6, 1e-9);  // 10 s of which 0.6 were not done
}

TEST(Harm, AJobThatKeepsItsRateWasNotHarmed) {
  const auto jobs = histories_of({job_with(1.0)});
  const auto harm = harm_of(jobs, 58 * kSecond_ns, 73 * kSecond_ns);
  ASSERT_TRUE(harm);
  EXPECT_FALSE(harm->slow);
  EXPECT_NEAR(harm->loss.lost_s, 0, 0.05);
  EXPECT_FALSE(is_harmed(jobs, 58 * kSecond_ns, 73 * kSecond_ns));
}

// Windows reach beyond the event, into seconds at the usual rate or above it.
TEST(Harm, WhereNoSlowdownTellsTheFindingsOwnEdgesDo) {
  auto job = job_with(0.9);
  job.block_error = 0.03;  // so that it is no slowdown
  const auto jobs = histories_of({job});
  ASSERT_TRUE(jobs.front().slowdowns.empty());
  const auto harm =
      harm_of(jobs, 55 * kSecond_ns, 75 * kSecond_ns, Span{60 * kSecond_ns, 70 * kSecond_ns});
  ASSERT_TRUE(harm);
  EXPECT_NEAR(harm->loss.mean_rate, 0.9, 1e-9);
  EXPECT_EQ(harm->begin_ns, 60 * kSecond_ns);
  EXPECT_TRUE(harm->slow);
}

// One that stands still from outside may have lost more, but nobody can say when.
TEST(Harm, AJobWithASlowdownTellsBeforeOneWithout) {
  const auto jobs = histories_of({job_with(0, "cg=/still"), job_with(0.4, "cg=/slow")});
  ASSERT_TRUE(jobs.front().slowdowns.empty());
  EXPECT_EQ(harm_of(jobs, 58 * kSecond_ns, 73 * kSecond_ns)->job, "cg=/slow");
}

TEST(Harm, GpusAreIdleIfTheirJobHardlyWorks) {
  const auto idle_with = [](double rate, work::JobKind kind) {
    auto job = job_with(rate);
    job.kind = kind;
    job.held.assign(job.rate.size(), 1);
    return idle_in(histories_of({job}), 58 * kSecond_ns, 73 * kSecond_ns).has_value();
  };
  EXPECT_TRUE(idle_with(0.2, work::JobKind::kGpus));
  EXPECT_TRUE(idle_with(0, work::JobKind::kGpus));
  EXPECT_FALSE(idle_with(0.5, work::JobKind::kGpus));
  EXPECT_FALSE(idle_with(0.2, work::JobKind::kGroup));
}

TEST(Harm, RatesAreKeptIfEachIsKnownWell) {
  const auto kept = [](const std::vector<work::JobRate>& jobs) {
    return kept_their_rates(histories_of(jobs), 60 * kSecond_ns, 70 * kSecond_ns);
  };
  EXPECT_FALSE(kept({}));
  EXPECT_TRUE(kept({job_with(0.98)}));
  EXPECT_FALSE(kept({job_with(0.9)}));
  EXPECT_FALSE(kept({job_with(0.98), job_with(0.9, "cg=/other")}));
  auto unsure = job_with(0.98);
  unsure.block_error = 0.5;
  EXPECT_FALSE(kept({unsure}));
}

TEST(Harm, OfSeveralJobsTheOneThatLostMostIsTold) {
  const auto jobs = histories_of({job_with(0.8, "cg=/a"), job_with(0.3, "cg=/b")});
  EXPECT_EQ(harm_of(jobs, 58 * kSecond_ns, 73 * kSecond_ns)->job, "cg=/b");
}

TEST(Harm, MostOfASlowdownMustLieInTheFinding) {
  const auto jobs = histories_of({job_with(0.4)});
  EXPECT_TRUE(is_harmed(jobs, 58 * kSecond_ns, 73 * kSecond_ns));
  EXPECT_TRUE(is_harmed(jobs, 64 * kSecond_ns, 73 * kSecond_ns));
  EXPECT_FALSE(is_harmed(jobs, 66 * kSecond_ns, 73 * kSecond_ns));
  EXPECT_FALSE(is_harmed(jobs, 20 * kSecond_ns, 30 * kSecond_ns));
}

// What is there for some seconds only, such as reading back from swap, is no job that stood still
// all the rest of the time.
TEST(Harm, AJobThatIsNotThereLosesNothing) {
  auto job = job_with(1.0);
  for (std::size_t i = 0; i < job.rate.size(); ++i) job.rate[i] = i < 20 ? 1 : 0;
  EXPECT_FALSE(harm_of(histories_of({job}), 58 * kSecond_ns, 73 * kSecond_ns));
  EXPECT_FALSE(harm_of(histories_of({job}), 15 * kSecond_ns, 30 * kSecond_ns));  // it ends there
}

// By hand: a job that stands still for 4 s of the 15, and goes on.
TEST(Harm, AJobThatStandsStillForAMomentLosesThat) {
  auto job = job_with(1.0);
  for (std::size_t i = 62; i < 66; ++i) job.rate[i] = 0;
  const auto harm = harm_of(histories_of({job}), 58 * kSecond_ns, 73 * kSecond_ns);
  ASSERT_TRUE(harm);
  EXPECT_TRUE(harm->slow);
  EXPECT_NEAR(harm->loss.lost_s, 4, 0.05);
}

// By hand: of 10 s at 0.4, four are not known, and are taken to be like the other six.
TEST(Harm, SecondsThatAreNotKnownAreLikeTheOthers) {
  auto job = job_with(0.4);
  for (std::size_t i = 62; i < 66; ++i) job.rate[i] = std::nan("");
  const auto harm = harm_of(histories_of({job}), 60 * kSecond_ns, 70 * kSecond_ns);
  ASSERT_TRUE(harm);
  EXPECT_NEAR(harm->loss.mean_rate, 0.4, 1e-9);
  EXPECT_NEAR(harm->loss.lost_s, 6, 1e-9);
}

TEST(Harm, WhereMostIsNotKnownNothingIsSaid) {
  auto job = job_with(0.4);
  for (std::size_t i = 61; i < 69; ++i) job.rate[i] = std::nan("");
  EXPECT_FALSE(harm_of(histories_of({job}), 60 * kSecond_ns, 70 * kSecond_ns));
}

// A job that is slow for a minute did not lose all of that by what happened for 10 s of it.
TEST(Harm, OfALongerSlowdownOnlyThePartInTheFindingCounts) {
  auto job = job_with(1.0);
  for (std::size_t i = 40; i < 100; ++i) job.rate[i] = 0.5;
  const auto harm = harm_of(histories_of({job}), 35 * kSecond_ns, 50 * kSecond_ns);
  ASSERT_TRUE(harm);
  EXPECT_TRUE(harm->slow);
  EXPECT_NEAR(harm->loss.lost_s, 5, 0.05);
  // In its midst nothing changes: whatever it was, it was not this.
  EXPECT_FALSE(harm_of(histories_of({job}), 60 * kSecond_ns, 70 * kSecond_ns)->slow);
}

TEST(Harm, WithoutARateNothingIsSaid) {
  work::JobRate unknown;
  unknown.not_known = "no two counters move together";
  EXPECT_TRUE(histories_of({unknown}).empty());
  EXPECT_FALSE(harm_of({}, 0, kSecond_ns));
}

}  // namespace
}  // namespace reveal::attribute
