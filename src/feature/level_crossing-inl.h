// Features of when and for how long the samples lie above or below something.
#if defined(REVEAL_FEATURE_LEVEL_CROSSING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_LEVEL_CROSSING_INL_H_
#undef REVEAL_FEATURE_LEVEL_CROSSING_INL_H_
#else
#define REVEAL_FEATURE_LEVEL_CROSSING_INL_H_
#endif

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// One step of counting the longest run of samples of which something holds.
struct Strike {
  V now;
  V longest;

  // GCC would compile an implicit one for the plain instruction set.
  Strike() : now(all(0.0)), longest(all(0.0)) {}
  void step(Mask holds) {
    now = hn::IfThenElseZero(holds, now + all(1.0));
    longest = hn::Max(longest, now);
  }
};

inline const Sides& sides_of(Samples& s) {
  if (s.sides) return *s.sides;
  const Series d = s.deviations();
  const V zero = all(0.0);
  V above = zero;
  V below = zero;
  V crossings = zero;
  Strike strike_above;
  Strike strike_below;
  Mask before = d[0] > zero;
  for (std::size_t t = 0; t < s.size(); ++t) {
    const Mask is_above = d[t] > zero;
    const Mask is_below = d[t] < zero;
    above = count_if(above, is_above);
    below = count_if(below, is_below);
    crossings = count_if(crossings, differ(before, is_above));
    strike_above.step(is_above);
    strike_below.step(is_below);
    before = is_above;
  }
  s.sides = Sides{above, below, strike_above.longest, strike_below.longest, crossings};
  return *s.sides;
}

inline V count_above_mean(Samples& s) {
  return sides_of(s).above;
}
inline V count_below_mean(Samples& s) {
  return sides_of(s).below;
}
inline V longest_strike_above_mean(Samples& s) {
  return sides_of(s).longest_above;
}
inline V longest_strike_below_mean(Samples& s) {
  return sides_of(s).longest_below;
}
// How often neighbors lie on different sides of the mean.
inline V mean_crossings(Samples& s) {
  return sides_of(s).crossings;
}

// Returns how many samples lie more than 0.5, 1, ... 3 standard deviations from the mean.
inline const BeyondCounts& beyond_of(Samples& s) {
  if (s.beyond) return *s.beyond;
  const Series d = s.deviations();
  const V sigma = s.moments().deviation;
  const V limit1 = all(0.5) * sigma;
  const V limit2 = sigma;
  const V limit3 = all(1.5) * sigma;
  const V limit4 = all(2.0) * sigma;
  const V limit5 = all(2.5) * sigma;
  const V limit6 = all(3.0) * sigma;
  V count1 = all(0.0);
  V count2 = all(0.0);
  V count3 = all(0.0);
  V count4 = all(0.0);
  V count5 = all(0.0);
  V count6 = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    const V size = magnitude(d[t]);
    count1 = count_if(count1, size > limit1);
    count2 = count_if(count2, size > limit2);
    count3 = count_if(count3, size > limit3);
    count4 = count_if(count4, size > limit4);
    count5 = count_if(count5, size > limit5);
    count6 = count_if(count6, size > limit6);
  }
  s.beyond = BeyondCounts{count1, count2, count3, count4, count5, count6};
  return *s.beyond;
}

// The share of samples that lie more than so many standard deviations from the mean.
template <std::size_t tenths>
V ratio_beyond_r_sigma(Samples& s) {
  static_assert(tenths % 5 == 0 && tenths / 5 >= 1 && tenths / 5 <= kSigmas);
  return beyond_of(s)[tenths / 5 - 1] / s.count();
}

// How often neighbors lie on different sides of m.
template <int m>
V number_crossing_m(Samples& s) {
  V count = all(0.0);
  Mask above = s[0] > all(static_cast<double>(m));
  for (std::size_t t = 1; t < s.size(); ++t) {
    const Mask next = s[t] > all(static_cast<double>(m));
    count = count_if(count, differ(above, next));
    above = next;
  }
  return count;
}

// Counts the samples that are larger than all within 1, 3 and 5 steps before and after them.
inline const Peaks& peaks_of(Samples& s) {
  if (s.peaks) return *s.peaks;
  const std::size_t n = s.size();
  V of_1 = all(0.0);
  V of_3 = all(0.0);
  V of_5 = all(0.0);
  for (std::size_t t = 1; t + 1 < n; ++t) {
    V highest = hn::Max(s[t - 1], s[t + 1]);
    of_1 = count_if(of_1, s[t] > highest);
    if (t < 3 || t + 3 >= n) continue;
    highest = hn::Max(highest, hn::Max(s[t - 2], s[t + 2]));
    highest = hn::Max(highest, hn::Max(s[t - 3], s[t + 3]));
    of_3 = count_if(of_3, s[t] > highest);
    if (t < 5 || t + 5 >= n) continue;
    highest = hn::Max(highest, hn::Max(s[t - 4], s[t + 4]));
    highest = hn::Max(highest, hn::Max(s[t - 5], s[t + 5]));
    of_5 = count_if(of_5, s[t] > highest);
  }
  s.peaks = Peaks{of_1, of_3, of_5};
  return *s.peaks;
}

// How many samples are larger than the `reach` samples before and after them.
template <std::size_t reach>
V number_peaks(Samples& s) {
  static_assert(reach == 1 || reach == 3 || reach == 5);
  const Peaks& peaks = peaks_of(s);
  return reach == 1 ? peaks.of_1 : reach == 3 ? peaks.of_3 : peaks.of_5;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
