#include "procfs/diskstats.h"

namespace reveal::procfs {
namespace {

constexpr std::size_t kOldestFieldCount = 11;

bool parse_line(std::string_view line, DiskStats& disk) {
  WordCursor words(line);
  Value major;
  Value minor;
  if (!words.next(major) || !words.next(minor) || !major || !minor) return false;
  if (!words.next(disk.name)) return false;
  std::size_t count = 0;
  while (count < kDiskFieldCount && words.next(disk.fields[count])) ++count;
  return count >= kOldestFieldCount;
}

}  // namespace

void parse_diskstats(std::string_view text, std::vector<DiskStats>& out) {
  out.clear();
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    DiskStats disk;
    if (parse_line(line, disk)) out.push_back(disk);
  }
}

}  // namespace reveal::procfs
