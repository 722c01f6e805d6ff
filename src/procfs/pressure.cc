#include "procfs/pressure.h"

namespace reveal::procfs {
namespace {

constexpr std::string_view kTotal = "total=";

Value total_of(WordCursor& words) {
  for (std::string_view word; words.next(word);) {
    if (word.starts_with(kTotal)) return parse_u64(word.substr(kTotal.size()));
  }
  return std::nullopt;
}

}  // namespace

Pressure parse_pressure(std::string_view text) {
  Pressure out;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view kind;
    words.next(kind);
    if (kind == "some") out.some_us = total_of(words);
    if (kind == "full") out.full_us = total_of(words);
  }
  return out;
}

void PressureLayout::read(std::string_view text, std::span<Value> values) const {
  const Pressure pressure = parse_pressure(text);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    values[i] = keys_[i] == "some" ? pressure.some_us : pressure.full_us;
  }
}

}  // namespace reveal::procfs
