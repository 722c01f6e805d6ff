#include "procfs/buddyinfo.h"

#include <limits>

namespace reveal::procfs {
namespace {

bool take(WordCursor& words, std::string_view expected) {
  std::string_view word;
  return words.next(word) && word == expected;
}

bool parse_line(std::string_view line, ZoneBlocks& zone) {
  WordCursor words(line);
  std::string_view node;
  if (!take(words, "Node") || !words.next(node) || !node.ends_with(',')) return false;
  const Value number = parse_u64(node.substr(0, node.size() - 1));
  if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return false;
  zone.node = static_cast<std::uint32_t>(*number);
  if (!take(words, "zone") || !words.next(zone.zone)) return false;
  for (Value blocks; zone.orders < kMaxOrders && words.next(blocks); ++zone.orders) {
    if (!blocks) return false;
    zone.blocks[zone.orders] = *blocks;
  }
  return zone.orders > 0;
}

}  // namespace

bool parse_buddyinfo(std::string_view text, std::vector<ZoneBlocks>& out) {
  out.clear();
  bool whole = text.ends_with('\n');
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    ZoneBlocks zone;
    if (parse_line(line, zone)) {
      out.push_back(zone);
    } else {
      whole = false;
    }
  }
  return whole;
}

}  // namespace reveal::procfs
