#include "stats/step_fit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::stats {
namespace {

double normal(base::Rng& rng) {
  double sum = -6;  // of twelve uniform numbers: variance 1
  for (int i = 0; i < 12; ++i) sum += rng.uniform();
  return sum;
}

std::vector<double> pulse(std::size_t size, std::size_t begin, std::size_t end, double height,
                          double noise, base::Rng& rng) {
  std::vector<double> out;
  for (std::size_t i = 0; i < size; ++i) {
    out.push_back((i >= begin && i < end ? height : 0) + noise * normal(rng));
  }
  return out;
}

double squares_around_mean(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double out = 0;
  for (const double value : values) out += (value - mean) * (value - mean);
  return out;
}

// The definition: the least sum of squares around two means, the inner one higher.
std::pair<std::size_t, std::size_t> least_squares(std::span<const double> values,
                                                  std::size_t least) {
  std::pair<std::size_t, std::size_t> out{0, 0};
  double best = squares_around_mean(values);
  for (std::size_t from = 0; from < values.size(); ++from) {
    for (std::size_t to = from + least; to <= values.size(); ++to) {
      if (values.size() - (to - from) < least) continue;
      std::vector<double> inside(values.begin() + static_cast<std::ptrdiff_t>(from),
                                 values.begin() + static_cast<std::ptrdiff_t>(to));
      std::vector<double> outside(values.begin(),
                                  values.begin() + static_cast<std::ptrdiff_t>(from));
      outside.insert(outside.end(), values.begin() + static_cast<std::ptrdiff_t>(to), values.end());
      const auto mean = [](const std::vector<double>& of) {
        double sum = 0;
        for (const double value : of) sum += value;
        return sum / static_cast<double>(of.size());
      };
      if (mean(inside) <= mean(outside)) continue;
      const double squares = squares_around_mean(inside) + squares_around_mean(outside);
      if (squares >= best - 1e-9) continue;
      best = squares;
      out = {from, to};
    }
  }
  return out;
}

TEST(StepFit, APulseWithoutNoiseIsFoundToTheSample) {
  base::Rng rng(1);
  for (std::size_t begin = 2; begin < 20; ++begin) {
    for (std::size_t end = begin + 2; end < 30; ++end) {
      const auto values = pulse(40, begin, end, 3, 0, rng);
      const auto found = fit_pulse(values, 2);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->begin, begin);
      EXPECT_EQ(found->end, end);
      EXPECT_NEAR(found->inside, 3, 1e-12);
      EXPECT_NEAR(found->outside, 0, 1e-12);
      EXPECT_NEAR(found->explained, 1, 1e-12);
    }
  }
}

TEST(StepFit, ItIsTheLeastSquaresFitByDefinition) {
  base::Rng rng(2);
  for (int run = 0; run < 30; ++run) {
    const auto values = pulse(24, 8, 15, 1, 0.8, rng);
    const auto found = fit_pulse(values, 2);
    ASSERT_TRUE(found);
    const auto expected = least_squares(values, 2);
    EXPECT_EQ(std::pair(found->begin, found->end), expected);
  }
}

// 0 0 0 4 4: mean 1.6, squares around it 19.2; two levels leave none. 0 2 0 4 4: mean 2, squares
// 16; [3, 5) leaves 8/3 around 2/3.
TEST(StepFit, WhatARiseExplainsIsWorkedOutByHand) {
  const auto sharp = fit_rise(std::vector<double>{0, 0, 0, 4, 4}, 1);
  ASSERT_TRUE(sharp);
  EXPECT_EQ(sharp->begin, 3u);
  EXPECT_EQ(sharp->end, 5u);
  EXPECT_NEAR(sharp->explained, 1, 1e-12);
  const auto blurred = fit_rise(std::vector<double>{0, 2, 0, 4, 4}, 1);
  ASSERT_TRUE(blurred);
  EXPECT_EQ(blurred->begin, 3u);
  EXPECT_NEAR(blurred->outside, 2.0 / 3, 1e-12);
  EXPECT_NEAR(blurred->explained, 1 - (8.0 / 3) / 16, 1e-12);
}

TEST(StepFit, AFallOrALevelThatStaysIsNoRise) {
  EXPECT_FALSE(fit_rise(std::vector<double>{5, 5, 5, 1, 1, 1}, 1));
  EXPECT_FALSE(fit_rise(std::vector<double>(10, 2.0), 1));
  EXPECT_FALSE(fit_pulse(std::vector<double>(10, 2.0), 1));
  EXPECT_FALSE(fit_pulse(std::vector<double>{1, 2, 1}, 2));
  EXPECT_FALSE(fit_pulse(std::vector<double>{}, 1));
}

TEST(StepFit, APulseInNoiseIsFoundToASampleOrTwo) {
  base::Rng rng(3);
  int exact = 0;
  for (int run = 0; run < 200; ++run) {
    const auto values = pulse(150, 60, 90, 1, 0.3, rng);
    const auto found = fit_pulse(values, 3);
    ASSERT_TRUE(found);
    EXPECT_NEAR(static_cast<double>(found->begin), 60, 4);
    EXPECT_NEAR(static_cast<double>(found->end), 90, 4);
    if (found->begin == 60) ++exact;
  }
  EXPECT_GT(exact, 150);
}

TEST(StepFit, NoiseAloneExplainsLittle) {
  base::Rng rng(4);
  for (int run = 0; run < 200; ++run) {
    const auto found = fit_pulse(pulse(150, 0, 0, 0, 1, rng), 3);
    ASSERT_TRUE(found);
    EXPECT_LT(found->explained, 0.25);
  }
}

TEST(StepFit, APulseThatIsStillOnReachesTheEnd) {
  base::Rng rng(5);
  const auto found = fit_pulse(pulse(80, 50, 80, 1, 0.2, rng), 3);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->end, 80u);
  EXPECT_NEAR(static_cast<double>(found->begin), 50, 1);
}

TEST(StepFit, OutliersAreClippedToQuantiles) {
  std::vector<double> values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000};
  clip_outliers(values, 0.1);
  EXPECT_EQ(values.front(), 1);  // numpy.quantile(values, [.1, .9]): 1, 9
  EXPECT_EQ(values.back(), 9);
  EXPECT_EQ(values[5], 5);
  std::vector<double> none;
  clip_outliers(none, 0.1);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace reveal::stats
