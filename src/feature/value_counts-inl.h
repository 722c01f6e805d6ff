// How many samples have a value or lie in a range, and their largest magnitudes.
#if defined(REVEAL_FEATURE_VALUE_COUNTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_VALUE_COUNTS_INL_H_
#undef REVEAL_FEATURE_VALUE_COUNTS_INL_H_
#else
#define REVEAL_FEATURE_VALUE_COUNTS_INL_H_
#endif

#include <array>

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

template <int value>
V value_count(Samples& s) {
  V count = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    count = count_if(count, s[t] == all(static_cast<double>(value)));
  }
  return count;
}

// Of the ranges from `low` up to `high`, which is not included, in units of 10^power.
template <int low, int high, int power>
V range_count(Samples& s) {
  constexpr double kUnit = power == 0 ? 1.0 : 1e12;
  static_assert(power == 0 || power == 12);
  V count = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    count = count_if(count, both(hn::Ge(s[t], all(low * kUnit)), s[t] < all(high * kUnit)));
  }
  return count;
}

// The share of samples that are not below 0, or not above it.
inline V share_from_zero_up(Samples& s) {
  V count = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) count = count_if(count, hn::Ge(s[t], all(0.0)));
  return count / s.count();
}
inline V share_from_zero_down(Samples& s) {
  V count = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) count = count_if(count, hn::Le(s[t], all(0.0)));
  return count / s.count();
}

// The mean of the so many largest magnitudes.
template <std::size_t number>
V mean_of_largest(Samples& s) {
  std::array<V, number> largest;
  largest.fill(all(0.0));
  for (std::size_t t = 0; t < s.size(); ++t) {
    V value = magnitude(s[t]);
    for (V& place : largest) {
      const V higher = hn::Max(place, value);
      value = hn::Min(place, value);
      place = higher;
    }
  }
  V sum = all(0.0);
  for (const V& value : largest) sum = sum + value;
  return sum / all(number);
}

// The share of samples more than so many standard deviations from the mean, for deviations that
// level_crossing-inl.h does not count.
template <std::size_t sigmas>
V ratio_far_beyond(Samples& s) {
  const Series d = s.deviations();
  const V limit = all(sigmas) * s.moments().deviation;
  V count = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) count = count_if(count, magnitude(d[t]) > limit);
  return count / s.count();
}

// How many samples are larger than the `reach` samples before and after them, for a reach that
// level_crossing-inl.h does not have.
template <std::size_t reach>
V number_wide_peaks(Samples& s) {
  V count = all(0.0);
  for (std::size_t t = reach; t + reach < s.size(); ++t) {
    V highest = hn::Max(s[t - 1], s[t + 1]);
    for (std::size_t k = 2; k <= reach; ++k) {
      highest = hn::Max(highest, hn::Max(s[t - k], s[t + k]));
    }
    count = count_if(count, s[t] > highest);
  }
  return count;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
