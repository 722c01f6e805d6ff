#include "collect/tick_clock.h"

#include <algorithm>
#include <ctime>

#include <poll.h>

namespace reveal::collect {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

timespec to_timespec(std::int64_t ns) {
  return {.tv_sec = static_cast<time_t>(ns / kSecond), .tv_nsec = static_cast<long>(ns % kSecond)};
}

}  // namespace

std::int64_t clock_ns(int clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * kSecond + now.tv_nsec;
}

TickClock::TickClock(std::chrono::nanoseconds interval, std::optional<std::uint64_t> last_tick,
                     int stop_fd)
    : interval_ns_(interval.count()), last_tick_(last_tick), stop_fd_(stop_fd) {}

std::int64_t TickClock::time_of(std::uint64_t tick) const {
  return *start_ns_ + static_cast<std::int64_t>(tick) * interval_ns_;
}

std::optional<std::uint64_t> TickClock::start() {
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  const std::int64_t begin = now + until_multiple(now);
  if (!sleep_until(begin)) return std::nullopt;
  start_ns_ = begin;
  return 0;
}

// Returns how long after that monotonic time the UTC time is a multiple of the interval.
std::int64_t TickClock::until_multiple(std::int64_t mono_ns) const {
  const std::int64_t offset = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
  const std::int64_t past = (mono_ns + offset) % interval_ns_;
  return past == 0 ? 0 : interval_ns_ - past;
}

void TickClock::align() {
  if (start_ns_)
    *start_ns_ += until_multiple(*start_ns_ + static_cast<std::int64_t>(tick_) * interval_ns_);
}

// Returns false when asked to stop. A negative descriptor is one that poll() leaves alone.
bool TickClock::sleep_until(std::int64_t deadline_ns) const {
  for (;;) {
    const std::int64_t left = std::max<std::int64_t>(deadline_ns - clock_ns(CLOCK_MONOTONIC), 0);
    pollfd stop{.fd = stop_fd_, .events = POLLIN, .revents = 0};
    const timespec timeout = to_timespec(left);
    if (::ppoll(&stop, 1, &timeout, nullptr) > 0) return false;
    if (clock_ns(CLOCK_MONOTONIC) >= deadline_ns) return true;
  }
}

std::optional<std::uint64_t> TickClock::wait() {
  if (!start_ns_) return start();
  const std::uint64_t next = tick_ + 1;
  if (last_tick_ && next > *last_tick_) return std::nullopt;
  if (!sleep_until(time_of(next))) return std::nullopt;
  const std::int64_t elapsed = clock_ns(CLOCK_MONOTONIC) - *start_ns_;
  const auto now = static_cast<std::uint64_t>(elapsed / interval_ns_);
  tick_ = last_tick_ ? std::min(now, *last_tick_) : now;
  missed_ += tick_ - next;
  return tick_;
}

}  // namespace reveal::collect
