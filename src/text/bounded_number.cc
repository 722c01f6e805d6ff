#include "text/bounded_number.h"

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "text/parse_number.h"

namespace reveal::text {
namespace {

template <typename Number>
base::Unexpected outside(std::string_view text, std::string_view noun, Number least, Number most) {
  std::string what = fmt::format("must be {}", noun);
  // Of a count, 0 is worth saying.
  if (std::is_unsigned_v<Number> || least != std::numeric_limits<Number>::lowest()) {
    what += fmt::format(" from {}", least);
  }
  if (most != std::numeric_limits<Number>::max()) what += fmt::format(" to {}", most);
  return base::fail(base::ErrorKind::kUsage, what, std::string(text));
}

}  // namespace

base::Result<std::int64_t> signed_within(std::string_view text, std::int64_t least,
                                         std::int64_t most) {
  const auto value = parse_i64(text);
  if (value && *value >= least && *value <= most) return *value;
  return outside(text, "a whole number", least, most);
}

base::Result<std::uint64_t> count_within(std::string_view text, std::uint64_t least,
                                         std::uint64_t most) {
  const auto value = parse_u64(text);
  if (value && *value >= least && *value <= most) return *value;
  return outside(text, "a whole number", least, most);
}

base::Result<double> real_within(std::string_view text, double least, double most) {
  const auto value = parse_number(text);
  if (value && std::isfinite(value->real) && value->real >= least && value->real <= most) {
    return value->real;
  }
  return outside(text, "a number", least, most);
}

std::string real_text(double value) {
  return fmt::format("{}", value);
}

}  // namespace reveal::text
