#include "select/co_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "select/testing/test_series.h"
#include "stats/correlation.h"
#include "stats/moments.h"

namespace reveal::select {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Eigen::MatrixXd matrix(const Series& series) {
  std::vector<std::size_t> all(series.size());
  std::iota(all.begin(), all.end(), 0);
  return co_moments(series).correlations(all);
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
TEST(CoMoments, AgreesWithNumpy) {
  expect_pairs(four_channels(), {0.9779200179282228, -0.7299058218088401, -0.0338556134727194,
                                 -0.7124778902815487, -0.0335950850584718, 0.0512047845944851});
}

// numpy.corrcoef of each pair's common samples.
TEST(CoMoments, TakesTheSamplesThatBothHave) {
  auto series = four_channels();
  series[0][0] = kNan;
  for (std::size_t t = 0; t < 40; t += 4) series[1][t] = std::numeric_limits<double>::infinity();
  for (std::size_t t = 5; t < 9; ++t) series[2][t] = kNan;
  expect_pairs(series, {0.978688477890221, -0.7071055059058862, -0.09391937862787904,
                        -0.710272080969493, -0.08451797727966619, -0.036236560568762});
}

// Over several blocks, with and without gaps, against the plain two-pass formula.
TEST(CoMoments, AgreesWithTheFormulaForOnePair) {
  base::Rng rng(3);
  Series series(7, std::vector<double>(3000));
  for (std::size_t t = 0; t < 3000; ++t) {
    const double common = rng.uniform();
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double own = rng.uniform();
      series[i][t] =
          std::pow(10.0, static_cast<double>(i)) * (common * static_cast<double>(i) + own);
      if (t > 1500 && i % 2 == 0 && rng.below(3) == 0) series[i][t] = kNan;
      if (i == 5 && t % 10 != 0) series[i][t] = kNan;  // on a slower poll class
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

TEST(CoMoments, WhatCannotBeComparedIsNotCorrelated) {
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
}

TEST(CoMoments, StandingStillOverTheCommonSamplesIsNotCorrelation) {
  std::vector<double> step(40, 1e9), half(40, kNan);
  for (std::size_t t = 20; t < 40; ++t) step[t] = 1e9 + 1;
  for (std::size_t t = 0; t < 20; ++t) half[t] = static_cast<double>(t);
  EXPECT_EQ(matrix(Series{step, half})(0, 1), 0.0);
}

TEST(CoMoments, SeesOneStepAndNothingElse) {
  const auto run = co_moments({{kNan, kNan, kNan, kNan},
                               {1e9 + 0.1, kNan, 1e9 + 0.1, 1e9 + 0.1},
                               {1e15, 1e15, 1e15, 1e15 + 1}});
  EXPECT_TRUE(run.is_constant(0));
  EXPECT_TRUE(run.is_constant(1));
  EXPECT_FALSE(run.is_constant(2));
}

// Counters that sit high and move little, over several blocks, against the two-pass formula.
TEST(CoMoments, MeanAndDeviationKeepTheirDigits) {
  base::Rng rng(4);
  Series series(3, std::vector<double>(5000));
  for (std::size_t t = 0; t < 5000; ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      series[i][t] = std::pow(10.0, 5.0 * static_cast<double>(i)) + rng.uniform();
    }
  }
  series[0][0] = 1e4;  // a first sample that is nowhere near the others
  const auto run = co_moments(series);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto moments = stats::moments(series[i]);
    EXPECT_NEAR(run.mean(i) / moments.mean, 1, 1e-11);
    EXPECT_NEAR(run.standard_deviation(i) / moments.standard_deviation(), 1, 1e-9) << i;
  }
}

// Channels that come and go, one after the other: as if each had been missing before and after.
TEST(CoMoments, ChannelsThatComeLaterWereMissingBefore) {
  base::Rng rng(5);
  Series whole(6, std::vector<double>(4000, kNan));
  for (std::size_t t = 0; t < 4000; ++t) {
    const double common = rng.uniform();
    for (std::size_t i = 0; i < whole.size(); ++i) {
      if (t >= 300 * i && t < 4000 - 100 * i) whole[i][t] = common + rng.uniform();
    }
  }
  CoMoments run;
  for (std::size_t t = 0; t < 4000; ++t) {
    std::vector<double> row;
    for (std::size_t i = 0; i < std::min<std::size_t>(whole.size(), t / 300 + 1); ++i) {
      row.push_back(whole[i][t]);
    }
    run.add(row);
  }
  run.settle();
  const std::vector<std::size_t> all{0, 1, 2, 3, 4, 5};
  const auto r = run.correlations(all);
  for (Eigen::Index i = 0; i < 6; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      const auto& a = whole[static_cast<std::size_t>(i)];
      const auto& b = whole[static_cast<std::size_t>(j)];
      EXPECT_NEAR(r(i, j), stats::correlation(a, b), 1e-10) << i << "," << j;
    }
  }
}

// Nothing depends on how the ticks fell into blocks but rounding.
TEST(CoMoments, SettlingOftenChangesNothing) {
  base::Rng rng(6);
  const Series series = four_channels();
  CoMoments run;
  for (std::size_t t = 0; t < 40; ++t) {
    run.add(std::vector{series[0][t], series[1][t], series[2][t], series[3][t]});
    if (rng.below(4) == 0) run.settle();
  }
  run.settle();
  const std::vector<std::size_t> all{0, 1, 2, 3};
  EXPECT_TRUE(run.correlations(all).isApprox(matrix(series), 1e-12));
}

TEST(CoMoments, HugeSamplesMakeNoNumberThatIsNone) {
  const auto r = matrix(
      {{1e300, -1e300, 1e300, 2e300, 1e300, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 11}});
  EXPECT_TRUE(r.allFinite());
}

}  // namespace
}  // namespace reveal::select
