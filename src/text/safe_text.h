// Text from anywhere made fit for a terminal: nothing that it holds can move the cursor, change a
// color or turn the direction of writing, and how many columns it takes is known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reveal::text {

// Returns the text with each of these replaced by '?': control characters, bytes that are not
// UTF-8, and code points that take no column of their own or steer the text around them. Without
// `utf8`, so is all that is not ASCII.
std::string safe_text(std::string_view text, bool utf8);

// Text for people, in lines: all that comes from elsewhere (a host's name, a label, a command, a
// path) is inert in it. Control characters but the line's end, bytes that are not UTF-8, and code
// points that steer the text around them (bidirectional controls, what has no width) are '?'; a tab
// is a blank. Letters of all scripts stay.
class SafeText {
 public:
  explicit SafeText(std::string_view text);
  // The same, of text whose styles a Palette wrote: these stay. What comes from elsewhere must have
  // been made inert before (inert()), lest it brings the like.
  static SafeText styled(std::string_view text);

  std::string_view view() const { return text_; }

 private:
  SafeText() = default;
  std::string text_;
};

// Returns text from elsewhere in one line, otherwise as SafeText has it: a line's end is a blank.
std::string inert(std::string_view text);

// Return how many columns a safe text takes (two for East Asian wide characters and emoji), the
// longest beginning of it that takes at most `columns`, and the same filled up with blanks.
std::size_t columns_of(std::string_view safe);
std::string cut(std::string_view safe, std::size_t columns);
std::string padded(std::string_view safe, std::size_t columns);
// Returns it with its middle replaced by an ellipsis, where it takes more columns: names differ at
// their ends.
std::string shortened(std::string_view safe, std::size_t columns, std::string_view ellipsis);
// Returns it with blanks before it instead.
std::string right_aligned(std::string_view safe, std::size_t columns);

}  // namespace reveal::text
