#include "peers/clock_check.h"

#include <utility>

namespace reveal::peers {
namespace {

constexpr std::int64_t kWholeSecond_ns = 1'000'000'000;

bool is_in_time(std::int64_t delay_ns) {
  return delay_ns >= ClockCheck::kEarliest_ns && delay_ns <= ClockCheck::kLatest_ns;
}

// Returns the greatest multiple of a second that is not above it.
std::int64_t whole_seconds(std::int64_t time_ns) {
  const auto rest = time_ns % kWholeSecond_ns;
  return time_ns - (rest < 0 ? rest + kWholeSecond_ns : rest);
}

}  // namespace

void ClockCheck::take(std::int64_t end_ns, std::int64_t stored_ns) {
  const auto apart_ns = stored_ns - std::exchange(stored_ns_, stored_ns);
  if (apart_ns < kTogether_ns) return;
  const auto delay_ns = stored_ns - end_ns;
  wrong_ = is_in_time(delay_ns - shift_ns_) ? 0 : wrong_ + 1;
  if (wrong_ < kOften) return;
  wrong_ = 0;
  shift_ns_ = is_in_time(delay_ns) ? 0 : whole_seconds(delay_ns);
}

}  // namespace reveal::peers
