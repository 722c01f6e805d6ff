// Features of the samples in ascending order.
#if defined(REVEAL_FEATURE_ORDER_STATISTICS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_ORDER_STATISTICS_INL_H_
#undef REVEAL_FEATURE_ORDER_STATISTICS_INL_H_
#else
#define REVEAL_FEATURE_ORDER_STATISTICS_INL_H_
#endif

#include <cmath>

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

inline V minimum(Samples& s) {
  return s.smallest();
}
inline V maximum(Samples& s) {
  return s.largest();
}
inline V absolute_maximum(Samples& s) {
  return hn::Max(magnitude(s.smallest()), magnitude(s.largest()));
}
inline V value_range(Samples& s) {
  return s.largest() - s.smallest();
}

// The value below which the share q of the samples lies, linear between neighbors: numpy's
// default. Relative to `origin`, for differences of quantiles.
inline V quantile_of(Samples& s, double q, V origin = all(0.0)) {
  const double place = q * static_cast<double>(s.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  if (low + 1 >= s.size()) return s.sorted()[s.size() - 1] - origin;
  const double share = place - static_cast<double>(low);
  const V below = s.sorted()[low] - origin;
  const V above = s.sorted()[low + 1] - origin;
  const V step = above - below;
  // As numpy does, from the nearer end.
  return share >= 0.5 ? above - step * all(1.0 - share) : below + step * all(share);
}

template <int percent>
V quantile(Samples& s) {
  return quantile_of(s, percent / 100.0);
}

inline V median(Samples& s) {
  const std::size_t half = s.size() / 2;
  if (s.size() % 2 == 1) return s.sorted()[half];
  return (s.sorted()[half - 1] + s.sorted()[half]) / all(2.0);
}

inline V interquartile_range(Samples& s) {
  return quantile_of(s, 0.75, s.smallest()) - quantile_of(s, 0.25, s.smallest());
}

// Is the standard deviation more than a share of the range?
template <int percent>
V large_standard_deviation(Samples& s) {
  return one_if(s.moments().deviation > all(percent / 100.0) * value_range(s));
}

// Are mean and median nearer to one another than a share of the range?
template <int percent>
V symmetry_looking(Samples& s) {
  const V apart = magnitude(s.moments().mean - median(s));
  return one_if(apart < all(percent / 100.0) * value_range(s));
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
