#include "stats/exponential_tail.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::stats {
namespace {

// The quantiles of an exponential distribution at the middles of n equal shares.
std::vector<double> exponential(double scale, int n) {
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(-scale * std::log1p(-(i + 0.5) / n));
  return out;
}

std::vector<double> below(std::vector<double> values, double cut) {
  values.erase(std::lower_bound(values.begin(), values.end(), cut), values.end());
  return values;
}

TEST(ExponentialTail, KnowsTheScaleOfWhatItWasMadeOf) {
  const auto tail = exponential_tail(exponential(0.1, 100'000), 0.5, 100);
  ASSERT_TRUE(tail);
  EXPECT_NEAR(tail->scale, 0.1, 1e-4);
  EXPECT_NEAR(tail->from, 0.1 * std::log(2), 1e-6);
  EXPECT_NEAR(tail->count, 50'000, 1);
  // One in e^5 of all lies beyond five scales.
  EXPECT_NEAR(tail->expected_beyond(0.5), 100'000 * std::exp(-5), 2);
}

TEST(ExponentialTail, KnowsItTooWhereTheHighestWereTakenAway) {
  const auto whole = exponential(0.1, 100'000);
  const auto tail = exponential_tail(below(whole, 0.2), 0.2, 0.2);
  ASSERT_TRUE(tail);
  EXPECT_NEAR(tail->scale, 0.1, 5e-4);
  EXPECT_NEAR(tail->expected_beyond(0.2), 100'000 * std::exp(-2), 300);
}

// The scale is where the likelihood of a cut-off exponential has its maximum.
TEST(ExponentialTail, IsTheLikeliest) {
  base::Rng rng(7);
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) values.push_back(-0.3 * std::log1p(-rng.uniform()));
  std::sort(values.begin(), values.end());
  values = below(values, 0.7);
  const auto tail = exponential_tail(values, 0.5, 0.7);
  ASSERT_TRUE(tail);
  const auto likelihood = [&](double scale) {
    double out = 0;
    for (const double value : values) {
      if (value <= tail->from) continue;
      out -= (value - tail->from) / scale + std::log(scale) +
             std::log(-std::expm1(-(0.7 - tail->from) / scale));
    }
    return out;
  };
  EXPECT_GT(likelihood(tail->scale), likelihood(tail->scale * 1.01));
  EXPECT_GT(likelihood(tail->scale), likelihood(tail->scale / 1.01));
}

TEST(ExponentialTail, SaysNothingOfWhatItCannotKnow) {
  const std::vector<double> few{0, 0, 0, 0, 0, 0.1, 0.2, 0.3, 0.4};
  EXPECT_FALSE(exponential_tail(few, 0.5, 1));
  std::vector<double> more_and_more;
  for (int i = 0; i < 100; ++i) more_and_more.push_back(std::sqrt(i / 100.0));
  EXPECT_FALSE(exponential_tail(more_and_more, 0.5, 1));
  EXPECT_FALSE(exponential_tail(more_and_more, 0.5, 0.3));
  EXPECT_FALSE(exponential_tail(std::vector<double>(50, 0.2), 0.5, 1));
  EXPECT_FALSE(exponential_tail({}, 0.5, 1));
}

}  // namespace
}  // namespace reveal::stats
