#include "http/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace reveal::http {

void Histogram::add(double value) {
  if (std::isnan(value)) return;
  const auto range = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
  ++counts_[static_cast<std::size_t>(range)];
  sum_ += value;
}

}  // namespace reveal::http
