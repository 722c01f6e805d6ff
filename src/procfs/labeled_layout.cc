#include "procfs/labeled_layout.h"

#include <algorithm>

namespace reveal::procfs {
namespace {

bool is_key(std::string_view key, std::string_view label, std::string_view name) {
  return key.size() == label.size() + 1 + name.size() && key.starts_with(label) &&
         key[label.size()] == ' ' && key.ends_with(name);
}

}  // namespace

void LabeledLayout::read_line(std::string_view line, std::span<Value> values) const {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  WordCursor words(line.substr(colon + 1));
  std::string_view name;
  for (Value value; words.next(name) && words.next(value);) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (is_key(keys_[i], line.substr(0, colon), name)) values[i] = value;
    }
  }
}

void LabeledLayout::read(std::string_view text, std::span<Value> values) const {
  std::fill(values.begin(), values.end(), std::nullopt);
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) read_line(line, values);
}

}  // namespace reveal::procfs
