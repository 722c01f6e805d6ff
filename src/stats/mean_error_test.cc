#include "stats/mean_error.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "stats/student_t.h"

namespace reveal::stats {
namespace {

const std::vector<double> kTen{1, 2, 4, 3, 5, 9, 7, 6, 8, 2};
const std::vector<double> kEight{3, 4, 3, 5, 4, 3, 4, 5};

// By numpy: means of all stretches by np.convolve.
TEST(MeanError, IsNumpys) {
  const auto one = mean_error(kTen, 1);
  EXPECT_DOUBLE_EQ(one.mean, 4.7);
  EXPECT_NEAR(one.error, 0.8698658900466594, 1e-14);
  EXPECT_DOUBLE_EQ(one.freedom, 13.5);
  const auto two = mean_error(kTen, 2);
  EXPECT_NEAR(two.error, 1.052246274510973, 1e-14);
  EXPECT_DOUBLE_EQ(two.freedom, 6);
  const auto three = mean_error(kTen, 3);
  EXPECT_NEAR(three.error, 1.2210456096937494, 1e-14);
  EXPECT_DOUBLE_EQ(three.freedom, 3.5);
}

TEST(MeanError, OfBatchesOfOneIsTheTextbooks) {
  double squares = 0;
  for (const double value : kTen) squares += (value - 4.7) * (value - 4.7);
  EXPECT_NEAR(mean_error(kTen, 1).error, std::sqrt(squares / 9 / 10), 1e-14);
}

TEST(MeanError, OfAConstantIsZeroAndOfTooFewNotKnown) {
  const auto constant = mean_error(std::vector<double>(20, 1e15 + 1), 5);
  EXPECT_EQ(constant.mean, 1e15 + 1);
  EXPECT_EQ(constant.error, 0);
  EXPECT_EQ(half_width(constant, 0.999), 0);
  EXPECT_TRUE(std::isnan(mean_error(kTen, 6).error));
  EXPECT_TRUE(std::isnan(half_width(mean_error(kTen, 6), 0.95)));
  EXPECT_TRUE(std::isnan(mean_error({}, 1).mean));
}

TEST(MeanError, FarFromZeroNothingIsLost) {
  std::vector<double> far = kTen;
  for (double& value : far) value += 1e12;
  EXPECT_NEAR(mean_error(far, 2).error, mean_error(kTen, 2).error, 1e-9);
}

// By scipy.stats.t and Welch's formula.
TEST(MeanError, ADifferenceIsScipys) {
  const auto change = difference(mean_error(kTen, 2), mean_error(kEight, 2));
  EXPECT_NEAR(change.mean, -0.825, 1e-14);
  EXPECT_NEAR(change.error, 1.0825684112698675, 1e-13);
  EXPECT_NEAR(change.freedom, 6.691574913179614, 1e-12);
  EXPECT_NEAR(half_width(change, 0.999), 6.011273098077088, 1e-10);
}

TEST(MeanError, ADifferenceOfWhatIsNotKnownIsNotKnown) {
  const auto change = difference(mean_error(kTen, 6), mean_error(kEight, 2));
  EXPECT_TRUE(std::isnan(change.error));
  EXPECT_TRUE(std::isnan(half_width(change, 0.999)));
}

// Each number is .9 of the last and a random rest, so a textbook error, of batches of one, would
// find a difference in most pairs of alike series.
TEST(MeanError, OfWhatGoesOnAsBeforeHardlyFindsADifference) {
  base::Rng rng(7);
  const auto series = [&rng] {
    std::vector<double> out(600);
    double last = 0;
    for (double& value : out) value = last = 0.9 * last + rng.uniform() - 0.5;
    return out;
  };
  int by_batches = 0;
  int by_textbook = 0;
  constexpr int kPairs = 1000;
  for (int i = 0; i < kPairs; ++i) {
    const auto one = series();
    const auto other = series();
    const auto found = [&](std::size_t batch) {
      const auto change = difference(mean_error(one, batch), mean_error(other, batch));
      return std::abs(change.mean) > half_width(change, 0.999);
    };
    by_batches += found(150) ? 1 : 0;
    by_textbook += found(1) ? 1 : 0;
  }
  EXPECT_LE(by_batches, 5);  // numpy's 3000 pairs: .0003
  EXPECT_GE(by_textbook, 300);
}

// The root of scipy.stats.t.sf; its isf is good to nine digits only.
TEST(StudentT, BeyondIsScipys) {
  EXPECT_NEAR(student_t_beyond(0.05, 10), 2.2281388519862744, 1e-10);
  EXPECT_NEAR(student_t_beyond(0.001, 6), 5.958816178818758, 1e-10);
  EXPECT_NEAR(student_t_beyond(0.001, 9.7), 4.639677883375548, 1e-10);
  EXPECT_NEAR(student_t_beyond(0.5, 1), 1, 1e-10);
  EXPECT_NEAR(student_t_beyond(0.001, 1.5), 82.84744670365761, 1e-8);
}

}  // namespace
}  // namespace reveal::stats
