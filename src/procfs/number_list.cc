#include "procfs/number_list.h"

#include <algorithm>

namespace reveal::procfs {

NumberListLayout::NumberListLayout(const std::vector<std::string_view>& keys) {
  for (const auto key : keys) places_.push_back(parse_u64(key).value_or(0));
}

void NumberListLayout::read(std::string_view text, std::span<Value> values) const {
  std::fill(values.begin(), values.end(), std::nullopt);
  std::string_view line;
  if (!LineCursor(text).next(line)) return;
  WordCursor words(line);
  Value value;
  for (std::size_t place = 1; words.next(value); ++place) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i] == place) values[i] = value;
    }
  }
}

}  // namespace reveal::procfs
