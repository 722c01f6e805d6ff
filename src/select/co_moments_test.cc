#include "select/correlation_matrix.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "stats/correlation.h"

namespace reveal::select {
namespace {

using Series = std::vector<std::vector<double>>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Eigen::MatrixXd matrix(const Series& series) {
  const std::vector<std::span<const double>> views(series.begin(), series.end());
  return correlation_matrix(views);
}

Series four_channels() {
  Series out(4);
  for (int t = 0; t < 40; ++t) {
    const double a = t * 7 % 11;
    out[0].push_back(a);
    out[1].push_back(3 * a + t * 5 % 7);
    out[2].push_back(-a + t % 3 * 4.0);
    out[3].push_back(t * t % 13 + 1e9);
  }
  return out;
}

void expect_pairs(const Series& series, const std::vector<double>& expected) {
  const auto r = matrix(series);
  std::size_t pair = 0;
  for (Eigen::Index i = 0; i < r.rows(); ++i) {
    EXPECT_EQ(r(i, i), 1.0);
    for (Eigen::Index j = i + 1; j < r.cols(); ++j, ++pair) {
      EXPECT_NEAR(r(i, j), expected[pair], 1e-12) << i << "," << j;
      EXPECT_EQ(r(i, j), r(j, i));
    }
  }
}

// numpy.corrcoef of the same series.
TEST(CorrelationMatrix, AgreesWithNumpy) {
  expect_pairs(four_channels(), {0.9779200179282228, -0.7299058218088401, -0.0338556134727194,
                                 -0.7124778902815487, -0.0335950850584718, 0.0512047845944851});
}

// numpy.corrcoef of each pair's common samples.
TEST(CorrelationMatrix, TakesTheSamplesThatBothHave) {
  auto series = four_channels();
  series[0][0] = kNan;
  for (std::size_t t = 0; t < 40; t += 4) series[1][t] = std::numeric_limits<double>::infinity();
  for (std::size_t t = 5; t < 9; ++t) series[2][t] = kNan;
  expect_pairs(series, {0.978688477890221, -0.7071055059058862, -0.09391937862787904,
                        -0.710272080969493, -0.08451797727966619, -0.036236560568762});
}

// Over several blocks, with and without gaps, against the plain two-pass formula.
TEST(CorrelationMatrix, AgreesWithTheFormulaForOnePair) {
  base::Rng rng(3);
  Series series(7, std::vector<double>(3000));
  for (std::size_t t = 0; t < 3000; ++t) {
    const double common = rng.uniform();
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double own = rng.uniform();
      series[i][t] =
          std::pow(10.0, static_cast<double>(i)) * (common * static_cast<double>(i) + own);
      if (t > 1500 && i % 2 == 0 && rng.below(3) == 0) series[i][t] = kNan;
      if (i == 5 && t % 10 != 0) series[i][t] = kNan;  // on a slower lane
    }
  }
  const auto r = matrix(series);
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NEAR(r(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)),
                  stats::correlation(series[i], series[j]), 1e-10);
    }
  }
}

TEST(CorrelationMatrix, WhatCannotBeComparedIsNotCorrelated) {
  std::vector<double> rising, constant(20, 5.0), few(20, kNan), nothing(20, kNan), late(20, kNan);
  for (int t = 0; t < 20; ++t) rising.push_back(t);
  for (std::size_t t = 0; t + 1 < kMinPairs; ++t) few[t] = rising[t];
  for (std::size_t t = 0; t < kMinPairs; ++t) late[t] = rising[t];
  const auto r = matrix(Series{rising, constant, few, nothing, late});
  EXPECT_EQ(r(0, 1), 0.0);
  EXPECT_EQ(r(0, 2), 0.0);
  EXPECT_EQ(r(0, 3), 0.0);
  EXPECT_NEAR(r(0, 4), 1.0, 1e-12);
  EXPECT_EQ(matrix(Series{}).size(), 0);
  EXPECT_EQ(matrix(Series(3)).rows(), 3);
}

TEST(CorrelationMatrix, StandingStillOverTheCommonSamplesIsNotCorrelation) {
  std::vector<double> step(40, 1e9), half(40, kNan);
  for (std::size_t t = 20; t < 40; ++t) step[t] = 1e9 + 1;
  for (std::size_t t = 0; t < 20; ++t) half[t] = static_cast<double>(t);
  EXPECT_EQ(matrix(Series{step, half})(0, 1), 0.0);
}

TEST(IsConstant, SeesOneStepAndNothingElse) {
  EXPECT_TRUE(is_constant(finite_moments({})));
  EXPECT_TRUE(is_constant(finite_moments(std::vector{kNan, kNan})));
  EXPECT_TRUE(is_constant(finite_moments(std::vector{1e9 + 0.1, kNan, 1e9 + 0.1, 1e9 + 0.1})));
  EXPECT_FALSE(is_constant(finite_moments(std::vector{1e15, 1e15, 1e15 + 1})));
}

}  // namespace
}  // namespace reveal::select
