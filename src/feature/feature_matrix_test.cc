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

// More rows than it takes at a time, and a column that came in their midst.
TEST(FeatureMatrix, WithoutRowsTheOthersAreTheSame) {
  FeatureMatrix matrix;
  add_column(matrix);
  std::vector<bool> gone;
  for (int row = 0; row < 50; ++row) {
    if (row == 30) add_column(matrix);
    auto& values = matrix.add_row({.id = {}, .begin_ns = row, .end_ns = row + 3});
    values[0] = row;
    if (row >= 30) values[1] = 2 * row;
    gone.push_back(row % 7 == 3 || (row > 20 && row < 35));
  }
  const auto left = matrix.without_rows(gone);
  std::size_t at = 0;
  for (std::size_t row = 0; row < 50; ++row) {
    if (gone[row]) continue;
    EXPECT_EQ(left.window(at).begin_ns, matrix.window(row).begin_ns);
    EXPECT_EQ(left.at(at, 0), matrix.at(row, 0));
    EXPECT_TRUE(row < 30 ? std::isnan(left.at(at, 1)) : left.at(at, 1) == matrix.at(row, 1));
    ++at;
  }
  EXPECT_EQ(left.row_count(), at);
  EXPECT_EQ(left.column_count(), 2u);
}

TEST(FeatureMatrix, WithoutItsLastRowsTheFirstAreThoseOfTheMatrix) {
  base::Rng rng(3);
  FeatureMatrix matrix;
  add_column(matrix);
  for (std::size_t row = 0; row < 50; ++row) {
    if (row == 20) add_column(matrix);
    window::WindowSpan span;
    span.id = window::WindowId(row);
    for (auto& value : matrix.add_row(span)) value = rng.uniform();
  }
  for (const std::size_t count : {0U, 10U, 33U, 50U}) {
    std::vector<bool> gone(50);
    std::fill(gone.begin() + static_cast<std::ptrdiff_t>(count), gone.end(), true);
    const auto first = matrix.without_rows(gone);
    ASSERT_EQ(first.row_count(), count);
    ASSERT_EQ(first.column_count(), 2U);
    EXPECT_EQ(first.column(1), matrix.column(1));
    for (std::size_t row = 0; row < count; ++row) {
      EXPECT_EQ(first.window(row).id, matrix.window(row).id);
      for (std::size_t column = 0; column < 2; ++column) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(first.at(row, column)),
                  std::bit_cast<std::uint64_t>(matrix.at(row, column)));
      }
    }
  }
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
  // What lived in the rows that are kept, and the last row, which has a value for each column.
  EXPECT_LE(most, (kKept + 60 + 16) * kAtOnce * 5 / 4 + matrix.column_count());
  EXPECT_EQ(matrix.at(matrix.row_count() - 1, 9'999), 10'998);
}

// It was there in the first row: what it is then is not what it is in most.
TEST(FeatureMatrix, AChannelThatWasThereFromTheFirstWindowOnCostsTheSame) {
  constexpr std::size_t kLife = 40;
  constexpr std::size_t kColumns = 100;
  FeatureMatrix matrix;
  for (std::size_t i = 0; i < kColumns; ++i) add_column(matrix);
  for (std::size_t window = 0; window < 400; ++window) {
    auto& row = matrix.add_row({});
    if (window < kLife) row.assign(kColumns, 7);
  }
  EXPECT_LE(matrix.value_count(), (kLife + 1) * kColumns);
  for (const std::size_t column : {std::size_t{0}, kColumns - 1}) {
    EXPECT_EQ(matrix.at(0, column), 7);
    EXPECT_EQ(matrix.at(kLife - 1, column), 7);
    EXPECT_TRUE(std::isnan(matrix.at(kLife, column)));
    EXPECT_TRUE(std::isnan(matrix.at(399, column)));
  }
}

std::size_t defined_in(const FeatureMatrix& matrix, std::size_t column) {
  std::size_t out = 0;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    if (std::isfinite(matrix.at(row, column))) ++out;
  }
  return out;
}

// Channels that are there for the first windows, for some in the midst, for the last, and for all.
TEST(FeatureMatrix, WithoutRareColumnsTheOthersAreTheSame) {
  constexpr std::size_t kRows = 100;
  for (const std::size_t rows_of_columns : {std::size_t{0}, std::size_t{3}, std::size_t{13}}) {
    FeatureMatrix matrix;
    for (std::size_t i = 0; i < 40; ++i) add_column(matrix);
    for (std::size_t row = 0; row < kRows + rows_of_columns; ++row) {
      auto& values = matrix.add_row({window::WindowId(row), 0, 0, row, 0});
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t begin = i % 4 * 20;
        const std::size_t end = i % 5 == 0 ? kRows * 2 : begin + 7 * i;
        if (row >= begin && row < end) values[i] = static_cast<double>(i % 3 == 0 ? 5 : row);
      }
    }
    const auto left = matrix.without_rare(kRows / 2);
    EXPECT_LT(left.column_count(), 36u);
    EXPECT_LT(left.value_count(), matrix.value_count());
    ASSERT_EQ(left.row_count(), matrix.row_count());
    std::size_t place = 0;
    for (std::size_t column = 0; column < matrix.column_count(); ++column) {
      const bool is_there =
          place < left.column_count() && left.column(place) == matrix.column(column);
      ASSERT_TRUE(is_there || defined_in(matrix, column) < kRows / 2) << column;
      if (!is_there) continue;
      for (std::size_t row = 0; row < matrix.row_count(); ++row) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(left.at(row, place)),
                  std::bit_cast<std::uint64_t>(matrix.at(row, column)));
      }
      ++place;
    }
    EXPECT_EQ(place, left.column_count());
    EXPECT_EQ(left.window(kRows - 1).id, matrix.window(kRows - 1).id);
  }
}

bool is_near(double value, double expected) {
  if (std::isnan(expected)) return std::isnan(value) && !SparseRow::is_absent(value);
  return std::abs(value - expected) < 1e-4;
}

// Against rows that are kept as they came: columns that stand still for long, that move, and that
// come later, that go and come back; NaNs of two meanings; rows forgotten now and then.
void expect_plain_rows(Precision precision) {
  const double other_nan = std::bit_cast<double>(std::bit_cast<std::uint64_t>(kNan) + 1);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    base::Rng rng(seed);
    FeatureMatrix matrix(precision);
    std::vector<std::vector<double>> plain;
    for (int step = 0; step < 200; ++step) {
      if (rng.below(10) == 0) add_column(matrix);
      auto& row = matrix.add_row({window::WindowId(static_cast<std::uint32_t>(step)), 0, 0, 0, 0});
      for (std::size_t i = 0; i < row.size(); ++i) {
        const auto kind = rng.below(40 * (i % 3) + 1);
        if (i % 4 == 0 && step / 45 % 2 == 1) continue;
        if (i % 3 == 0 || kind > 3) row[i] = static_cast<double>(i) / 3;
        if (kind == 1) row[i] = other_nan;
        if (kind == 2) row[i] = static_cast<double>(step) / 3;
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
          if (precision == Precision::kRounded && !SparseRow::is_absent(expected)) {
            // 200 thirds, rounded anew each time that rows go.
            ASSERT_PRED2(is_near, matrix.at(r, c), expected);
            continue;
          }
          ASSERT_EQ(std::bit_cast<std::uint64_t>(matrix.at(r, c)),
                    std::bit_cast<std::uint64_t>(expected));
        }
      }
    }
  }
}

TEST(FeatureMatrix, AgreesWithPlainRows) {
  expect_plain_rows(Precision::kExact);
}

TEST(FeatureMatrix, RoundedItAgreesNearly) {
  expect_plain_rows(Precision::kRounded);
}

}  // namespace
}  // namespace reveal::feature
