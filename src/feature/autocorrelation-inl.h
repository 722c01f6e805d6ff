// How much samples say about later ones.
#include <array>

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// tsfresh takes a variance up to here, in the channel's unit squared, for zero: values are to be
// comparable.
inline constexpr double kNegligibleVariance = 1e-8;

// The sum of products of deviations `lag` steps apart.
inline V lagged_products(Samples& s, std::size_t lag) {
  const Series& d = s.deviations();
  V sum = all(0.0);
  for (std::size_t t = lag; t < s.size(); ++t) sum = sum + d[t] * d[t - lag];
  return sum;
}

template <std::size_t lag>
V autocorrelation(Samples& s) {
  if (s.size() <= lag) return undefined();
  const V variance = s.moments().variance;
  const V value = lagged_products(s, lag) / (all(s.size() - lag) * variance);
  return choose(variance <= all(kNegligibleVariance), undefined(), value);
}

// What a sample says about the one `lag` steps later beyond what those between say: Levinson and
// Durbin's recursion on the autocovariances with divisor n - lag (statsmodels' method "ld"). At
// most n / 2 - 1 lags.
template <std::size_t lag>
V partial_autocorrelation(Samples& s) {
  if (s.size() < 4 || lag >= s.size() / 2) return undefined();
  std::array<V, lag + 1> covariance;
  for (std::size_t k = 0; k <= lag; ++k) {
    covariance[k] = lagged_products(s, k) / all(s.size() - k);
  }
  std::array<V, lag + 1> phi;   // of the order before
  std::array<V, lag + 1> next;  // of this order
  V error = covariance[0];
  V reflection = all(1.0);
  for (std::size_t order = 1; order <= lag; ++order) {
    V left = covariance[order];
    for (std::size_t j = 1; j < order; ++j) left = left - phi[j] * covariance[order - j];
    reflection = left / error;
    for (std::size_t j = 1; j < order; ++j) next[j] = phi[j] - reflection * phi[order - j];
    next[order] = reflection;
    phi = next;
    error = error * (all(1.0) - reflection * reflection);
  }
  return reflection;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
