#include "attribute/usual_before.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stats/quantile.h"

namespace reveal::attribute {

double usual_before(const feature::FeatureMatrix& matrix, const std::vector<std::size_t>& rows,
                    std::size_t column) {
  std::size_t end = rows.front();
  std::size_t begin = end - std::min(end, kUsualWindows);
  if (begin == end) {
    begin = rows.back() + 1;
    end = std::min(begin + kUsualWindows, matrix.row_count());
  }
  std::vector<double> values;
  for (std::size_t row = begin; row < end; ++row) {
    const double value = matrix.at(row, column);
    values.push_back(std::isfinite(value) ? value : 0);
  }
  return values.empty() ? 0 : stats::median(std::move(values));
}

}  // namespace reveal::attribute
