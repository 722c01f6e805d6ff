#include "text/byte_count.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace reveal::text {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr std::array<Unit, 13> kUnits{{{"B", 1},
                                       {"KiB", 1024.0},
                                       {"MiB", 1048576.0},
                                       {"GiB", 1073741824.0},
                                       {"TiB", 1099511627776.0},
                                       {"kB", 1e3},
                                       {"MB", 1e6},
                                       {"GB", 1e9},
                                       {"TB", 1e12},
                                       {"k", 1e3},
                                       {"M", 1e6},
                                       {"G", 1e9},
                                       {"T", 1e12}}};
constexpr double kMax = 9e18;  // fits 63 bits

}  // namespace

base::Result<std::uint64_t> parse_byte_count(std::string_view text) {
  const auto bad = [&](std::string why) {
    return base::fail(base::ErrorKind::kUsage, std::move(why), std::string(text),
                      "write a number and a unit, such as 500MiB or 10GiB");
  };
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return bad("is not a number of bytes");
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (rest.empty()) return bad("has no unit");
  for (const auto& unit : kUnits) {
    if (unit.name != rest) continue;
    const double bytes = number * unit.bytes;
    if (!(bytes >= 1) || bytes > kMax) return bad("must be a positive number of bytes");
    return static_cast<std::uint64_t>(std::llround(bytes));
  }
  return bad("has an unknown unit");
}

}  // namespace reveal::text
