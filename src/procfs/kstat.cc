#include "procfs/kstat.h"

#include <algorithm>

namespace reveal::procfs {

void KstatLayout::read(std::string_view text, std::span<Value> values) const {
  std::fill(values.begin(), values.end(), std::nullopt);
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view name;
    std::string_view type;
    Value value;
    if (!words.next(name) || !words.next(type) || type != "4" || !words.next(value)) continue;
    const auto found = std::find(keys_.begin(), keys_.end(), name);
    if (found != keys_.end()) values[static_cast<std::size_t>(found - keys_.begin())] = value;
  }
}

}  // namespace reveal::procfs
