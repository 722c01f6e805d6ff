// Which flagged windows belong together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "feature/feature_matrix.h"

namespace reveal::attribute {

// Returns the rows whose agreement is at least `min_agreement`, as groups in time order: a row
// joins the group before it when its window overlaps or touches the last one of that group in time.
std::vector<std::vector<std::size_t>> merge_flagged(const feature::FeatureMatrix& matrix,
                                                    std::span<const int> agreement,
                                                    int min_agreement);

}  // namespace reveal::attribute
