#include "text/local_day.h"

#include <ctime>

#include <fmt/format.h>

#include "text/duration.h"
#include "text/parse_time.h"

namespace reveal::text {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kHour_s = 3600;
constexpr std::size_t kDateLength = 10;

std::tm local_calendar(std::int64_t wall_ns) {
  const auto rest = wall_ns % kSecond_ns;
  const auto seconds = static_cast<std::time_t>(wall_ns / kSecond_ns - (rest < 0 ? 1 : 0));
  std::tm out{};
  localtime_r(&seconds, &out);
  return out;
}

// Returns the first moment of a local date, whose month and day may be beyond their ranges.
std::int64_t begin_of(int year, int month, int day) {
  std::tm wanted{};
  wanted.tm_year = year;
  wanted.tm_mon = month;
  wanted.tm_mday = day;
  wanted.tm_hour = 12;  // which exists on every day
  wanted.tm_isdst = -1;
  static_cast<void>(std::mktime(&wanted));  // puts month and day into their ranges
  std::tm first = wanted;
  first.tm_hour = 0;
  first.tm_isdst = -1;
  auto out = std::mktime(&first);
  // A midnight that is skipped is taken for the hour before it or after it.
  if (first.tm_mday != wanted.tm_mday) out += kHour_s;
  return static_cast<std::int64_t>(out) * kSecond_ns;
}

}  // namespace

std::int64_t local_day(std::int64_t wall_ns, int days) {
  const auto date = local_calendar(wall_ns);
  return begin_of(date.tm_year, date.tm_mon, date.tm_mday + days);
}

std::string local_date(std::int64_t wall_ns) {
  const auto date = local_calendar(wall_ns);
  return fmt::format("{:04}-{:02}-{:02}", date.tm_year + 1900, date.tm_mon + 1, date.tm_mday);
}

int local_hour(std::int64_t wall_ns) {
  return local_calendar(wall_ns).tm_hour;
}

base::Result<std::int64_t> parse_when(std::string_view text, std::int64_t now_ns) {
  if (text == "now") return now_ns;
  if (text == "today") return local_day(now_ns);
  if (text == "yesterday") return local_day(now_ns, -1);
  if (const auto date = parse_date(text)) {
    if (text.size() != kDateLength) return *date;
    std::tm utc{};
    const auto seconds = static_cast<std::time_t>(*date / kSecond_ns);
    gmtime_r(&seconds, &utc);
    return begin_of(utc.tm_year, utc.tm_mon, utc.tm_mday);
  }
  if (const auto age = parse_duration(text)) return now_ns - *age;
  return base::fail(base::ErrorKind::kUsage, "is not a time", std::string(text),
                    "give yesterday, today, a time before now such as 24h, or a date such as "
                    "2026-11-24T09:31:00Z");
}

}  // namespace reveal::text
