// The test of Kwiatkowski, Phillips, Schmidt and Shin (1992) for a series that stays around its
// mean: the sum of squared partial sums of deviations, over n^2 and the long-run variance, which is
// estimated with Bartlett's weights over floor(4 (n / 100)^(1/4)) lags (the paper's l4). Large
// means that the level wanders; 0.463 is exceeded by one in twenty that do not.
#include <cmath>

#include "feature/autocorrelation-inl.h"
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// The sum of products of deviations `lag` steps apart.
inline V product_sum(Samples& s, std::size_t lag) {
  const Series d = s.deviations();
  V sum = all(0.0);
  for (std::size_t t = lag; t < s.size(); ++t) sum = sum + d[t] * d[t - lag];
  return sum;
}

inline V kpss(Samples& s) {
  const auto n = static_cast<double>(s.size());
  const auto lags = static_cast<std::size_t>(4.0 * std::pow(n / 100.0, 0.25));
  V sum = all(0.0);
  V squares = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    sum = sum + s.deviations()[t];
    squares = squares + sum * sum;
  }
  V variance = s.moments().m2;
  for (std::size_t lag = 1; lag <= lags && lag < s.size(); ++lag) {
    const V products = lag <= kMaxProductLags ? product_sums_of(s)[lag] : product_sum(s, lag);
    const double weight = 1.0 - static_cast<double>(lag) / static_cast<double>(lags + 1);
    variance = variance + all(2.0 * weight) * products;
  }
  return squares / (all(n) * variance);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
