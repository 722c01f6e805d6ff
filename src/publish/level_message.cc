#include "publish/level_message.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace reveal::publish {
namespace {

template <typename Small, typename Large>
Small at_most(Large value) {
  constexpr auto kMost = static_cast<Large>(std::numeric_limits<Small>::max());
  return static_cast<Small>(std::clamp(value, Large{0}, kMost));
}

}  // namespace

std::uint64_t run_of(const fleet::LevelStream& stream) {
  return wire::run_of(stream.facts().boot_id, stream.facts().start_wall_ns);
}

std::int64_t number_of(const fleet::LevelStream& stream, std::int64_t begin_ns) {
  const auto length = stream.bucket_ns();
  return begin_ns / length - stream.facts().start_wall_ns / length;
}

std::uint32_t clock_error_us(const fleet::LevelBucket& bucket) {
  const double us = std::ceil(std::abs(bucket.clock_error_s) * 1e6);
  // NaN is not below.
  if (!(us < wire::kUnknownClockError)) return wire::kUnknownClockError;
  return static_cast<std::uint32_t>(us);
}

wire::LevelsHead levels_head(const fleet::LevelStream& stream, const fleet::LevelBucket& bucket,
                             const std::optional<HostVerdict>& verdict, std::uint32_t dictionary) {
  wire::LevelsHead out;
  out.head = {
      .clock_error_us = clock_error_us(bucket), .run = run_of(stream), .time_ns = bucket.begin_ns};
  out.sequence = static_cast<std::uint64_t>(number_of(stream, bucket.begin_ns));
  out.dictionary = dictionary;
  out.learning = !verdict;
  out.gap_before = bucket.gap_before;
  out.jobs_changed = bucket.jobs_changed;
  out.missing = static_cast<float>(bucket.missing);
  out.hung_sources = at_most<std::uint8_t>(bucket.hung_sources);
  if (!verdict) return out;
  out.votes = at_most<std::uint8_t>(verdict->votes);
  out.strength = static_cast<float>(std::max(verdict->strength, 0.0));
  for (std::size_t i = 0; i < out.shares.size(); ++i) {
    out.shares[i] = static_cast<float>(std::clamp(verdict->shares[i], 0.0, 1.0));
  }
  return out;
}

}  // namespace reveal::publish
