#include "pipeline/judged_parts.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::pipeline {
namespace {

using attribute::Finding;
using testing::ElementsAre;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

window::WindowSpan span_of(std::uint64_t id) {
  window::WindowSpan out;
  out.id = window::WindowId(id);
  out.begin_ns = static_cast<std::int64_t>(id) * kSecond_ns;
  out.end_ns = out.begin_ns + 3 * kSecond_ns;
  return out;
}

// Windows `first` to `last` of a fault of storage in which a job lost half a second in each.
Finding finding(std::uint64_t first, std::uint64_t last) {
  Finding out;
  for (auto id = first; id <= last; ++id) out.windows.push_back({span_of(id), {}});
  out.subsystems[static_cast<std::size_t>(model::Subsystem::kStorage)] = 1;
  out.agreement = 2;
  const auto count = static_cast<double>(last - first + 1);
  attribute::Harm harm;
  harm.begin_ns = out.windows_begin_ns();
  harm.end_ns = out.windows_end_ns();
  harm.slow = true;
  harm.loss = {.mean_rate = 0.5, .mean_error = 0.01, .lost_s = count / 2, .known_s = count};
  out.harm = harm;
  out.severity = attribute::severity_of(out);
  return out;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> ends_of(const std::vector<Finding>& findings) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  for (const auto& one : findings) {
    out.emplace_back(one.windows.front().span.id.value(), one.windows.back().span.id.value());
  }
  return out;
}

TEST(JudgedParts, AFindingIsToldByThePartThatOwnsItsBegin) {
  std::vector<Finding> run;
  add_findings({finding(10, 20), finding(95, 98)}, {0, 90}, run);
  EXPECT_THAT(ends_of(run), ElementsAre(std::pair(10, 20)));
  add_findings({finding(82, 84), finding(95, 99), finding(120, 130)}, {90, 200}, run);
  EXPECT_THAT(ends_of(run), ElementsAre(std::pair(10, 20), std::pair(95, 99), std::pair(120, 130)));
}

TEST(JudgedParts, WhatGoesOnAcrossABorderIsToldByThePartThatSawItWhole) {
  std::vector<Finding> run;
  add_findings({finding(85, 99)}, {0, 90}, run);  // the part ended
  add_findings({finding(86, 110)}, {90, 200}, run);
  EXPECT_THAT(ends_of(run), ElementsAre(std::pair(86, 110)));
  EXPECT_DOUBLE_EQ(run[0].harm->loss.lost_s, 12.5);
}

TEST(JudgedParts, WhatNoPartSawWholeIsOneFindingOfBoth) {
  std::vector<Finding> run;
  add_findings({finding(40, 99)}, {0, 90}, run);
  add_findings({finding(80, 139)}, {90, 200}, run);
  EXPECT_THAT(ends_of(run), ElementsAre(std::pair(40, 139)));
  EXPECT_EQ(run[0].windows.size(), 100u);
  EXPECT_DOUBLE_EQ(run[0].harm->loss.lost_s, 50);
  EXPECT_DOUBLE_EQ(run[0].severity.seconds, 50);
  EXPECT_EQ(run[0].harm->end_ns, 142 * kSecond_ns);
}

TEST(JudgedParts, TwoOfOnePartStayTwoAndSoDoOtherSubsystems) {
  std::vector<Finding> run;
  add_findings({finding(40, 50), finding(51, 60)}, {0, 90}, run);
  auto other = finding(80, 95);
  other.subsystems = {};
  other.subsystems[static_cast<std::size_t>(model::Subsystem::kMemory)] = 1;
  add_findings({finding(85, 92)}, {0, 90}, run);
  add_findings({other}, {90, 200}, run);
  EXPECT_EQ(run.size(), 4u);
}

work::JobRate job(std::int64_t first_s, std::int64_t last_s, double rate) {
  work::JobRate out;
  out.job = "cg=/train";
  for (auto s = first_s; s <= last_s; ++s) {
    out.begin_ns.push_back(s * kSecond_ns);
    out.end_ns.push_back((s + 1) * kSecond_ns);
    out.rate.push_back(rate);
  }
  return out;
}

TEST(JudgedParts, TheRateOfAJobGoesOnFromPartToPart) {
  constexpr auto kEnd = std::numeric_limits<std::int64_t>::max();
  work::JobRate unknown;
  unknown.not_known = "no two counters of work move together";
  std::vector<work::JobRate> run;
  add_jobs({unknown}, 0, 5 * kSecond_ns, run);
  ASSERT_EQ(run.size(), 1u);
  EXPECT_FALSE(run[0].is_known());
  add_jobs({job(3, 12, 1)}, 5 * kSecond_ns, 10 * kSecond_ns, run);
  add_jobs({job(8, 15, 0.5)}, 10 * kSecond_ns, kEnd, run);
  add_jobs({unknown}, kEnd, kEnd, run);
  ASSERT_EQ(run.size(), 1u);
  ASSERT_EQ(run[0].rate.size(), 11u);  // 5 to 15
  EXPECT_THAT(run[0].rate, ElementsAre(1, 1, 1, 1, 1, .5, .5, .5, .5, .5, .5));
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_EQ(run[0].begin_ns[i], static_cast<std::int64_t>(5 + i) * kSecond_ns);
  }
}

}  // namespace
}  // namespace reveal::pipeline
