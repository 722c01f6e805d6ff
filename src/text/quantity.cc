#include "text/quantity.h"

#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace reveal::text {
namespace {

std::string group_thousands(std::string digits) {
  if (digits.size() < 5) return digits;
  for (std::size_t at = digits.size() - 3; at > 0 && at < digits.size(); at -= 3) {
    digits.insert(at, 1, ' ');
    if (at < 3) break;
  }
  return digits;
}

std::string trim_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

// One line of units that differ by a factor: the largest that leaves at least 1 is used.
struct Prefix {
  double factor;
  std::string_view name;
};

constexpr std::array<Prefix, 5> kBytes{
    {{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1.0, "bytes"}}};
constexpr std::array<Prefix, 4> kSeconds{
    {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "\u00b5s"}, {1e-9, "ns"}}};

template <std::size_t N>
std::string scaled(double value, const std::array<Prefix, N>& prefixes, std::string_view zero_unit,
                   std::string_view suffix) {
  if (value == 0) return fmt::format("0 {}{}", zero_unit, suffix);
  for (const auto& prefix : prefixes) {
    if (std::fabs(value) >= prefix.factor || &prefix == &prefixes.back()) {
      return fmt::format("{} {}{}", format_number(value / prefix.factor), prefix.name, suffix);
    }
  }
  return {};
}

// Returns "93 %", or "1.13x" for a ratio that cannot be a share: no share exceeds 100 %.
std::string share(double ratio) {
  constexpr double kWhole = 1.005;  // what is told as 100 %
  return std::fabs(ratio) < kWhole ? format_number(ratio * 100) + " %" : format_number(ratio) + "x";
}

// Returns "(177 KiB)²": people read the root of a square in its own unit, and no power of bytes.
std::string power(double value, double root, std::string_view unit, std::string_view exponent) {
  const auto base = unit.substr(1, unit.size() - 4);
  return fmt::format("{}({}){}", value < 0 ? "-" : "", format_quantity(root, base), exponent);
}

}  // namespace

std::string format_number(double value) {
  if (std::isnan(value)) return "undefined";
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  const double size = std::fabs(value);
  if (size >= 1e15) return fmt::format("{:.4g}", value);
  if (size >= 99.95 || size == std::floor(size)) {
    const std::string digits = group_thousands(fmt::format("{:.0f}", size));
    return value < 0 && digits != "0" ? "-" + digits : digits;
  }
  if (size < 1e-4) return fmt::format("{:.2e}", value);
  const int decimals = size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 4;
  return trim_zeros(fmt::format("{:.{}f}", value, decimals));
}

std::string format_cores(double cores) {
  const auto digits = fmt::format("{:.2f}", cores);
  return fmt::format("{} {}", digits, digits.starts_with("0.") ? "of a core" : "cores");
}

std::string format_quantity(double value, std::string_view unit) {
  if (!std::isfinite(value)) return format_number(value);
  if (unit == "bytes") return scaled(value, kBytes, "bytes", "");
  if (unit == "bytes/s") return scaled(value, kBytes, "bytes", "/s");
  if (unit == "seconds") return scaled(value, kSeconds, "s", "");
  if (unit == "ratio" || unit == "flag") return share(value);
  if (unit.empty()) return format_number(value);
  if (unit.starts_with('(') && unit.ends_with(")^2")) {
    return power(value, std::sqrt(std::fabs(value)), unit, "\u00b2");
  }
  if (unit.starts_with('(') && unit.ends_with(")^3")) {
    return power(value, std::cbrt(std::fabs(value)), unit, "\u00b3");
  }
  for (const std::string_view per : {" per tick", " per chunk"}) {
    if (!unit.ends_with(per)) continue;
    unit.remove_suffix(per.size());
    return format_quantity(value, unit) + std::string(per);
  }
  const bool one = value == 1 && unit.ends_with('s') && unit.find('/') == std::string_view::npos;
  // "processes" and "switches", but not "caches".
  if (one) unit.remove_suffix(unit.ends_with("sses") || unit.ends_with("tches") ? 2 : 1);
  return fmt::format("{} {}", format_number(value), unit);
}

}  // namespace reveal::text
