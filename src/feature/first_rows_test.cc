#include "feature/first_rows.h"

#include <bit>
#include <cstdint>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::feature {
namespace {

TEST(FirstRows, AreThoseOfTheMatrix) {
  base::Rng rng(3);
  FeatureMatrix matrix;
  matrix.add_column({model::ChannelId(0), FeatureId(0)});
  for (std::size_t row = 0; row < 50; ++row) {
    if (row == 20) matrix.add_column({model::ChannelId(1), FeatureId(0)});
    window::WindowSpan span;
    span.id = window::WindowId(row);
    for (auto& value : matrix.add_row(span)) value = rng.uniform();
  }
  for (const std::size_t count : {0U, 10U, 33U, 50U}) {
    const auto first = first_rows(matrix, count);
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

}  // namespace
}  // namespace reveal::feature
