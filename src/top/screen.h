// A picture of the terminal, without a terminal: lines of text with styles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reveal::top {

struct Size {
  std::size_t rows = 24;
  std::size_t columns = 80;
};

// How a terminal may set a text off. Whatever is said by it is said by the text as well.
enum class Style { kPlain, kBold, kDim, kAlarm };

struct Span {
  std::string text;  // text::safe_text()
  Style style = Style::kPlain;
};

// A line that takes no more columns than it was made for.
class Line {
 public:
  explicit Line(std::size_t columns) : left_(columns) {}

  // Adds as much of a safe text as there is room for.
  void add(std::string_view safe, Style style = Style::kPlain);
  // Adds it at the right end, if there is room for it and a blank before it.
  void add_right(std::string_view safe, Style style = Style::kPlain);
  std::size_t left() const { return left_; }
  const std::vector<Span>& spans() const { return spans_; }
  // Returns it without styles and without blanks at its end.
  std::string text() const;

 private:
  std::vector<Span> spans_;
  std::size_t left_;
};

using Screen = std::vector<Line>;

// Returns the screen as plain text, a line each, without empty lines at its end.
std::string to_text(const Screen& screen);

}  // namespace reveal::top
