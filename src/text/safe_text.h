// Makes text from any source safe for a terminal: it cannot move the cursor, change a color or turn
// the direction of writing, and the number of columns that it takes is known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reveal::text {

// Returns the text with each of these replaced by '?': control characters, bytes that are not
// UTF-8, and code points that take no column of their own or steer the text around them; without
// `utf8`, also everything that is not ASCII.
std::string safe_text(std::string_view text, bool utf8);

// Text for people, in lines. All that comes from elsewhere (a host's name, a label, a command, a
// path) is inert in it: control characters but the line's end, bytes that are not UTF-8, and code
// points that steer the text around them (bidirectional controls, characters without width) become
// '?'; a tab becomes a blank. Letters of all scripts stay.
class SafeText {
 public:
  explicit SafeText(std::string_view text);
  // The same for text with styles that a Palette wrote: these stay. Text from elsewhere must have
  // been made inert before (inert()), or it could bring styles of its own.
  static SafeText styled(std::string_view text);

  std::string_view view() const { return text_; }

 private:
  SafeText() = default;
  std::string text_;
};

// Returns text from elsewhere as one line, otherwise as SafeText has it: a line's end becomes a
// blank.
std::string inert(std::string_view text);

// Return the number of columns that a safe text takes (two for East Asian wide characters and
// emoji), its longest beginning that takes at most `columns`, and that beginning filled up with
// blanks.
std::size_t columns_of(std::string_view safe);
std::string cut(std::string_view safe, std::size_t columns);
std::string padded(std::string_view safe, std::size_t columns);
// Returns it with its middle replaced by an ellipsis if it takes more columns: names differ at
// their ends. It is cut at blanks and slashes, and inside a word only if its first or last word
// does not fit.
std::string shortened(std::string_view safe, std::size_t columns, std::string_view ellipsis);
// Returns it with blanks before it.
std::string right_aligned(std::string_view safe, std::size_t columns);

}  // namespace reveal::text
