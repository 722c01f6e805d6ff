#include "procfs/placed_layout.h"

#include <algorithm>

namespace reveal::procfs {
namespace {

// Returns the number at `index` of what is left of a line; nothing if it ends before.
Value number_at(WordCursor words, std::size_t index) {
  std::string_view skipped;
  for (std::size_t i = 0; i < index; ++i) {
    if (!words.next(skipped)) return std::nullopt;
  }
  Value value;
  words.next(value);
  return value;
}

}  // namespace

PlacedLayout::PlacedLayout(std::span<const PlacedLine> lines,
                           const std::vector<std::string_view>& keys) {
  for (const std::string_view key : keys) {
    Place& place = places_.emplace_back();
    const auto blank = key.find(' ');
    if (blank == std::string_view::npos) continue;
    const std::string_view name = key.substr(blank + 1);
    if (name.empty()) continue;
    for (const PlacedLine& line : lines) {
      if (line.label != key.substr(0, blank)) continue;
      const auto found = std::find(line.names.begin(), line.names.end(), name);
      if (found == line.names.end()) continue;
      place = {key.substr(0, blank), static_cast<std::size_t>(found - line.names.begin())};
    }
  }
}

void PlacedLayout::read(std::string_view text, std::span<Value> values) const {
  std::fill(values.begin(), values.end(), std::nullopt);
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view label;
    if (!words.next(label)) continue;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].index == kNowhere || places_[i].label != label || values[i]) continue;
      values[i] = number_at(words, places_[i].index);
    }
  }
}

}  // namespace reveal::procfs
