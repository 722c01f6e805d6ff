// Sorts every lane of a series by itself.
#if defined(REVEAL_FEATURE_SORTING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_SORTING_INL_H_
#undef REVEAL_FEATURE_SORTING_INL_H_
#else
#define REVEAL_FEATURE_SORTING_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "feature/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// From here on the network's n log^2 n comparisons cost more than a sort of each lane.
inline constexpr std::size_t kLongestNetwork = 2048;

// Batcher's merge exchange, for any count: Knuth, The Art of Computer Programming 3, 5.2.2,
// Algorithm M. Its comparisons do not depend on the values, so all lanes take the same ones.
// Calls exchange(i, j) for each, i < j.
template <typename Exchange>
constexpr void merge_exchange(std::size_t count, Exchange exchange) {
  std::size_t top = 1;
  while (2 * top < count) top *= 2;
  for (std::size_t p = top; p > 0; p /= 2) {
    std::size_t q = top;
    std::size_t r = 0;
    std::size_t d = p;
    for (;;) {
      for (std::size_t block = r; block + d < count; block += 2 * p) {
        const std::size_t end = std::min(block + p, count - d);
        for (std::size_t i = block; i < end; ++i) exchange(i, i + d);
      }
      if (q == p) break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
}

inline void sort_by_network(Series& series, std::size_t count) {
  merge_exchange(count, [&series](std::size_t low, std::size_t high) {
    const V a = series[low];
    const V b = series[high];
    series.set(low, hn::Min(a, b));
    series.set(high, hn::Max(a, b));
  });
}

// The usual length of a window: its network is unrolled, and if there are 32 vector registers the
// samples stay in them.
inline constexpr std::size_t kUsualLength = 30;

struct Exchange {
  std::size_t low = 0;
  std::size_t high = 0;
};

inline constexpr std::size_t kUsualExchanges = [] {
  std::size_t count = 0;
  merge_exchange(kUsualLength, [&count](std::size_t, std::size_t) { ++count; });
  return count;
}();

inline constexpr auto kUsualNetwork = [] {
  std::array<Exchange, kUsualExchanges> out;
  std::size_t place = 0;
  merge_exchange(kUsualLength, [&](std::size_t low, std::size_t high) {
    out[place++] = {low, high};
  });
  return out;
}();

HWY_INLINE void exchange(V& low, V& high) {
  const V smaller = hn::Min(low, high);
  high = hn::Max(low, high);
  low = smaller;
}

template <std::size_t... steps, std::size_t... exchanges>
HWY_INLINE void sort_unrolled(Series& series, std::index_sequence<steps...> /*steps*/,
                              std::index_sequence<exchanges...> /*exchanges*/) {
  V values[] = {series[steps]...};
  (exchange(values[kUsualNetwork[exchanges].low], values[kUsualNetwork[exchanges].high]), ...);
  (series.set(steps, values[steps]), ...);
}

inline void sort_each_lane(Series& series, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t lane = 0; lane < kWidth; ++lane) {
    for (std::size_t t = 0; t < count; ++t) values[t] = series.lane(t, lane);
    std::sort(values.begin(), values.end());
    for (std::size_t t = 0; t < count; ++t) series.set_lane(t, lane, values[t]);
  }
}

// REQUIRES: no NaN.
inline void sort_lanes(Series& series, std::size_t count) {
  if (count > kLongestNetwork) {
    sort_each_lane(series, count);
  } else if (count == kUsualLength) {
    sort_unrolled(series, std::make_index_sequence<kUsualLength>(),
                  std::make_index_sequence<kUsualExchanges>());
  } else if (count > 1) {
    sort_by_network(series, count);
  }
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
