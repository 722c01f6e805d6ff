// How much samples say about later ones.
#if defined(REVEAL_FEATURE_AUTOCORRELATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_AUTOCORRELATION_INL_H_
#undef REVEAL_FEATURE_AUTOCORRELATION_INL_H_
#else
#define REVEAL_FEATURE_AUTOCORRELATION_INL_H_
#endif

#include <cstddef>

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// tsfresh takes a variance up to here, in the channel's unit squared, for zero: values are to be
// comparable.
inline constexpr double kNegligibleVariance = 1e-8;

// Returns the sums of products of deviations 0, 1, ... steps apart.
inline const ProductSums& product_sums_of(Samples& s) {
  if (s.product_sums) return *s.product_sums;
  const Series d = s.deviations();
  V sum1 = all(0.0);
  V sum2 = all(0.0);
  V sum3 = all(0.0);
  V sum4 = all(0.0);
  V sum5 = all(0.0);
  // The last ones seen, and zeros before the first.
  V d1 = all(0.0);
  V d2 = all(0.0);
  V d3 = all(0.0);
  V d4 = all(0.0);
  V d5 = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    const V now = d[t];
    sum1 = sum1 + now * d1;
    sum2 = sum2 + now * d2;
    sum3 = sum3 + now * d3;
    sum4 = sum4 + now * d4;
    sum5 = sum5 + now * d5;
    d5 = d4;
    d4 = d3;
    d3 = d2;
    d2 = d1;
    d1 = now;
  }
  s.product_sums = ProductSums{s.moments().m2, sum1, sum2, sum3, sum4, sum5};
  return *s.product_sums;
}

template <std::size_t lag>
V autocorrelation(Samples& s) {
  if (s.size() <= lag) return undefined();
  static_assert(lag <= kMaxProductLags);
  const V variance = s.moments().variance;
  const V value = product_sums_of(s)[lag] / (all(s.size() - lag) * variance);
  return choose(variance <= all(kNegligibleVariance), undefined(), value);
}

// Returns, by lag, what a sample says about the one so many steps later beyond what those between
// say: Levinson and Durbin's recursion on the autocovariances with divisor n - lag (statsmodels'
// method "ld").
inline const ProductSums& partial_autocorrelations_of(Samples& s) {
  if (s.partial_autocorrelations) return *s.partial_autocorrelations;
  ProductSums covariance = product_sums_of(s);
  for (std::size_t k = 0; k <= kMaxProductLags && k < s.size(); ++k) {
    covariance[k] = covariance[k] / all(s.size() - k);
  }
  ProductSums out;
  out[0] = all(1.0);
  ProductSums phi;   // of the order before
  ProductSums next;  // of this order
  V error = covariance[0];
  for (std::size_t order = 1; order <= kMaxProductLags; ++order) {
    V left = covariance[order];
    for (std::size_t j = 1; j < order; ++j) left = left - phi[j] * covariance[order - j];
    const V reflection = left / error;
    for (std::size_t j = 1; j < order; ++j) next[j] = phi[j] - reflection * phi[order - j];
    next[order] = reflection;
    phi = next;
    error = error * (all(1.0) - reflection * reflection);
    out[order] = reflection;
  }
  s.partial_autocorrelations = out;
  return *s.partial_autocorrelations;
}

// At most n / 2 - 1 lags.
template <std::size_t lag>
V partial_autocorrelation(Samples& s) {
  static_assert(lag <= kMaxProductLags);
  if (s.size() < 4 || lag >= s.size() / 2) return undefined();
  return partial_autocorrelations_of(s)[lag];
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
