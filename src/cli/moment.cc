#include "cli/moment.h"

#include <string>

#include "cli/duration.h"
#include "exchange/time_text.h"

namespace reveal::cli {
namespace {

constexpr const char* kRemedy =
    "write a date such as 2026-11-20T14:03:07Z, seconds since 1970, +90s from the start, or -5m "
    "from the end";

}  // namespace

base::Result<std::int64_t> parse_moment(std::string_view text, std::int64_t begin_ns,
                                        std::int64_t end_ns) {
  const bool from_start = text.starts_with('+');
  if (from_start || text.starts_with('-')) {
    const auto distance = parse_duration(text.substr(1));
    if (text.substr(1) == "0s" || text.substr(1) == "0") return from_start ? begin_ns : end_ns;
    if (distance) return from_start ? begin_ns + *distance : end_ns - *distance;
  } else if (const auto date = exchange::parse_date(text)) {
    return *date;
  } else if (const auto ns = exchange::parse_decimal_time(text, exchange::TimeUnit::kS)) {
    return *ns;
  }
  return base::fail(base::ErrorKind::kUsage, "is no moment", std::string(text), kRemedy);
}

}  // namespace reveal::cli
