#include "feature/first_rows.h"

namespace reveal::feature {

FeatureMatrix first_rows(const FeatureMatrix& of, std::size_t rows) {
  FeatureMatrix out;
  const std::size_t columns = of.column_count();
  for (std::size_t column = 0; column < columns; ++column) out.add_column(of.column(column));
  for (std::size_t row = 0; row < rows; ++row) {
    auto& values = out.add_row(of.window(row));
    for (std::size_t column = 0; column < columns; ++column) {
      values[column] = of.at(row, column);
    }
  }
  return out;
}

}  // namespace reveal::feature
