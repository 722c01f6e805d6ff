#include "procfs/softnet.h"

#include <charconv>
#include <cstddef>

namespace reveal::procfs {
namespace {

// By column, from 0: where it goes.
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
constexpr std::size_t kCpu = kSoftnetFieldCount;
constexpr std::array<std::size_t, 13> kPlaceOfColumn = {
    static_cast<std::size_t>(SoftnetField::kProcessed),
    static_cast<std::size_t>(SoftnetField::kDropped),
    static_cast<std::size_t>(SoftnetField::kSqueezed),
    kNowhere,
    kNowhere,
    kNowhere,
    kNowhere,
    kNowhere,
    kNowhere,
    static_cast<std::size_t>(SoftnetField::kReceivedRps),
    static_cast<std::size_t>(SoftnetField::kFlowLimit),
    static_cast<std::size_t>(SoftnetField::kBacklog),
    kCpu,
};

Value parse_hex(std::string_view word) {
  std::uint32_t value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

SoftnetCore parse_line(std::string_view line) {
  SoftnetCore core;
  WordCursor words(line);
  std::string_view word;
  for (const std::size_t place : kPlaceOfColumn) {
    if (!words.next(word)) break;
    if (place == kNowhere) continue;
    (place == kCpu ? core.cpu : core.fields[place]) = parse_hex(word);
  }
  return core;
}

}  // namespace

void parse_softnet(std::string_view text, std::vector<SoftnetCore>& out) {
  out.clear();
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) out.push_back(parse_line(line));
}

}  // namespace reveal::procfs
