// Which flagged windows belong together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "feature/feature_matrix.h"

namespace reveal::attribute {

// Returns the rows whose agreement is at least `min_agreement`, as groups in time order: a row
// joins the group before it when no more than a window's length lies between the last one of that
// group and it: a disturbance that comes and goes is one.
std::vector<std::vector<std::size_t>> merge_flagged(const feature::FeatureMatrix& matrix,
                                                    std::span<const int> agreement,
                                                    int min_agreement);

}  // namespace reveal::attribute
