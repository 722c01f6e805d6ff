#include "procfs/mountinfo.h"

#include "procfs/mount_text.h"
#include "procfs/text_cursor.h"

namespace reveal::procfs {
namespace {

bool parse_line(std::string_view line, Mount& mount) {
  WordCursor words(line);
  std::string_view id;
  std::string_view parent;
  std::string_view device;
  std::string_view root;
  std::string_view point;
  if (!words.next(id) || !words.next(parent) || !words.next(device) || !words.next(root) ||
      !words.next(point) || device.find(':') == std::string_view::npos) {
    return false;
  }
  std::string_view word;
  while (words.next(word) && word != "-") {
  }
  if (word != "-" || !words.next(word)) return false;
  mount = {std::string(device), unescaped_path(point), std::string(word)};
  return true;
}

}  // namespace

std::vector<Mount> parse_mountinfo(std::string_view text) {
  std::vector<Mount> out;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    Mount mount;
    if (parse_line(line, mount)) out.push_back(std::move(mount));
  }
  return out;
}

}  // namespace reveal::procfs
