#include "study/result.h"

#include <cmath>

#include "stats/moments.h"
#include "stats/quantile.h"

namespace reveal::study {

Summary summary(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  const auto moments = stats::moments(values);
  return {values.size(), moments.mean, stats::median(values), moments.standard_deviation()};
}

}  // namespace reveal::study
