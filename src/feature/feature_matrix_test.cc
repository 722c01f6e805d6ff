#include "feature/feature_matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::feature {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void add_column(FeatureMatrix& matrix) {
  matrix.add_column({model::ChannelId(matrix.column_count()), FeatureId(0)});
}

TEST(FeatureMatrix, HoldsWhatChangesAndWhatDoesNot) {
  FeatureMatrix matrix;
  add_column(matrix);
  add_column(matrix);
  for (int row = 0; row < 5; ++row) matrix.add_row({}) = {7, row < 3 ? 1.0 : 2.0 + row};
  ASSERT_EQ(matrix.row_count(), 5u);
  for (std::size_t row = 0; row < 5; ++row) EXPECT_EQ(matrix.at(row, 0), 7);
  EXPECT_EQ(matrix.at(2, 1), 1);
  EXPECT_EQ(matrix.at(3, 1), 5);
  EXPECT_EQ(matrix.at(4, 1), 6);
}

TEST(FeatureMatrix, RowsBeforeAColumnCameAreUndefinedInIt) {
  FeatureMatrix matrix;
  add_column(matrix);
  matrix.add_row({}) = {1};
  matrix.add_row({}) = {2};
  add_column(matrix);
  EXPECT_TRUE(std::isnan(matrix.at(0, 1)));
  EXPECT_TRUE(std::isnan(matrix.at(1, 1)));
  matrix.add_row({}) = {3, 30};
  EXPECT_TRUE(std::isnan(matrix.at(1, 1)));
  EXPECT_EQ(matrix.at(2, 1), 30);
  matrix.add_row({}) = {4, 30};
  EXPECT_TRUE(std::isnan(matrix.at(1, 1)));
  EXPECT_EQ(matrix.at(2, 1), 30);
  EXPECT_EQ(matrix.at(3, 1), 30);
}

TEST(FeatureMatrix, ARowThatIsNotFilledIsUndefined) {
  FeatureMatrix matrix;
  add_column(matrix);
  matrix.add_row({});
  EXPECT_TRUE(std::isnan(matrix.at(0, 0)));
}

TEST(FeatureMatrix, ItsLastRowMayBeForgottenToo) {
  FeatureMatrix matrix;
  add_column(matrix);
  matrix.add_row({}) = {1};
  matrix.add_row({}) = {2};
  matrix.drop_first(2);
  EXPECT_EQ(matrix.row_count(), 0u);
  matrix.add_row({}) = {3};
  matrix.add_row({}) = {3};
  EXPECT_EQ(matrix.at(0, 0), 3);
  EXPECT_EQ(matrix.at(1, 0), 3);
}

// 10,000 channels one after the other, each there for 10 windows of the 600 that are kept.
TEST(FeatureMatrix, AChannelThatWentCostsTheWindowsInWhichItWasThere) {
  constexpr std::size_t kKept = 600;
  constexpr std::size_t kLife = 10;
  constexpr std::size_t kAtOnce = 100;
  FeatureMatrix matrix;
  std::size_t most = 0;
  for (std::size_t window = 0; window < 1000; ++window) {
    if (window % kLife == 0) {
      for (std::size_t i = 0; i < kAtOnce; ++i) add_column(matrix);
    }
    auto& row = matrix.add_row({});
    for (std::size_t i = row.size() - kAtOnce; i < row.size(); ++i) {
      row[i] = static_cast<double>(window + i);
    }
    if (matrix.row_count() >= kKept + 60) matrix.drop_first(matrix.row_count() - kKept);
    if (window % 16 == 0) most = std::max(most, matrix.value_count());
  }
  ASSERT_EQ(matrix.column_count(), 10'000u);
  // What lived in the rows that are kept, and the newest rows, which have a value for each column.
  EXPECT_LE(most, (kKept + 60) * kAtOnce * 5 / 4 + 16 * matrix.column_count());
  EXPECT_EQ(matrix.at(matrix.row_count() - 1, 9'999), 10'998);
}

// Against rows that are kept as they came: columns that stand still for long, that move, and that
// come later; NaNs of two meanings; rows forgotten now and then.
TEST(FeatureMatrix, AgreesWithPlainRows) {
  const double other_nan = std::bit_cast<double>(std::bit_cast<std::uint64_t>(kNan) + 1);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    base::Rng rng(seed);
    FeatureMatrix matrix;
    std::vector<std::vector<double>> plain;
    for (int step = 0; step < 200; ++step) {
      if (rng.below(10) == 0) add_column(matrix);
      auto& row = matrix.add_row({window::WindowId(static_cast<std::uint32_t>(step)), 0, 0, 0, 0});
      for (std::size_t i = 0; i < row.size(); ++i) {
        const auto kind = rng.below(40 * (i % 3) + 1);
        if (i % 3 == 0 || kind > 3) row[i] = static_cast<double>(i);
        if (kind == 1) row[i] = other_nan;
        if (kind == 2) row[i] = static_cast<double>(step);
      }
      plain.push_back(row);
      if (rng.below(20) == 0) {
        const auto rows = rng.below(plain.size() + 1);
        matrix.drop_first(rows);
        plain.erase(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(rows));
      }
      ASSERT_EQ(matrix.row_count(), plain.size());
      for (std::size_t r = 0; r < plain.size(); ++r) {
        for (std::size_t c = 0; c < matrix.column_count(); ++c) {
          const double expected = c < plain[r].size() ? plain[r][c] : kNan;
          ASSERT_EQ(std::bit_cast<std::uint64_t>(matrix.at(r, c)),
                    std::bit_cast<std::uint64_t>(expected));
        }
      }
    }
  }
}

}  // namespace
}  // namespace reveal::feature
