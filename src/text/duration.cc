#include "text/duration.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace reveal::text {
namespace {

struct Unit {
  std::string_view name;
  double ns;
};

constexpr std::array<Unit, 7> kUnits{
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}}};
constexpr double kLongest = 9e18;  // fits 63 bits of nanoseconds, some 285 years

}  // namespace

base::Result<std::int64_t> parse_duration(std::string_view text) {
  const auto bad = [&](std::string why) {
    return base::fail(base::ErrorKind::kUsage, std::move(why), std::string(text),
                      "write a number and a unit, such as 100ms, 3s, 2m or 1h");
  };
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return bad("is not a duration");
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (rest.empty()) return bad("has no unit");
  for (const auto& unit : kUnits) {
    if (unit.name != rest) continue;
    const double ns = number * unit.ns;
    if (!(ns >= 1) || ns > kLongest) return bad("must be a positive duration");
    return static_cast<std::int64_t>(std::llround(ns));
  }
  return bad("has an unknown unit");
}

}  // namespace reveal::text
