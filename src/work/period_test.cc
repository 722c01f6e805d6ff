#include "work/period.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::work {
namespace {

// Steps of so many ticks, each up to 3 % longer or shorter; the last tick of each is busy.
std::vector<double> steps_of(double length, std::size_t ticks) {
  base::Rng rng(6);
  std::vector<double> out(ticks, 0.0);
  for (double at = length; at < static_cast<double>(ticks);) {
    out[static_cast<std::size_t>(at)] += 1;
    at += length * (0.97 + 0.06 * rng.uniform());
  }
  return out;
}

TEST(Period, IsTheTimeBetweenSteps) {
  for (const double length : {5.0, 8.0, 12.5, 23.0}) {
    const auto found = period_of(steps_of(length, 600));
    ASSERT_TRUE(found) << length;
    EXPECT_NEAR(*found, length, 0.5) << length;
  }
}

// Of 1.6 ticks a step, every eighth tick looks alike; but that is no period of the job's.
TEST(Period, IsNoBeat) {
  EXPECT_FALSE(period_of(steps_of(1.6, 600)));
  EXPECT_FALSE(period_of(steps_of(0.7, 600)));
}

TEST(Period, IsNoneOfWhatComesAtRandom) {
  base::Rng rng(8);
  std::vector<double> ticks(600);
  for (double& tick : ticks) tick = rng.uniform() < 0.1 ? 1 : 0;
  EXPECT_FALSE(period_of(ticks));
}

TEST(Period, IsNoneOfWhatIsConstantOrShort) {
  EXPECT_FALSE(period_of(std::vector<double>(600, 3.0)));
  EXPECT_FALSE(period_of(std::vector<double>(600, 0.0)));
  EXPECT_FALSE(period_of(steps_of(5, 20)));
}

}  // namespace
}  // namespace reveal::work
