#include "model/process_use.h"

#include <charconv>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace reveal::model {
namespace {

// Three digits are enough for people, and take little room.
std::int64_t rounded(double value) {
  double step = 1;
  while (std::abs(value) >= 1000 * step) step *= 10;
  return std::llround(value / step) * std::llround(step);
}

void put(std::string& out, std::string_view key, double value) {
  if (const auto whole = rounded(value); whole != 0) {
    fmt::format_to(std::back_inserter(out), " {}={}", key, whole);
  }
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number out{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stop != end) return std::nullopt;
  return out;
}

// Takes the next "key=value" off the text. Returns false at its end.
bool take(std::string_view& text, std::string_view& key, std::string_view& value) {
  if (text.empty()) return false;
  const auto end = std::min(text.find(' '), text.size());
  const auto word = text.substr(0, end);
  const auto sign = std::min(word.find('='), word.size());
  key = word.substr(0, sign);
  value = word.substr(std::min(sign + 1, word.size()));
  text.remove_prefix(std::min(end + 1, text.size()));
  return true;
}

// Returns whether the value can be read, or the key is unknown.
bool keep(std::string_view key, std::string_view value, ProcessUse& out) {
  if (key == "pid" || key == "start") {
    const auto whole = number<std::uint64_t>(value);
    if (whole) (key == "pid" ? out.pid : out.start) = *whole;
    return whole.has_value();
  }
  if (key == "cg") {
    out.group = value;
    return true;
  }
  const auto real = number<double>(value);
  if (!real || !std::isfinite(*real)) return false;
  if (key == "s") out.seconds = *real;
  if (key == "cpu") out.cores = *real;
  if (key == "read") out.read = *real;
  if (key == "written") out.written = *real;
  if (key == "grown") out.grown = *real;
  if (key == "resident") out.resident = *real;
  if (key == "faults") out.faults = *real;
  if (key == "stopped") out.stopped = *real != 0;
  return true;
}

}  // namespace

Note note_of(const ProcessUse& use) {
  std::string text = fmt::format("pid={} start={} s={:.2f}", use.pid, use.start, use.seconds);
  if (use.cores >= 0.005) fmt::format_to(std::back_inserter(text), " cpu={:.2f}", use.cores);
  if (use.read) {
    fmt::format_to(std::back_inserter(text), " read={} written={}", rounded(*use.read),
                   rounded(use.written.value_or(0)));
  }
  put(text, "grown", use.grown);
  put(text, "resident", use.resident);
  put(text, "faults", use.faults);
  if (use.stopped) text += " stopped=1";
  if (!use.group.empty()) text += " cg=" + use.group;
  return {Note::Kind::kEvent, std::string(kProcessSource), use.name, std::move(text)};
}

std::optional<ProcessUse> process_use_of(const Note& note) {
  if (!is_process_use(note)) return std::nullopt;
  ProcessUse out;
  out.name = note.subject;
  std::string_view text = note.text;
  std::string_view key;
  std::string_view value;
  while (take(text, key, value)) {
    if (!keep(key, value, out)) return std::nullopt;
  }
  if (out.pid == 0 || !(out.seconds > 0)) return std::nullopt;
  return out;
}

}  // namespace reveal::model
