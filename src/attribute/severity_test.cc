#include "attribute/severity.h"

#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

// By hand: sqrt(9) * 0.25 * 0.5 * log2(8).
TEST(Severity, IsEffectOutliersAgreementAndTime) {
  EXPECT_NEAR(severity({9, 0.15, 0.5}, 7), 3 * 0.25 * 0.5 * 3, 1e-12);
}

TEST(Severity, GrowsWithEachPart) {
  const double usual = severity({4, 0.1, 0.5}, 5);
  EXPECT_GT(severity({5, 0.1, 0.5}, 5), usual);
  EXPECT_GT(severity({4, 0.2, 0.5}, 5), usual);
  EXPECT_GT(severity({4, 0.1, 0.6}, 5), usual);
  EXPECT_GT(severity({4, 0.1, 0.5}, 6), usual);
}

TEST(Severity, OfWhatIsBeyondAllMeasureIsNoHigher) {
  EXPECT_EQ(severity({25, 0.1, 0.5}, 5), severity({1e9, 0.1, 0.5}, 5));
}

TEST(Severity, IsNothingOnlyWithoutVotes) {
  EXPECT_GT(severity({0.5, 0, 0.3}, 3), 0);
  EXPECT_EQ(severity({4, 0.1, 0}, 5), 0);
}

}  // namespace
}  // namespace reveal::attribute
