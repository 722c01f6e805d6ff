#include "collect/network/tcp_reading_plan.h"

#include <algorithm>

namespace reveal::collect {

using std::chrono::nanoseconds;

void TcpReadingPlan::save(std::int64_t now_ns) {
  const auto passed = static_cast<double>(now_ns - saved_until_ns_.value_or(now_ns));
  saved_until_ns_ = now_ns;
  const nanoseconds more(static_cast<nanoseconds::rep>(passed * kShare));
  saved_ = std::min(saved_ + more, kMostSaved);
}

TcpReading TcpReadingPlan::next(std::int64_t now_ns, std::optional<std::uint64_t> in_use,
                                bool can_ask) {
  save(now_ns);
  if (!walked_ns_ || now_ns - *walked_ns_ >= kLongest.count()) return TcpReading::kAll;
  if (saved_ <= nanoseconds::zero()) return TcpReading::kNone;
  const bool moved = !in_use || in_use != in_use_;
  return moved || !can_ask ? TcpReading::kAll : TcpReading::kKnown;
}

void TcpReadingPlan::note_walk(std::int64_t now_ns, std::optional<std::uint64_t> in_use) {
  walked_ns_ = now_ns;
  in_use_ = in_use;
}

}  // namespace reveal::collect
