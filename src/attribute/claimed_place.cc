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
  std::optional<ClaimedPlace> seen;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    const auto id = matrix.window(row).id;
    const bool is_it = matrix.at(row, *column) == finding.telling->observed;
    if (!is_it && id != finding.telling->seen_in) continue;
    if (!has_window(finding, id)) continue;
    const ClaimedPlace place{.row = row, .column = *column, .evidence = *finding.telling};
    if (is_it) return place;
    seen = place;
  }
  return seen;
}

}  // namespace reveal::attribute
