// The usual values, with which the windows of a finding are compared.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <Eigen/Core>

#include "attribute/patterns.h"
#include "detect/design.h"
#include "detect/fitted_baseline.h"

namespace reveal::attribute {

struct UsualColumn {
  double median = 0;  // in the feature's unit
  double mad = 0;     // median absolute deviation, unscaled
};

struct Usual {
  // By detector, each live column's usual part in a score; an empty vector: none has any.
  std::vector<Eigen::VectorXd> contributions;
  std::function<UsualColumn(std::size_t live)> column;
};

// Returns the usual values of a saved baseline, which must outlive them.
Usual usual_of(const detect::FittedBaseline& saved);

// Returns the same for patterns, for the columns of that layout.
PatternReader::UsualLevel usual_levels(const detect::FittedBaseline& saved,
                                       const detect::Design& layout);

}  // namespace reveal::attribute
