#include "procfs/chosen_word.h"

#include "procfs/text_cursor.h"

namespace reveal::procfs {

std::string_view chosen_word(std::string_view text) {
  std::string_view line;
  if (!LineCursor(text).next(line)) return {};
  WordCursor words(line);
  std::string_view only;
  std::size_t count = 0;
  for (std::string_view word; words.next(word); ++count) {
    if (word.size() > 2 && word.front() == '[' && word.back() == ']') {
      return word.substr(1, word.size() - 2);
    }
    only = word;
  }
  return count == 1 ? only : std::string_view();
}

}  // namespace reveal::procfs
