#include "feature/column_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "feature/sparse_row.h"
#include "model/absence.h"

namespace reveal::feature {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();

TEST(ColumnValues, RoundedOnesTakeHalfOfTheMemory) {
  const std::vector<double> values(600, 0.1);
  ColumnValues exact(Precision::kExact);
  ColumnValues rounded(Precision::kRounded);
  exact.add(values);
  rounded.add(values);
  EXPECT_EQ(exact.value_count(), 675U);
  EXPECT_EQ(rounded.value_count(), 338U);
  EXPECT_EQ(rounded[599], 0.1);  // the first, and what is as the first, is exact
  EXPECT_TRUE(rounded.is_one());
}

TEST(ColumnValues, WhatIsNoNumberStaysWhatItIs) {
  ColumnValues rounded(Precision::kRounded);
  const std::vector<double> values{SparseRow::kAbsent, kInfinity, -kInfinity, model::not_due(), 5.0,
                                   kLargest / 2,       kInfinity, -kLargest};
  rounded.add(values);
  EXPECT_TRUE(SparseRow::is_absent(rounded[0]));
  EXPECT_EQ(rounded[1], kInfinity);
  EXPECT_EQ(rounded[2], -kInfinity);
  EXPECT_TRUE(model::is_not_due(rounded[3]));
  EXPECT_EQ(rounded[4], 5.0);
  EXPECT_GT(rounded[5], 1e38);
  EXPECT_EQ(rounded[6], kInfinity);
  EXPECT_LT(rounded[7], -1e38);
  EXPECT_TRUE(std::isfinite(rounded[5]) && std::isfinite(rounded[7]));
  EXPECT_FALSE(rounded.is_one());
}

// A byte count of 256 GiB that grows by 4 KiB a window for some weeks, less or more by a noise of a
// page: the noise of the latest ten minutes is there to a thousandth of it.
TEST(ColumnValues, AGrowingValueIsToldByHowItMovesNow) {
  constexpr std::size_t kKept = 600;
  constexpr double kPage = 4096;
  base::Rng rng(7);
  ColumnValues rounded(Precision::kRounded);
  std::vector<double> plain;
  for (int window = 0; window < 200'000; ++window) {
    plain.push_back(256.0 * 1024 * 1024 * 1024 + kPage * window + kPage * rng.uniform());
    rounded.add(1, plain.back());
    if (plain.size() < kKept + 60) continue;
    rounded.drop_first(60);
    plain.erase(plain.begin(), plain.begin() + 60);
  }
  ASSERT_EQ(rounded.size(), plain.size());
  double farthest = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    farthest = std::max(farthest, std::abs(rounded[i] - plain[i]));
  }
  EXPECT_LT(farthest, kPage / 1000);
  EXPECT_GT(farthest, 0);
}

TEST(ColumnValues, WhatIsForgottenLeavesNoRoomBehind) {
  for (const auto precision : {Precision::kExact, Precision::kRounded}) {
    ColumnValues values(precision);
    for (int i = 0; i < 1000; ++i) values.add(1, i);
    values.drop_first(990);
    ASSERT_EQ(values.size(), 10U);
    EXPECT_EQ(values[0], 990);
    EXPECT_EQ(values[9], 999);
    EXPECT_LE(values.value_count(), 10U);
    values.drop_first(10);
    EXPECT_TRUE(values.empty());
    EXPECT_EQ(values.value_count(), 0U);
    values.add(2, 7);
    EXPECT_EQ(values[1], 7);
  }
}

}  // namespace
}  // namespace reveal::feature
