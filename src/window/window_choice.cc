#include "window/window_choice.h"

#include <charconv>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "text/duration.h"

namespace reveal::window {
namespace {

constexpr std::int64_t kFittedLengthTicks = 10;
constexpr std::int64_t kFittedStrideTicks = 5;

base::Result<std::int64_t> ns_of(const char* flag, const std::optional<Length>& chosen,
                                 std::int64_t usual_ns, std::int64_t interval_ns) {
  if (!chosen) return usual_ns;
  return chosen->ns(interval_ns).map_error([&](base::Error error) {
    error.where = fmt::format("{} {}", flag, error.where);
    return error;
  });
}

}  // namespace

base::Result<std::int64_t> Length::ns(std::int64_t interval_ns) const {
  if (unit == Unit::kNanoseconds) return amount;
  if (amount <= std::numeric_limits<std::int64_t>::max() / interval_ns) return amount * interval_ns;
  return base::fail(base::ErrorKind::kUsage, "is too many ticks", std::to_string(amount),
                    "use fewer");
}

base::Result<Length> parse_length(std::string_view text) {
  std::int64_t ticks = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ticks);
  const bool is_number = end == text.data() + text.size() && !text.empty();
  if (is_number && error == std::errc{} && ticks > 0) return Length{ticks, Length::Unit::kTicks};
  if (!is_number) {
    if (const auto ns = text::parse_duration(text)) return Length{*ns, Length::Unit::kNanoseconds};
  }
  return base::fail(base::ErrorKind::kUsage, "is neither a time, such as 3s, nor a number of ticks",
                    std::string(text));
}

base::Result<WindowSpec> WindowChoice::at(std::int64_t interval_ns) const {
  const WindowSpec usual{.interval_ns = interval_ns};
  if (!length && !stride && !usual.check()) {
    return WindowSpec{interval_ns, kFittedLengthTicks * interval_ns,
                      kFittedStrideTicks * interval_ns};
  }
  const auto length_ns = ns_of("--window", length, usual.length_ns, interval_ns);
  if (!length_ns) return base::pass(length_ns);
  const auto stride_ns = ns_of("--stride", stride, usual.stride_ns, interval_ns);
  if (!stride_ns) return base::pass(stride_ns);
  return WindowSpec{interval_ns, *length_ns, *stride_ns};
}

}  // namespace reveal::window
