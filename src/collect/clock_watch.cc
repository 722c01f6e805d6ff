#include "collect/clock_watch.h"

#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include "collect/tick_clock.h"

namespace reveal::collect {
namespace {

double seconds(std::int64_t ns) {
  return static_cast<double>(std::abs(ns)) * 1e-9;
}

}  // namespace

ClockReading read_clocks() {
  ClockReading out;
  out.mono = clock_ns(CLOCK_MONOTONIC);
  out.wall = clock_ns(CLOCK_REALTIME);
  out.boot = clock_ns(CLOCK_BOOTTIME);
  out.doubt = clock_ns(CLOCK_MONOTONIC) - out.mono;
  return out;
}

std::optional<ClockWatch::Jump> ClockWatch::check(const ClockReading& now) {
  if (now.doubt >= kSmallestJumpNs / 2) return std::nullopt;
  if (!last_) {
    last_ = now;
    return std::nullopt;
  }
  const std::int64_t elapsed = now.mono - last_->mono;
  const Jump jump{now.wall - last_->wall - elapsed, now.boot - last_->boot - elapsed};
  last_ = now;
  if (std::abs(jump.by_ns) < kSmallestJumpNs) return std::nullopt;
  return jump;
}

std::string to_text(const ClockWatch::Jump& jump) {
  const std::int64_t set = jump.by_ns - jump.slept_ns;
  std::string out;
  if (std::abs(jump.slept_ns) >= ClockWatch::kSmallestJumpNs) {
    out = fmt::format("the machine slept for {:.3f} s", seconds(jump.slept_ns));
  }
  if (std::abs(set) < ClockWatch::kSmallestJumpNs) return out;
  return fmt::format("{}{}was set {} by {:.3f} s", out, out.empty() ? "" : " and the clock ",
                     set < 0 ? "back" : "forward", seconds(set));
}

}  // namespace reveal::collect
