// What was usual before a finding, of channels that may not have been there then.
#pragma once

#include <cstddef>
#include <vector>

#include "feature/feature_matrix.h"

namespace reveal::attribute {

inline constexpr std::size_t kUsualWindows = 60;

// Returns the column's median over the kUsualWindows before these rows, in which 0 stands for a
// value that is not there. If nothing is before them, what comes after tells; 0 if nothing does.
// REQUIRES: rows are ascending, at least one.
double usual_before(const feature::FeatureMatrix& matrix, const std::vector<std::size_t>& rows,
                    std::size_t column);

}  // namespace reveal::attribute
