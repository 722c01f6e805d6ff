// The values that a column is compared with: those it has in the windows of no finding.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "feature/feature_matrix.h"

namespace reveal::attribute {

// Returns the column's defined values in those rows, in their order.
inline std::vector<double> usual_values(const feature::FeatureMatrix& matrix, std::size_t column,
                                        const std::vector<std::size_t>& rows) {
  std::vector<double> out;
  for (const auto row : rows) {
    if (const double value = matrix.at(row, column); std::isfinite(value)) out.push_back(value);
  }
  return out;
}

}  // namespace reveal::attribute
