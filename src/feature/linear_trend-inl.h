// The line through the samples (line-inl.h), and lines through what chunks of them come to.
#if defined(REVEAL_FEATURE_LINEAR_TREND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_LINEAR_TREND_INL_H_
#undef REVEAL_FEATURE_LINEAR_TREND_INL_H_
#else
#define REVEAL_FEATURE_LINEAR_TREND_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

enum class LinePart { kSlope, kIntercept, kRvalue, kPvalue, kStderr };

template <LinePart part>
V part_of(const Line& line) {
  if constexpr (part == LinePart::kSlope) return line.slope();
  if constexpr (part == LinePart::kIntercept) return line.intercept();
  if constexpr (part == LinePart::kRvalue) return line.rvalue();
  if constexpr (part == LinePart::kPvalue) return line.pvalue();
  if constexpr (part == LinePart::kStderr) return line.standard_error();
}

template <LinePart part>
V linear_trend(Samples& s) {
  return part_of<part>(s.line());
}

enum class Aggregate : std::uint8_t { kMean, kMax, kMin, kVar };

// Returns the lines through the aggregates of chunks of samples, by Aggregate; the last chunk may
// be shorter. Levels are relative to the window's first sample, which keeps large offsets out.
inline ChunkLines find_chunk_lines(Samples& s, std::size_t chunk) {
  const std::size_t chunks = (s.size() + chunk - 1) / chunk;
  Series means = s.new_series(chunks);
  Series maxima = s.new_series(chunks);
  Series minima = s.new_series(chunks);
  Series variances = s.new_series(chunks);
  for (std::size_t i = 0; i < chunks; ++i) {
    const std::size_t begin = i * chunk;
    const std::size_t end = std::min(begin + chunk, s.size());
    V low = s[begin];
    V high = s[begin];
    V sum = all(0.0);
    for (std::size_t t = begin; t < end; ++t) {
      low = hn::Min(low, s[t]);
      high = hn::Max(high, s[t]);
      sum = sum + (s[t] - s.first());
    }
    const V mean = sum / all(end - begin);
    V squares = all(0.0);
    for (std::size_t t = begin; t < end; ++t) {
      const V deviation = (s[t] - s.first()) - mean;
      squares = squares + deviation * deviation;
    }
    means.set(i, mean);
    maxima.set(i, high - s.first());
    minima.set(i, low - s.first());
    variances.set(i, squares / all(end - begin));
  }
  return {Line::through(means, chunks), Line::through(maxima, chunks),
          Line::through(minima, chunks), Line::through(variances, chunks)};
}

template <std::size_t chunk>
const ChunkLines& chunk_lines_of(Samples& s) {
  static_assert(chunk == 5 || chunk == 10 || chunk == 50);
  auto& lines = chunk == 5 ? s.lines_of_5 : chunk == 10 ? s.lines_of_10 : s.lines_of_50;
  if (!lines) lines = find_chunk_lines(s, chunk);
  return *lines;
}

// Such a line; undefined if there is but one chunk.
template <LinePart part, std::size_t chunk, Aggregate aggregate>
V agg_linear_trend(Samples& s) {
  if (s.size() <= chunk) return undefined();
  const V value = part_of<part>(chunk_lines_of<chunk>(s)[static_cast<std::size_t>(aggregate)]);
  constexpr bool is_level = part == LinePart::kIntercept && aggregate != Aggregate::kVar;
  return is_level ? s.first() + value : value;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
