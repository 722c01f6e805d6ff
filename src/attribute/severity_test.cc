#include "attribute/severity.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "attribute/finding.h"
#include "attribute/harm.h"
#include "base/rng.h"

namespace reveal::attribute {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

// Two minutes at the usual rate, but `seconds` from second 60 on at another.
std::vector<JobHistory> jobs_with(double rate, int seconds) {
  work::JobRate out;
  out.job = "cg=/job";
  for (int i = 0; i < 120; ++i) {
    out.begin_ns.push_back(i * kSecond_ns);
    out.end_ns.push_back((i + 1) * kSecond_ns);
    out.rate.push_back(i >= 60 && i < 60 + seconds ? rate : 1.0);
  }
  out.block_error = 0.01;
  out.bias_error = 0.005;
  return histories_of({out});
}

Finding finding_from(std::int64_t begin_ns, std::int64_t end_ns) {
  Finding out;
  out.windows.push_back({{window::WindowId(1), begin_ns, end_ns, 0, 0}, {}});
  return out;
}

Finding harmed(double rate, int seconds) {
  auto out = finding_from(58 * kSecond_ns, (63 + seconds) * kSecond_ns);
  out.harm = harm_of(jobs_with(rate, seconds), out.begin_ns(), out.end_ns());
  out.severity = severity_of(out);
  return out;
}

Finding stalled(std::string group, double seconds) {
  auto out = finding_from(58 * kSecond_ns, 73 * kSecond_ns);
  out.stall = Stall{model::ChannelId(0), std::move(group), seconds};
  out.severity = severity_of(out);
  return out;
}

// By hand: 12 s at 83 % are 12 * 0.17 s, and 12 s at 38 % are 12 * 0.62 s. The scale before this
// one gave 2.49 to a fault that cost 17 % and 0.99 to one that cost 62 %.
TEST(Severity, IsTheWorkThatWasLost) {
  const auto small = harmed(0.83, 12);
  const auto large = harmed(0.38, 12);
  EXPECT_EQ(small.severity.basis, SeverityBasis::kWork);
  EXPECT_NEAR(small.severity.seconds, 2.04, 1e-9);
  EXPECT_NEAR(large.severity.seconds, 7.44, 1e-9);
  EXPECT_TRUE(is_graver(large, small));
  EXPECT_FALSE(is_graver(small, large));
}

TEST(Severity, MoreWorkLostNeverLowersIt) {
  base::Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    const double rate = 1.1 * rng.uniform();
    const int seconds = 3 + static_cast<int>(rng.below(40));
    const double severity = harmed(rate, seconds).severity.seconds;
    EXPECT_GE(harmed(rate * rng.uniform(), seconds).severity.seconds, severity) << rate;
    EXPECT_GE(harmed(rate, seconds + 1).severity.seconds, severity - 1e-9) << rate;
    auto waits = harmed(rate, seconds);
    waits.stall = Stall{model::ChannelId(0), "cg=/other", 20 * rng.uniform()};
    EXPECT_GE(severity_of(waits).seconds, severity);
  }
}

TEST(Severity, IsTheTimeOfStallsIfNoRateIsKnown) {
  const auto one = stalled("cg=/web", 4.2);
  EXPECT_EQ(one.severity.basis, SeverityBasis::kStall);
  EXPECT_EQ(one.severity.seconds, 4.2);
  EXPECT_EQ(stalled("", 3).severity.seconds, 3);
}

// The job kept its rate: whoever of it or of the host waited was harmed by nothing.
TEST(Severity, AJobThatKeepsItsRateIsHarmedByNoStallOfItsOwn) {
  for (const std::string group : {"", "cg=/job", "cg=/job/step", "cg=/"}) {
    auto kept = harmed(1.0, 12);
    kept.stall = Stall{model::ChannelId(0), group, 9};
    EXPECT_EQ(severity_of(kept).seconds, 0) << group;
    EXPECT_EQ(severity_of(kept).basis, SeverityBasis::kWork);
  }
  auto other = harmed(1.0, 12);
  other.stall = Stall{model::ChannelId(0), "cg=/web", 9};
  EXPECT_EQ(severity_of(other).seconds, 9);
  EXPECT_EQ(severity_of(other).basis, SeverityBasis::kStall);
}

// By hand: half of a second lost, give or take so much that it may have been nothing.
TEST(Severity, IsTheLesserOfLossAndStallsIfTheRateLeavesItOpen) {
  const auto with = [](double rate, double lost_s, double stalled_s) {
    auto out = stalled("", stalled_s);
    out.harm = Harm{"", 0, kSecond_ns, false, {}};
    out.harm->loss.mean_rate = rate;
    out.harm->loss.mean_error = 0.21;
    out.harm->loss.lost_s = lost_s;
    return severity_of(out);
  };
  EXPECT_EQ(with(0.5, 0.5, 0.2).seconds, 0.2);
  EXPECT_EQ(with(0.5, 0.5, 0.2).basis, SeverityBasis::kStall);
  EXPECT_EQ(with(0.5, 0.5, 3).seconds, 0.5);
  EXPECT_EQ(with(0.5, 0.5, 3).basis, SeverityBasis::kWork);
  EXPECT_EQ(with(1.1, -0.1, 3).seconds, 0);  // 68 % may be true, but nothing was seen to be lost
}

TEST(Severity, WhatIsNotKnownIsLowerThanAllThatIs) {
  const auto unknown = finding_from(0, 3 * kSecond_ns);
  EXPECT_FALSE(seconds_of(unknown.severity));
  EXPECT_TRUE(is_graver(stalled("", 0.01), unknown));
  EXPECT_TRUE(is_graver(harmed(0.9, 5), unknown));
}

TEST(Severity, OrderIsStartThenHarmThenVotesThenTime) {
  std::vector<Finding> list{harmed(0.1, 30), stalled("", 4), stalled("", 4), stalled("", 4),
                            harmed(0.5, 30)};
  list[0].at_start = true;
  list[0].claim = "start";
  list[1].agreement = 2;
  list[1].claim = "few votes";
  list[2].agreement = 3;
  list[2].claim = "later";
  list[3].agreement = 3;
  list[3].windows.front().span.begin_ns = 0;
  list[3].claim = "earlier";
  list[4].claim = "gravest";
  std::ranges::sort(list, is_graver);
  std::vector<std::string> order;
  for (const auto& one : list) order.push_back(one.claim);
  EXPECT_EQ(order, (std::vector<std::string>{"gravest", "earlier", "later", "few votes", "start"}));
}

TEST(Severity, WordsHaveTheLimitsOfTheDocument) {
  EXPECT_EQ(word_of(0.0), "minor");
  EXPECT_EQ(word_of(0.99), "minor");
  EXPECT_EQ(word_of(1.0), "moderate");
  EXPECT_EQ(word_of(9.99), "moderate");
  EXPECT_EQ(word_of(10.0), "major");
  EXPECT_EQ(word_of({}), "unknown");
}

TEST(Severity, ReachesTheWordsThatItsSecondsAllow) {
  for (const auto& [seconds, words] :
       std::vector<std::pair<std::optional<double>, int>>{{0.2, 1}, {1, 2}, {9.9, 2}, {10, 3}}) {
    EXPECT_TRUE(reaches(seconds, "minor"));
    EXPECT_EQ(reaches(seconds, "moderate"), words >= 2) << *seconds;
    EXPECT_EQ(reaches(seconds, "major"), words >= 3) << *seconds;
  }
  EXPECT_TRUE(reaches(std::nullopt, "moderate")) << "somebody should look";
  EXPECT_FALSE(reaches(std::nullopt, "major"));
}

}  // namespace
}  // namespace reveal::attribute
