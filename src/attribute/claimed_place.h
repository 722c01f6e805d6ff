// Where a finding's claim was observed: the window that it cites, and the column.
#pragma once

#include <cstddef>
#include <optional>

#include "attribute/finding.h"
#include "feature/feature_matrix.h"

namespace reveal::attribute {

// The subject of a finding's claim: one feature of one channel, in the window farthest from the
// usual.
struct ClaimedPlace {
  std::size_t row = 0;     // of the matrix
  std::size_t column = 0;  // of the matrix
  Evidence evidence;
};

// Returns the place; nothing if no single metric stands out in the finding, or if the matrix has
// forgotten the window. Only the finding's own windows count: one between them may have the same
// value, but the claim was not made of it, and its verdict is another one. Of several with that
// value it is the first, as where the claim was made (Attributor::compare). If none has it, because
// the matrix has rounded it since (feature/column_values.h), it is the window that the claim names.
std::optional<ClaimedPlace> claimed_place(const Finding& finding,
                                          const feature::FeatureMatrix& matrix);

}  // namespace reveal::attribute
