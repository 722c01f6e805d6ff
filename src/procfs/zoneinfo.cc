#include "procfs/zoneinfo.h"

#include <limits>

namespace reveal::procfs {
namespace {

// "Node 0, zone   Normal"
bool parse_head(std::string_view line, ZoneWatermarks& zone) {
  constexpr std::string_view kNode = "Node ";
  const auto comma = line.find(", zone");
  if (!line.starts_with(kNode) || comma == std::string_view::npos) return false;
  const Value number = parse_u64(line.substr(kNode.size(), comma - kNode.size()));
  if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return false;
  WordCursor words(line.substr(comma + 1));
  std::string_view word;
  words.next(word);
  zone.node = static_cast<std::uint32_t>(*number);
  return words.next(zone.zone);
}

// The page sets of cores, at the end of a zone, have lines called "high:".
Value* member_of(ZoneWatermarks& zone, std::string_view name) {
  if (name == "min") return &zone.min;
  if (name == "low") return &zone.low;
  if (name == "high") return &zone.high;
  return name == "managed" ? &zone.managed : nullptr;
}

}  // namespace

void parse_zoneinfo(std::string_view text, std::vector<ZoneWatermarks>& out) {
  out.clear();
  bool inside = false;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with("Node ")) {
      ZoneWatermarks zone;
      inside = parse_head(line, zone);
      if (inside) out.push_back(zone);
      continue;
    }
    WordCursor words(line);
    std::string_view name;
    if (!inside || !words.next(name)) continue;
    if (name == "pages") {
      if (words.next(name) && name == "free") words.next(out.back().free);
    } else if (Value* member = member_of(out.back(), name); member != nullptr && !*member) {
      words.next(*member);
    }
  }
}

}  // namespace reveal::procfs
