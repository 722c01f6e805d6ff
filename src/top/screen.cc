#include "top/screen.h"

#include "text/safe_text.h"

namespace reveal::top {

void Line::add(std::string_view safe, Style style) {
  std::string text = text::cut(safe, left_);
  left_ -= text::columns_of(text);
  if (text.empty()) return;
  // A terminal is told span by span.
  if (!spans_.empty() && spans_.back().style == style) {
    spans_.back().text += text;
  } else {
    spans_.push_back({std::move(text), style});
  }
}

void Line::add_right(std::string_view safe, Style style) {
  const std::size_t columns = text::columns_of(safe);
  if (columns + 1 > left_) return;
  add(std::string(left_ - columns, ' '));
  add(safe, style);
}

std::string Line::text() const {
  std::string out;
  for (const auto& span : spans_) out += span.text;
  const auto last = out.find_last_not_of(' ');
  out.resize(last == std::string::npos ? 0 : last + 1);
  return out;
}

std::string to_text(const Screen& screen) {
  std::string out;
  for (const auto& line : screen) out += line.text() + "\n";
  const auto last = out.find_last_not_of('\n');
  out.resize(last == std::string::npos ? 0 : last + 2);
  return out;
}

}  // namespace reveal::top
