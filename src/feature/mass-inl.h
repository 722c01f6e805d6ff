// Where in the window the samples' weight lies.
#if defined(REVEAL_FEATURE_MASS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_MASS_INL_H_
#undef REVEAL_FEATURE_MASS_INL_H_
#else
#define REVEAL_FEATURE_MASS_INL_H_
#endif

#include <algorithm>
#include <array>

#include "feature/first_digits.h"
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// The share of the window that holds a share of the sum of |x|.
template <int percent>
V index_mass_quantile(Samples& s) {
  V total = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) total = total + magnitude(s[t]);
  V sum = all(0.0);
  V before = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    sum = sum + magnitude(s[t]);
    before = before + one_if(sum / total < all(percent / 100.0));
  }
  return choose(total == all(0.0), undefined(), (before + all(1.0)) / s.count());
}

// The share of one of `segments` parts of the window in the sum of squares. The first parts are
// longer by one sample if the parts cannot be equal.
template <std::size_t segments, std::size_t focus>
V energy_ratio_by_chunks(Samples& s) {
  const std::size_t longer = s.size() % segments;
  const std::size_t length = s.size() / segments;
  const std::size_t begin = focus * length + std::min(focus, longer);
  const std::size_t end = begin + length + (focus < longer ? 1 : 0);
  V total = all(0.0);
  V part = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    const V square = s[t] * s[t];
    total = total + square;
    if (begin <= t && t < end) part = part + square;
  }
  return part / total;
}

// How well the first digits' frequencies follow Benford's law: their correlation with it.
inline V benford_correlation(Samples& s) {
  EachLane out;
  for (std::size_t lane = 0; lane < kWidth; ++lane) {
    std::array<std::size_t, 10> digits{};
    for (std::size_t t = 0; t < s.size(); ++t) ++digits[first_digit(s.series().lane(t, lane))];
    out.at[lane] = benford_correlation_of(digits);
  }
  return out.vector();
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
