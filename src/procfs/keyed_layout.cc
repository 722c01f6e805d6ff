#include "procfs/keyed_layout.h"

#include <algorithm>

namespace reveal::procfs {
namespace {

std::string_view key_of(std::string_view line) {
  return line.substr(0, line.find_first_of(": "));
}

bool has_key(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return false;
  return line.size() == key.size() || line[key.size()] == ':' || line[key.size()] == ' ';
}

Value value_after(std::string_view line, std::size_t key_size) {
  if (key_size < line.size() && line[key_size] == ':') ++key_size;
  WordCursor words(line.substr(key_size));
  Value value;
  words.next(value);
  return value;
}

}  // namespace

std::size_t KeyedLayout::index_of(std::string_view key) const {
  const auto it = std::find(keys_.begin(), keys_.end(), key);
  return it == keys_.end() ? kUnwanted : static_cast<std::size_t>(it - keys_.begin());
}

void KeyedLayout::learn(std::string_view text) {
  lines_.clear();
  text_of_keys_.clear();
  text_of_keys_.reserve(text.size());  // views into it must not move
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    const std::string_view key = key_of(line);
    const char* kept = text_of_keys_.data() + text_of_keys_.size();
    text_of_keys_.append(key);
    lines_.push_back({{kept, key.size()}, index_of(key)});
  }
}

bool KeyedLayout::read_as_learned(std::string_view text, std::span<Value> values) const {
  std::fill(values.begin(), values.end(), std::nullopt);
  LineCursor lines(text);
  auto learned = lines_.begin();
  for (std::string_view line; lines.next(line); ++learned) {
    if (learned == lines_.end() || !has_key(line, learned->key)) return false;
    if (learned->index != kUnwanted)
      values[learned->index] = value_after(line, learned->key.size());
  }
  return true;
}

void KeyedLayout::read(std::string_view text, std::span<Value> values) {
  if (read_as_learned(text, values)) return;
  learn(text);
  read_as_learned(text, values);
}

}  // namespace reveal::procfs
