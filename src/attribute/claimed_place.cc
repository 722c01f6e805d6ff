#include "attribute/claimed_place.h"

#include <algorithm>

namespace reveal::attribute {
namespace {

std::optional<std::size_t> column_of(const feature::FeatureMatrix& matrix,
                                     const feature::FeatureKey& key) {
  for (std::size_t column = 0; column < matrix.column_count(); ++column) {
    if (matrix.column(column) == key) return column;
  }
  return std::nullopt;
}

bool has_window(const Finding& finding, window::WindowId id) {
  return std::any_of(finding.windows.begin(), finding.windows.end(),
                     [&](const FlaggedWindow& window) { return window.span.id == id; });
}

}  // namespace

std::optional<ClaimedPlace> claimed_place(const Finding& finding,
                                          const feature::FeatureMatrix& matrix) {
  if (!finding.telling) return std::nullopt;
  const auto column = column_of(matrix, finding.telling->key);
  if (!column) return std::nullopt;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    const bool is_it = matrix.at(row, *column) == finding.telling->observed;
    if (is_it && has_window(finding, matrix.window(row).id)) {
      return ClaimedPlace{.row = row, .column = *column, .evidence = *finding.telling};
    }
  }
  return std::nullopt;
}

}  // namespace reveal::attribute
