#include "attribute/lagged_correlation.h"

#include <cmath>

#include "stats/correlation.h"

namespace reveal::attribute {
namespace {

double at_lag(std::span<const double> first, std::span<const double> second, int lag) {
  const auto shift = static_cast<std::size_t>(std::abs(lag));
  const std::size_t both = first.size() - shift;
  const double r = lag >= 0 ? stats::correlation(first.first(both), second.subspan(shift))
                            : stats::correlation(first.subspan(shift), second.first(both));
  return std::isfinite(r) ? r : 0.0;
}

}  // namespace

LaggedCorrelation strongest_correlation(std::span<const double> first,
                                        std::span<const double> second, int most_lag) {
  LaggedCorrelation out{at_lag(first, second, 0), 0};
  for (int lag = 1; lag <= most_lag; ++lag) {
    for (const int signed_lag : {lag, -lag}) {
      const double r = at_lag(first, second, signed_lag);
      if (std::abs(r) > std::abs(out.r)) out = {r, signed_lag};
    }
  }
  return out;
}

}  // namespace reveal::attribute
