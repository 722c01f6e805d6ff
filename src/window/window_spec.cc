#include <fmt/format.h>

#include "window/window_view.h"

namespace reveal::window {
namespace {

std::string seconds(std::int64_t ns) {
  return fmt::format("{} s", static_cast<double>(ns) * 1e-9);
}

base::Result<void> check_multiple(const char* flag, std::int64_t ns, std::int64_t interval_ns) {
  if (ns % interval_ns == 0) return {};
  const auto above = (ns / interval_ns + 1) * interval_ns;
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("{} is not a whole multiple of the interval, {}", seconds(ns),
                                seconds(interval_ns)),
                    flag, fmt::format("{} would be", seconds(above)));
}

}  // namespace

base::Result<void> WindowSpec::check_most() const {
  if (interval_ns > 0 && length_ns / interval_ns <= std::int64_t{kMaxTicks}) return {};
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("{} holds more than {} samples, the most of a window",
                                seconds(length_ns), kMaxTicks),
                    "--window", "use a shorter one");
}

base::Result<void> WindowSpec::check() const {
  using base::ErrorKind;
  if (interval_ns <= 0) return base::fail(ErrorKind::kUsage, "must be above zero", "--interval");
  if (length_ns <= 0) return base::fail(ErrorKind::kUsage, "must be above zero", "--window");
  if (stride_ns <= 0) return base::fail(ErrorKind::kUsage, "must be above zero", "--stride");
  if (auto ok = check_multiple("--window", length_ns, interval_ns); !ok) return ok;
  if (auto ok = check_multiple("--stride", stride_ns, interval_ns); !ok) return ok;
  if (ticks() < kMinTicks)
    return base::fail(
        ErrorKind::kUsage,
        fmt::format("{} holds {} samples, too few for features", seconds(length_ns), ticks()),
        "--window", fmt::format("use {} or more", seconds(interval_ns * std::int64_t{kMinTicks})));
  if (auto held = check_most(); !held) return held;
  if (stride_ns > length_ns)
    return base::fail(ErrorKind::kUsage,
                      fmt::format("{} is longer than the window, {}, so some time would never be "
                                  "looked at",
                                  seconds(stride_ns), seconds(length_ns)),
                      "--stride", fmt::format("use {} or less", seconds(length_ns)));
  return {};
}

}  // namespace reveal::window
