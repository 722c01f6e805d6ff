#include "procfs/cpu_mask.h"

#include <bit>
#include <charconv>
#include <optional>

namespace reveal::procfs {
namespace {

constexpr std::size_t kGroupDigits = 8;

// Returns a group of one to eight hexadecimal digits.
std::optional<std::uint32_t> parse_group(std::string_view group) {
  if (group.empty() || group.size() > kGroupDigits) return std::nullopt;
  std::uint32_t value = 0;
  const char* end = group.data() + group.size();
  const auto [stop, error] = std::from_chars(group.data(), end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

bool CpuMask::merge(std::string_view text) {
  auto words = words_;
  for (std::size_t place = 0;; ++place) {
    const auto comma = text.rfind(',');
    const auto group = parse_group(comma == text.npos ? text : text.substr(comma + 1));
    if (!group || place >= kWords) return false;
    words[place] |= *group;
    if (comma == text.npos) break;
    text = text.substr(0, comma);
  }
  words_ = words;
  return true;
}

std::size_t CpuMask::count() const {
  std::size_t out = 0;
  for (const std::uint32_t word : words_) out += static_cast<std::size_t>(std::popcount(word));
  return out;
}

bool CpuMask::contains(std::size_t cpu) const {
  return cpu / 32 < kWords && (words_[cpu / 32] >> (cpu % 32) & 1U) != 0;
}

}  // namespace reveal::procfs
