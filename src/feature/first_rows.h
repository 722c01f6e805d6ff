// A run as if it had ended earlier.
#pragma once

#include <cstddef>

#include "feature/feature_matrix.h"

namespace reveal::feature {

// Returns the first rows of a matrix, in all of its columns and exactly as it gives them. REQUIRES:
// that many.
FeatureMatrix first_rows(const FeatureMatrix& of, std::size_t rows);

}  // namespace reveal::feature
