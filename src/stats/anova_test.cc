#include "stats/anova.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::stats {
namespace {

using testing::DoubleNear;
using testing::IsNan;

using Groups = std::vector<std::vector<double>>;

// Shells of the mussel Mytilus trossulus from five places (McDonald, Seeb and Koehn, 1991): F =
// 7.1210194716424473 and p = 0.00028122423145345439 are the doc string's of scipy.stats.f_oneway.
TEST(Anova, MusselsOfFivePlaces) {
  const Groups places{
      {0.0571, 0.0813, 0.0831, 0.0976, 0.0817, 0.0859, 0.0735, 0.0659, 0.0923, 0.0836},
      {0.0873, 0.0662, 0.0672, 0.0819, 0.0749, 0.0649, 0.0835, 0.0725},
      {0.0974, 0.1352, 0.0817, 0.1016, 0.0968, 0.1064, 0.105},
      {0.1033, 0.0915, 0.0781, 0.0685, 0.0677, 0.0697, 0.0764, 0.0689},
      {0.0703, 0.1026, 0.0956, 0.0973, 0.1039, 0.1045}};
  const auto found = one_way_anova(places);
  EXPECT_EQ(found.groups, 5U);
  EXPECT_EQ(found.count, 39U);
  EXPECT_THAT(found.f, DoubleNear(7.1210194716424473, 1e-11));
  EXPECT_THAT(found.p, DoubleNear(0.00028122423145345439, 1e-15));
}

// By hand: means 2 and 5 about 3.5, so 2 * 3 * 1.5^2 = 13.5 between and 4 within, with 1 and 4
// degrees of freedom. F is the square of Student's t, here sqrt(13.5).
TEST(Anova, OfTwoGroupsByHand) {
  for (const double far : {0.0, 1e9}) {
    const auto found = one_way_anova(Groups{{far + 1, far + 2, far + 3},  //
                                            {},
                                            {far + 4, far + 5, far + 6}});
    EXPECT_EQ(found.groups, 2U);
    EXPECT_THAT(found.f, DoubleNear(13.5, 1e-12));
    EXPECT_THAT(found.eta2, DoubleNear(13.5 / 17.5, 1e-14));
    // P(|T| >= t) with 4 degrees of freedom: 1 - s (3 - s^2) / 2, s = t / sqrt(t^2 + 4).
    const double s = std::sqrt(13.5 / 17.5);
    EXPECT_THAT(found.p, DoubleNear(1 - s * (3 - s * s) / 2, 1e-14));
  }
}

TEST(Anova, NothingVariesWithinGroupsOrAtAll) {
  const auto apart = one_way_anova(Groups{{0.1, 0.1, 0.1}, {0.3, 0.3}});
  EXPECT_EQ(apart.f, std::numeric_limits<double>::infinity());
  EXPECT_EQ(apart.p, 0);
  EXPECT_EQ(apart.eta2, 1);
  const auto equal = one_way_anova(Groups{{0.1, 0.1, 0.1}, {0.1, 0.1}});
  EXPECT_THAT(equal.f, IsNan());
  EXPECT_THAT(equal.p, IsNan());
  EXPECT_THAT(equal.eta2, IsNan());
}

TEST(Anova, TooFewSamplesSayNothing) {
  for (const auto& groups : {Groups{}, Groups{{1, 2, 3}}, Groups{{1}, {2}, {5}}}) {
    EXPECT_THAT(one_way_anova(groups).f, IsNan());
    EXPECT_THAT(one_way_anova(groups).p, IsNan());
  }
}

}  // namespace
}  // namespace reveal::stats
