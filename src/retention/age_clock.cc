#include "retention/age_clock.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "retention/recording_end.h"
#include "text/time_text.h"

namespace reveal::retention {

base::Result<std::optional<model::Frame>> newest_frame(const std::filesystem::path& dir) {
  std::optional<model::Frame> out;
  for (const auto& part : {dir, dir / "1s", dir / "1min"}) {
    auto end = read_end(part, 1);
    if (!end) return base::pass(end);
    if (!*end || (*end)->latest.empty()) continue;
    model::Frame& last = (*end)->latest.back();
    if (!out || last.mono_ns > out->mono_ns) out = std::move(last);
  }
  return out;
}

std::optional<std::string> count_from(const model::Frame& newest, DownsampleOptions& options) {
  constexpr std::int64_t kFar_ns = 3'600'000'000'000;
  const std::int64_t clock_ns = options.now_ns;
  options.now_ns = std::min(clock_ns, newest.wall_ns);
  options.newest_mono_ns = newest.mono_ns;
  if (clock_ns - newest.wall_ns > kFar_ns) {
    return fmt::format(
        "the clock says {}, and the newest frame is of {}: ages count from that frame, and nothing "
        "that only the clock calls old is touched (--trust-clock if the recording has ended and "
        "the clock is right)",
        text::iso_time(clock_ns), text::iso_time(newest.wall_ns));
  }
  if (newest.wall_ns - clock_ns > kFar_ns) {
    return fmt::format(
        "the clock says {}, before the newest frame, of {}: ages count from the clock",
        text::iso_time(clock_ns), text::iso_time(newest.wall_ns));
  }
  return std::nullopt;
}

}  // namespace reveal::retention
