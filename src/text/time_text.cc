#include "text/time_text.h"

#include <cmath>
#include <ctime>

#include <fmt/format.h>

namespace reveal::text {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

struct UtcTime {
  std::tm calendar{};
  std::int64_t ns = 0;  // within the second
};

UtcTime utc(std::int64_t wall_ns) {
  std::int64_t seconds = wall_ns / kNsPerSecond;
  std::int64_t rest = wall_ns % kNsPerSecond;
  if (rest < 0) {
    rest += kNsPerSecond;
    --seconds;
  }
  UtcTime out;
  out.ns = rest;
  const auto time = static_cast<std::time_t>(seconds);
  gmtime_r(&time, &out.calendar);
  return out;
}

}  // namespace

std::string iso_time(std::int64_t wall_ns) {
  const auto [tm, ns] = utc(wall_ns);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", tm.tm_year + 1900, tm.tm_mon + 1,
                     tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, ns / 1'000'000);
}

std::string clock_time(std::int64_t wall_ns) {
  const auto [tm, ns] = utc(wall_ns);
  return fmt::format("{:02}:{:02}:{:02}.{}", tm.tm_hour, tm.tm_min, tm.tm_sec, ns / 100'000'000);
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
