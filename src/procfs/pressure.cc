#include "procfs/pressure.h"

#include "procfs/fixed_point.h"

namespace reveal::procfs {
namespace {

constexpr std::string_view kTotal = "total=";
constexpr std::string_view kAvg10 = "avg10=";

void parse_line(WordCursor& words, Value& total, Value& avg10) {
  for (std::string_view word; words.next(word);) {
    if (word.starts_with(kTotal)) total = parse_u64(word.substr(kTotal.size()));
    if (word.starts_with(kAvg10)) avg10 = parse_hundredths(word.substr(kAvg10.size()));
  }
}

Value value_of(const Pressure& pressure, std::string_view key) {
  if (key == "some") return pressure.some_us;
  if (key == "full") return pressure.full_us;
  if (key == "some avg10") return pressure.some_avg10;
  return pressure.full_avg10;
}

}  // namespace

Pressure parse_pressure(std::string_view text) {
  Pressure out;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view kind;
    words.next(kind);
    if (kind == "some") parse_line(words, out.some_us, out.some_avg10);
    if (kind == "full") parse_line(words, out.full_us, out.full_avg10);
  }
  return out;
}

void PressureLayout::read(std::string_view text, std::span<Value> values) const {
  const Pressure pressure = parse_pressure(text);
  for (std::size_t i = 0; i < keys_.size(); ++i) values[i] = value_of(pressure, keys_[i]);
}

}  // namespace reveal::procfs
