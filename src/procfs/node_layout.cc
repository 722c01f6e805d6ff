#include "procfs/node_layout.h"

#include <algorithm>

namespace reveal::procfs {

void NodeLayout::read(std::string_view text, std::span<Value> values) const {
  std::fill(values.begin(), values.end(), std::nullopt);
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view node;
    std::string_view number;
    std::string_view key;
    if (!words.next(node) || node != "Node" || !words.next(number) || !words.next(key)) continue;
    if (!key.ends_with(':')) continue;
    key.remove_suffix(1);
    const auto found = std::find(keys_.begin(), keys_.end(), key);
    if (found != keys_.end()) words.next(values[static_cast<std::size_t>(found - keys_.begin())]);
  }
}

}  // namespace reveal::procfs
