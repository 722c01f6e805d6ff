// Features that are moments of the samples or of their deviations from the mean, all with the
// divisor n, as numpy has them, but for skewness and kurtosis, which are adjusted for sample size
// as in pandas.
#if defined(REVEAL_FEATURE_MOMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_MOMENTS_INL_H_
#undef REVEAL_FEATURE_MOMENTS_INL_H_
#else
#define REVEAL_FEATURE_MOMENTS_INL_H_
#endif

#include <cmath>

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Sums of powers below this, in the channel's unit, count as zero in skewness, and a denominator
// below it in kurtosis: pandas cuts off there to keep rounding from becoming a shape. Our sums
// carry no such rounding, but values are to be comparable. So a signal that moves by less than
// about 1e-8 (for the third power 1e-5) has a skewness of zero by definition.
inline constexpr double kNegligibleSum = 1e-14;

inline const Sums& sums_of(Samples& s) {
  if (s.sums) return *s.sums;
  V values = all(0.0);
  V squares = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    values = values + s[t];
    squares = squares + s[t] * s[t];
  }
  s.sums = Sums{values, squares};
  return *s.sums;
}

inline V sum_values(Samples& s) {
  return sums_of(s).values;
}

inline V mean(Samples& s) {
  return s.moments().mean;
}
inline V variance(Samples& s) {
  return s.moments().variance;
}
inline V standard_deviation(Samples& s) {
  return s.moments().deviation;
}

// G1 = n sqrt(n - 1) / (n - 2) * m3 / m2^1.5, with m2, m3 the sums of powers of deviations.
inline V skewness(Samples& s) {
  const Moments& m = s.moments();
  const auto n = static_cast<double>(s.size());
  const V value = all(n * std::sqrt(n - 1.0) / (n - 2.0)) * m.m3 / (m.m2 * root(m.m2));
  const Mask none = hn::Or(m.m2 < all(kNegligibleSum), magnitude(m.m3) < all(kNegligibleSum));
  return choose(none, all(0.0), value);
}

// G2 = n (n + 1) (n - 1) m4 / ((n - 2) (n - 3) m2^2) - 3 (n - 1)^2 / ((n - 2) (n - 3)).
inline V kurtosis(Samples& s) {
  const Moments& m = s.moments();
  const auto n = static_cast<double>(s.size());
  const double pairs = (n - 2.0) * (n - 3.0);
  const V denominator = all(pairs) * m.m2 * m.m2;
  const V value = all(n * (n + 1.0) * (n - 1.0)) * m.m4 / denominator -
                  all(3.0 * (n - 1.0) * (n - 1.0) / pairs);
  return choose(denominator < all(kNegligibleSum), all(0.0), value);
}

inline V abs_energy(Samples& s) {
  return sums_of(s).squares;
}

inline V root_mean_square(Samples& s) {
  return root(abs_energy(s) / s.count());
}

inline V variation_coefficient(Samples& s) {
  return s.moments().deviation / s.moments().mean;
}

inline V variance_larger_than_standard_deviation(Samples& s) {
  return one_if(s.moments().variance > s.moments().deviation);
}

// (deviation - mean) / (deviation + mean), from -1 for a steady stream over 0 for a random one to 1
// for rare bursts. Of counts, so of samples that are not negative (Goh and Barabasi, EPL 81, 2008).
inline V burstiness(Samples& s) {
  const Moments& m = s.moments();
  return (m.deviation - m.mean) / (m.deviation + m.mean);
}

inline V length(Samples& s) {
  return s.count();
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
