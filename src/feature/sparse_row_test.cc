#include "feature/sparse_row.h"

#include <array>
#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::feature {
namespace {

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

TEST(SparseRow, HoldsStretchesOfValues) {
  constexpr double kNone = SparseRow::kAbsent;
  const std::vector<double> values{1, kNone, 3, kNone, kNone, kNone, kNone, kNone, 9, 10};
  const SparseRow row(values);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(bits(row.at(i)), bits(values[i])) << i;
  EXPECT_EQ(bits(row.at(10)), bits(kNone));
  EXPECT_LE(row.value_count(), 5u + 2u);
}

TEST(SparseRow, OfAbsentValuesItIsEmpty) {
  const std::vector<double> none(1000, SparseRow::kAbsent);
  const SparseRow row(none);
  EXPECT_EQ(row.value_count(), 0u);
  EXPECT_TRUE(SparseRow::is_absent(row.at(0)));
  EXPECT_TRUE(SparseRow::is_absent(SparseRow(std::span<const double>()).at(0)));
}

// Against the values, with NaNs of another meaning among them, any part of them read at once.
TEST(SparseRow, AgreesWithItsValues) {
  const double other_nan = std::bit_cast<double>(bits(SparseRow::kAbsent) + 1);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    base::Rng rng(seed);
    std::vector<double> values(rng.below(100), SparseRow::kAbsent);
    const std::uint64_t mean_length = 1 + rng.below(12);
    bool is_there = false;
    for (auto& value : values) {
      if (rng.below(mean_length) == 0) is_there = !is_there;
      if (is_there) value = rng.below(8) == 0 ? other_nan : static_cast<double>(rng.below(1000));
    }
    const SparseRow row(values);
    const std::size_t first = rng.below(110);
    std::vector<double> part(rng.below(40), 1);
    row.read(first, part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const double expected = first + i < values.size() ? values[first + i] : SparseRow::kAbsent;
      ASSERT_EQ(bits(part[i]), bits(expected)) << seed;
    }
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(bits(row.at(i)), bits(values[i]));
  }
}

TEST(SparseRow, GivesTheRowOfSomeColumns) {
  const std::vector<double> values{1, 2, SparseRow::kAbsent, 4};
  const std::array<std::size_t, 3> columns{3, 2, 0};
  const auto row = SparseRow(values).with_columns(columns);
  EXPECT_EQ(row.at(0), 4);
  EXPECT_TRUE(SparseRow::is_absent(row.at(1)));
  EXPECT_EQ(row.at(2), 1);
}

}  // namespace
}  // namespace reveal::feature
