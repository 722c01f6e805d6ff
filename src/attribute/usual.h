// What is usual: what the windows of a finding are compared with.
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

// Returns what is usual by a saved baseline, which must outlive it.
Usual usual_of(const detect::FittedBaseline& saved);

// Returns the same for patterns, of the columns in that layout.
PatternReader::UsualLevel usual_levels(const detect::FittedBaseline& saved,
                                       const detect::Design& layout);

}  // namespace reveal::attribute
