#include "procfs/lustre_stats.h"

namespace reveal::procfs {
namespace {

// Behind the operation: samples, "samples", "[bytes]", least, most, sum.
Value sum_of(WordCursor& words) {
  Value samples;
  std::string_view word;
  std::string_view unit;
  Value least;
  Value most;
  Value sum;
  if (!words.next(samples) || !words.next(word) || !words.next(unit) || unit != "[bytes]") {
    return std::nullopt;
  }
  if (words.next(least) && words.next(most)) words.next(sum);
  return sum;
}

}  // namespace

LustreStats parse_lustre_stats(std::string_view text) {
  LustreStats out;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view operation;
    words.next(operation);
    if (operation == "read_bytes") out.read_bytes = sum_of(words);
    if (operation == "write_bytes") out.written_bytes = sum_of(words);
  }
  return out;
}

}  // namespace reveal::procfs
