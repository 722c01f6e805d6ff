#include "procfs/diskstats.h"

namespace reveal::procfs {
namespace {

constexpr std::size_t kOldestFieldCount = 11;

bool parse_fields(WordCursor& words, std::array<Value, kDiskFieldCount>& fields) {
  fields.fill(std::nullopt);
  std::size_t count = 0;
  while (count < kDiskFieldCount && words.next(fields[count])) ++count;
  return count >= kOldestFieldCount;
}

bool parse_line(std::string_view line, DiskStats& disk) {
  WordCursor words(line);
  Value major;
  Value minor;
  if (!words.next(major) || !words.next(minor) || !major || !minor) return false;
  return words.next(disk.name) && parse_fields(words, disk.fields);
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

bool parse_disk_stat(std::string_view text, std::array<Value, kDiskFieldCount>& fields) {
  LineCursor lines(text);
  std::string_view line;
  if (!lines.next(line)) return false;
  WordCursor words(line);
  return parse_fields(words, fields);
}

}  // namespace reveal::procfs
