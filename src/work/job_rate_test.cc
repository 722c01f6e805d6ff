#include "work/job_rate.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace reveal::work {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

JobRate job_of(const std::vector<double>& rates) {
  JobRate out;
  out.rate = rates;
  out.block_error = 0.1;
  out.bias_error = 0.05;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    out.begin_ns.push_back(static_cast<std::int64_t>(i) * kSecond_ns);
    out.end_ns.push_back(static_cast<std::int64_t>(i + 1) * kSecond_ns);
  }
  return out;
}

TEST(Lost, IsTheUsualLessWhatWasDone) {
  const auto job = job_of({1, 1, 0.5, 0.5, std::numeric_limits<double>::quiet_NaN(), 1});
  // Half of block 1 at 1, blocks 2 and 3 at 0.5; half of block 4 is not known.
  const auto loss = lost(job, kSecond_ns * 3 / 2, kSecond_ns * 9 / 2);
  ASSERT_TRUE(loss);
  EXPECT_DOUBLE_EQ(loss->known_s, 2.5);
  EXPECT_DOUBLE_EQ(loss->mean_rate, 1.5 / 2.5);
  EXPECT_DOUBLE_EQ(loss->lost_s, 1.0);
  // The root of 0.1^2 / 2.5 + 0.05^2.
  EXPECT_NEAR(loss->mean_error, 0.0806226, 1e-6);
  EXPECT_NEAR(loss->lost_error_s, 2.5 * 0.0806226, 1e-6);
}

TEST(Lost, IsNegativeIfMoreWasDone) {
  const auto loss = lost(job_of({1, 1.2, 1.2, 1}), kSecond_ns, 3 * kSecond_ns);
  ASSERT_TRUE(loss);
  EXPECT_NEAR(loss->lost_s, -0.4, 1e-12);
}

TEST(Lost, IsNotKnownWithoutARate) {
  const auto job = job_of({1, std::numeric_limits<double>::quiet_NaN(), 1});
  EXPECT_FALSE(lost(job, kSecond_ns, 2 * kSecond_ns));
  EXPECT_FALSE(lost(job, 5 * kSecond_ns, 6 * kSecond_ns));
}

}  // namespace
}  // namespace reveal::work
