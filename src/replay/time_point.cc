#include "replay/time_point.h"

#include <optional>
#include <string>

#include "text/duration.h"
#include "text/parse_time.h"

namespace reveal::replay {
namespace {

constexpr const char* kRemedy =
    "write a date such as 2026-11-20T14:03:07Z, seconds since 1970, a time of "
    "day such as 14:03:07, +90s from the start, or -5m from the end";

// Returns the time of "19:32", "19:32:00" or "19:32:00.5" on a day of the recording.
std::optional<std::int64_t> parse_time_of_day(std::string_view text, std::int64_t begin_ns,
                                              std::int64_t end_ns) {
  constexpr std::int64_t kDay_ns = std::int64_t{86'400} * 1'000'000'000;
  if (text.size() < 5 || text[2] != ':') return std::nullopt;
  const std::string seconds = text.size() == 5 ? ":00" : "";
  const auto since = text::parse_date("1970-01-01T" + std::string(text) + seconds + "Z");
  if (!since || *since < 0 || *since >= kDay_ns) return std::nullopt;
  std::int64_t day = begin_ns / kDay_ns * kDay_ns;
  if (day > begin_ns) day -= kDay_ns;
  const bool next_day = day + *since < begin_ns && day + kDay_ns + *since <= end_ns;
  return day + *since + (next_day ? kDay_ns : 0);
}

}  // namespace

base::Result<std::int64_t> parse_time_point(std::string_view text, std::int64_t begin_ns,
                                            std::int64_t end_ns) {
  const bool from_start = text.starts_with('+');
  if (from_start || text.starts_with('-')) {
    const auto distance = text::parse_duration(text.substr(1));
    if (text.substr(1) == "0s" || text.substr(1) == "0") return from_start ? begin_ns : end_ns;
    if (distance) return from_start ? begin_ns + *distance : end_ns - *distance;
  } else if (const auto date = text::parse_date(text)) {
    return *date;
  } else if (const auto time = parse_time_of_day(text, begin_ns, end_ns)) {
    return *time;
  } else if (const auto ns = text::parse_decimal_time(text, text::TimeUnit::kS)) {
    return *ns;
  }
  return base::fail(base::ErrorKind::kUsage, "is not a time", std::string(text), kRemedy);
}

}  // namespace reveal::replay
