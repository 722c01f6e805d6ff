// Features of a change of level within the window.
#include <limits>

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The mean of the second half less that of the first; a sample in the middle belongs to neither.
inline V mean_shift(Samples& s) {
  const std::size_t half = s.size() / 2;
  V sum = all(0.0);
  for (std::size_t t = 0; t < half; ++t) sum = sum + (s[s.size() - half + t] - s[t]);
  return sum / all(half);
}

// Page's cumulative sum of deviations from the mean: its range, over the standard deviation and the
// root of n. Around 1.2 for samples without order; large if the level changed and stayed. 0 for a
// constant.
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

// Returns in how many of the first `size` steps a value is not above a limit; NaN never is.
inline V count_up_to(const Series& values, std::size_t size, V limit) {
  V count = all(0.0);
  for (std::size_t t = 0; t < size; ++t) count = count_if(count, hn::Le(values[t], limit));
  return count;
}

// The same distance between the window before and this one; undefined if there was none.
inline V previous_ks_distance(Samples& s) {
  const V before = count_up_to(s.previous(), s.previous_size(), all(kInfinity));
  V most = all(0.0);
  const auto compare_at = [&](V value) {
    const V up_to_now = count_up_to(s.series(), s.size(), value) / s.count();
    const V up_to_before = count_up_to(s.previous(), s.previous_size(), value) / before;
    // A step without a sample is not a place to compare.
    const V apart = hn::IfThenElseZero(value == value, magnitude(up_to_now - up_to_before));
    most = hn::Max(most, apart);
  };
  for (std::size_t t = 0; t < s.size(); ++t) compare_at(s[t]);
  for (std::size_t t = 0; t < s.previous_size(); ++t) compare_at(s.previous()[t]);
  return choose(before == all(0.0), undefined(), most);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
