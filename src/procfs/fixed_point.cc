#include "procfs/fixed_point.h"

#include <limits>

namespace reveal::procfs {

Value parse_hundredths(std::string_view word) {
  constexpr std::size_t kDecimals = 2;
  constexpr std::uint64_t kOne = 100;
  const auto point = word.find('.');
  if (point == std::string_view::npos || word.size() - point - 1 != kDecimals) return std::nullopt;
  const Value whole = parse_u64(word.substr(0, point));
  const Value part = parse_u64(word.substr(point + 1));
  if (!whole || !part || *whole >= std::numeric_limits<std::uint64_t>::max() / kOne) {
    return std::nullopt;
  }
  return *whole * kOne + *part;
}

}  // namespace reveal::procfs
