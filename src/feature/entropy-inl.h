// Entropies, in nats: how many different things the samples do.
#if defined(REVEAL_FEATURE_ENTROPY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_ENTROPY_INL_H_
#undef REVEAL_FEATURE_ENTROPY_INL_H_
#else
#define REVEAL_FEATURE_ENTROPY_INL_H_
#endif

#include <array>
#include <span>

#include "feature/entropy_terms.h"
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Returns minus the sum of p log p, where p is each count's share of all.
inline V entropy_of(std::span<const V> counts, std::size_t total) {
  const auto& terms = entropy_terms(total);
  V sum = all(0.0);
  for (const V& count : counts) {
    sum = sum + each_lane(count, [&](double c) { return terms[static_cast<std::size_t>(c)]; });
  }
  return all(0.0) - sum;
}

// The entropy of a histogram of equally wide bins from the smallest value to the largest, with
// numpy's edges: a bin holds its lower edge, the last one both. One value falls into one bin.
template <std::size_t bins>
V histogram_entropy(const Series& values, std::size_t size) {
  V low = values[0];
  V high = values[0];
  for (std::size_t t = 1; t < size; ++t) {
    low = hn::Min(low, values[t]);
    high = hn::Max(high, values[t]);
  }
  const V width = (high - low) / all(bins);
  std::array<V, bins> counts;
  V above = all(size);  // values at or above the bin's lower edge
  for (std::size_t bin = 0; bin < bins; ++bin) {
    V beyond = all(0.0);
    if (bin + 1 < bins) {
      const V edge = all(bin + 1) * width + low;
      for (std::size_t t = 0; t < size; ++t) {
        beyond = count_if(beyond, hn::Ge(values[t], edge));
      }
    }
    counts[bin] = above - beyond;
    above = beyond;
  }
  return choose(low == high, all(0.0), entropy_of(counts, size));
}

template <std::size_t bins>
V binned_entropy(Samples& s) {
  return histogram_entropy<bins>(s.series(), s.size());
}

// The entropy of the orders in which three neighbors stand; of equal ones the earlier counts as
// the smaller.
inline V permutation_entropy_3(Samples& s) {
  std::array<V, 8> counts;
  counts.fill(all(0.0));
  for (std::size_t t = 0; t + 2 < s.size(); ++t) {
    const Mask ab = hn::Le(s[t], s[t + 1]);
    const Mask bc = hn::Le(s[t + 1], s[t + 2]);
    const Mask ac = hn::Le(s[t], s[t + 2]);
    for (std::size_t order = 0; order < counts.size(); ++order) {
      const Mask same =
          both(both((order & 1) != 0 ? ab : opposite(ab), (order & 2) != 0 ? bc : opposite(bc)),
               (order & 4) != 0 ? ac : opposite(ac));
      counts[order] = count_if(counts[order], same);
    }
  }
  return entropy_of(counts, s.size() - 2);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
