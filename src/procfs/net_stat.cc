#include "procfs/net_stat.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace reveal::procfs {
namespace {

constexpr std::size_t kMaxColumns = 32;  // at most 17 in Linux 6.18
constexpr std::string_view kOfTheTable = "entries";

using Numbers = std::array<std::uint64_t, kMaxColumns>;

bool parse_hex(std::string_view word, std::uint64_t& out) {
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, out, 16);
  return error == std::errc() && stop == end;
}

// Adds the numbers of a line to the sums. Returns how many there are, 0 for another shape.
std::size_t add_line(std::string_view line, Numbers& sums) {
  std::size_t count = 0;
  WordCursor words(line);
  for (std::string_view word; words.next(word); ++count) {
    std::uint64_t number = 0;
    if (count == kMaxColumns || !parse_hex(word, number)) return 0;
    sums[count] += number;
  }
  return count;
}

}  // namespace

void NetStatLayout::read(std::string_view text, std::span<Value> values) const {
  std::fill(values.begin(), values.end(), std::nullopt);
  LineCursor lines(text);
  std::string_view header;
  if (!text.ends_with('\n') || !lines.next(header)) return;
  std::array<std::size_t, kMaxColumns> key_of{};  // keys_.size() is none
  std::size_t columns = 0;
  WordCursor names(header);
  for (std::string_view name; names.next(name); ++columns) {
    if (columns == kMaxColumns) return;
    const auto found = std::find(keys_.begin(), keys_.end(), name);
    key_of[columns] = static_cast<std::size_t>(found - keys_.begin());
  }
  Numbers sums{};
  std::size_t cores = 0;
  for (std::string_view line; lines.next(line); ++cores) {
    if (add_line(line, sums) != columns) return;
  }
  if (cores == 0) return;
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t key = key_of[column];
    if (key == keys_.size()) continue;
    values[key] = keys_[key] == kOfTheTable ? sums[column] / cores : sums[column];
  }
}

}  // namespace reveal::procfs
