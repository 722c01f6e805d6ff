// Features of a change of level within the window.
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// The mean of the second half less that of the first; a sample in the middle belongs to neither.
inline V mean_shift(Samples& s) {
  const std::size_t half = s.size() / 2;
  V sum = all(0.0);
  for (std::size_t t = 0; t < half; ++t) sum = sum + (s[s.size() - half + t] - s[t]);
  return sum / all(half);
}

// Page's cumulative sum of deviations from the mean: its range, over the standard deviation and the
// root of n. Around 1.2 for samples without order; large where the level changed and stayed. 0 for
// a constant.
inline V cusum_range(Samples& s) {
  V sum = all(0.0);
  V low = all(0.0);
  V high = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    sum = sum + s.deviations()[t];
    low = hn::Min(low, sum);
    high = hn::Max(high, sum);
  }
  const V deviation = s.moments().deviation;
  return choose(deviation == all(0.0), all(0.0), (high - low) / (deviation * root(s.count())));
}

// Where the cumulative sum is farthest from zero, as a share of the length: the likeliest moment of
// a change. 0 for a constant.
inline V cusum_location(Samples& s) {
  V sum = all(0.0);
  V farthest = all(0.0);
  V place = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    sum = sum + s.deviations()[t];
    const Mask farther = magnitude(sum) > farthest;
    farthest = choose(farther, magnitude(sum), farthest);
    place = choose(farther, all(t + 1), place);
  }
  return place / s.count();
}

// The distance of Kolmogorov and Smirnov between the first half and the second: the most by which
// the shares of samples below any value differ.
inline V halves_ks_distance(Samples& s) {
  const std::size_t half = s.size() / 2;
  V most = all(0.0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    V surplus = all(0.0);
    for (std::size_t t = 0; t < half; ++t) {
      surplus = surplus + one_if(hn::Le(s[t], s[i])) - one_if(hn::Le(s[s.size() - half + t], s[i]));
    }
    most = hn::Max(most, magnitude(surplus));
  }
  return most / all(half);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
