// Features of when and for how long the samples lie above or below something.
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

inline V count_above_mean(Samples& s) {
  V count = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    count = count + one_if(s.deviations()[t] > all(0.0));
  }
  return count;
}

inline V count_below_mean(Samples& s) {
  V count = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    count = count + one_if(s.deviations()[t] < all(0.0));
  }
  return count;
}

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

inline V longest_strike_above_mean(Samples& s) {
  Strike strike;
  for (std::size_t t = 0; t < s.size(); ++t) strike.step(s.deviations()[t] > all(0.0));
  return strike.longest;
}

inline V longest_strike_below_mean(Samples& s) {
  Strike strike;
  for (std::size_t t = 0; t < s.size(); ++t) strike.step(s.deviations()[t] < all(0.0));
  return strike.longest;
}

// The share of samples that lie more than so many standard deviations from the mean.
template <int tenths>
V ratio_beyond_r_sigma(Samples& s) {
  const V limit = all(tenths / 10.0) * s.moments().deviation;
  V count = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    count = count + one_if(magnitude(s.deviations()[t]) > limit);
  }
  return count / s.count();
}

// How often neighbours lie on different sides of m.
template <int m>
V number_crossing_m(Samples& s) {
  V count = all(0.0);
  Mask above = s[0] > all(static_cast<double>(m));
  for (std::size_t t = 1; t < s.size(); ++t) {
    const Mask next = s[t] > all(static_cast<double>(m));
    count = count + one_if(differ(above, next));
    above = next;
  }
  return count;
}

// How often neighbours lie on different sides of the mean.
inline V mean_crossings(Samples& s) {
  V count = all(0.0);
  Mask above = s.deviations()[0] > all(0.0);
  for (std::size_t t = 1; t < s.size(); ++t) {
    const Mask next = s.deviations()[t] > all(0.0);
    count = count + one_if(differ(above, next));
    above = next;
  }
  return count;
}

// How many samples are larger than the `reach` samples before and after them.
template <std::size_t reach>
V number_peaks(Samples& s) {
  V count = all(0.0);
  for (std::size_t t = reach; t + reach < s.size(); ++t) {
    V highest = hn::Max(s[t - 1], s[t + 1]);
    for (std::size_t k = 2; k <= reach; ++k) {
      highest = hn::Max(highest, hn::Max(s[t - k], s[t + k]));
    }
    count = count + one_if(s[t] > highest);
  }
  return count;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
