#include "procfs/cgroup_mounts.h"

#include <algorithm>
#include <optional>

#include "procfs/mount_text.h"
#include "procfs/text_cursor.h"

namespace reveal::procfs {
namespace {

std::vector<std::string> split(std::string_view options) {
  std::vector<std::string> out;
  while (!options.empty()) {
    const auto comma = options.find(',');
    out.emplace_back(options.substr(0, comma));
    if (comma == std::string_view::npos) break;
    options.remove_prefix(comma + 1);
  }
  return out;
}

std::optional<CgroupMount> parse_line(std::string_view line) {
  WordCursor words(line);
  std::string_view word;
  for (int skipped = 0; skipped < 3; ++skipped) {  // mount id, parent id, device
    if (!words.next(word)) return std::nullopt;
  }
  CgroupMount out;
  if (!words.next(word)) return std::nullopt;
  out.root = unescaped_path(word);
  if (!words.next(word) || !word.starts_with('/')) return std::nullopt;
  out.point = unescaped_path(word);
  while (words.next(word) && word != "-") {
  }
  std::string_view type;
  std::string_view device;
  std::string_view options;
  if (!words.next(type) || !words.next(device) || !words.next(options)) return std::nullopt;
  if (type != "cgroup" && type != "cgroup2") return std::nullopt;
  out.unified = type == "cgroup2";
  if (!out.unified) out.options = split(options);
  return out;
}

}  // namespace

bool CgroupMount::has(std::string_view controller) const {
  return std::find(options.begin(), options.end(), controller) != options.end();
}

std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo) {
  std::vector<CgroupMount> out;
  LineCursor lines(mountinfo);
  for (std::string_view line; lines.next(line);) {
    if (auto mount = parse_line(line)) out.push_back(std::move(*mount));
  }
  return out;
}

}  // namespace reveal::procfs
