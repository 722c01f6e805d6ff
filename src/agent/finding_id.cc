#include "agent/finding_id.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <random>

namespace reveal::agent {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t kTimeDigits = 10;
constexpr std::size_t kRandomDigits = 16;

}  // namespace

std::string new_finding_id(std::int64_t begin_ns) {
  std::string out(kTimeDigits + kRandomDigits, '0');
  auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(begin_ns / 1'000'000, 0));
  for (std::size_t i = kTimeDigits; i-- > 0; ms >>= 5) out[i] = kDigits[ms & 31];
  std::random_device random;
  for (std::size_t i = kTimeDigits; i < out.size(); ++i) out[i] = kDigits[random() & 31];
  return out;
}

bool is_finding_id(std::string_view text) {
  return text.size() == kTimeDigits + kRandomDigits &&
         text.find_first_not_of(kDigits) == std::string_view::npos;
}

std::int64_t begin_of(std::string_view id) {
  constexpr std::uint64_t kMost_ms = std::numeric_limits<std::int64_t>::max() / 1'000'000;
  std::uint64_t ms = 0;
  for (const char digit : id.substr(0, kTimeDigits)) ms = ms << 5 | kDigits.find(digit);
  return static_cast<std::int64_t>(std::min(ms, kMost_ms)) * 1'000'000;
}

}  // namespace reveal::agent
