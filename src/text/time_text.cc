#include "text/time_text.h"

#include <cmath>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

namespace reveal::text {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

struct CalendarTime {
  std::tm calendar{};
  std::int64_t ns = 0;  // within the second
};

CalendarTime calendar(std::int64_t wall_ns, Zone zone) {
  std::int64_t seconds = wall_ns / kNsPerSecond;
  std::int64_t rest = wall_ns % kNsPerSecond;
  if (rest < 0) {
    rest += kNsPerSecond;
    --seconds;
  }
  CalendarTime out;
  out.ns = rest;
  const auto time = static_cast<std::time_t>(seconds);
  if (zone == Zone::kUtc) {
    gmtime_r(&time, &out.calendar);
  } else {
    localtime_r(&time, &out.calendar);
  }
  return out;
}

// Returns "Z", or "+01:00".
std::string offset_text(const std::tm& tm, Zone zone) {
  if (zone == Zone::kUtc) return "Z";
  const long minutes = std::labs(tm.tm_gmtoff) / 60;
  return fmt::format("{}{:02}:{:02}", tm.tm_gmtoff < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

}  // namespace

std::string Clock::time(std::int64_t wall_ns) const {
  const auto [tm, ns] = calendar(wall_ns, zone_);
  const auto day =
      says_day_ ? fmt::format("{:04}-{:02}-{:02} ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday)
                : std::string();
  return day +
         fmt::format("{:02}:{:02}:{:02}.{}", tm.tm_hour, tm.tm_min, tm.tm_sec, ns / 100'000'000);
}

std::string Clock::date_time(std::int64_t wall_ns) const {
  const auto [tm, ns] = calendar(wall_ns, zone_);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}{}", tm.tm_year + 1900,
                     tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, ns / 1'000'000,
                     offset_text(tm, zone_));
}

std::string Clock::stretch(std::int64_t begin_ns, std::int64_t end_ns) const {
  return fmt::format("{}, {} to {} {} ({})", date_time(begin_ns).substr(0, 10),
                     Clock(zone_).time(begin_ns), Clock(zone_).time(end_ns), name(),
                     span_text(end_ns - begin_ns));
}

std::string iso_time(std::int64_t wall_ns) {
  return Clock().date_time(wall_ns);
}

std::string clock_time(std::int64_t wall_ns) {
  return Clock().time(wall_ns);
}

std::string span_text(std::int64_t ns) {
  const double seconds = static_cast<double>(ns) / static_cast<double>(kNsPerSecond);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 119.95) return fmt::format("{:.1f} s", seconds);
  const std::int64_t whole = std::llround(seconds);
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace reveal::text
