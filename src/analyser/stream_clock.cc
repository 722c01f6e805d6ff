#include "analyser/stream_clock.h"

#include <algorithm>
#include <numeric>

namespace reveal::analyser {
namespace {

constexpr std::int64_t kStreamSecond_ns = 1'000'000'000;

}  // namespace

std::int64_t StreamClock::ahead_ns() const {
  return ahead_before_ ? std::max(*ahead_, *ahead_before_) : *ahead_;
}

void StreamClock::take(std::int64_t stored_ns, std::uint64_t pending, std::int64_t steady_ns) {
  if (ahead_ && steady_ns - part_since_ns_ > kMemory_ns) {
    const bool is_old = steady_ns - part_since_ns_ > 2 * kMemory_ns;
    ahead_before_ = is_old ? std::nullopt : ahead_;
    ahead_.reset();
  }
  if (!ahead_) part_since_ns_ = steady_ns;
  ahead_ = std::max(ahead_.value_or(stored_ns - steady_ns), stored_ns - steady_ns);
  const auto second = stored_ns / kStreamSecond_ns;
  if (second != second_) {
    const bool is_next = second == second_ + 1;
    if (!is_next) counts_ = {};
    counts_[static_cast<std::size_t>(second) % counts_.size()] = 0;
    second_ = second;
  }
  ++counts_[static_cast<std::size_t>(second) % counts_.size()];
  pending_ = pending;
  // Of what waits at the broker there is more than it took on in three seconds.
  const auto recent = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  is_late_ = pending > recent || steady_ns + ahead_ns() - stored_ns > kLongestLag_ns;
}

std::optional<std::int64_t> StreamClock::broker_ns(std::int64_t steady_ns) const {
  if (!ahead_) return std::nullopt;
  return steady_ns + ahead_ns();
}

std::optional<std::int64_t> StreamClock::now_ns(std::int64_t steady_ns) const {
  return pending_ > 0 ? std::nullopt : broker_ns(steady_ns);
}

}  // namespace reveal::analyser
