#include "collect/gpu/process_groups.h"

#include <array>

#include <fmt/format.h>

#include "procfs/cgroup_identity.h"
#include "procfs/process.h"
#include "procfs/small_file.h"

namespace reveal::collect {
namespace {

constexpr std::string_view kDeleted = " (deleted)";  // what the kernel adds once the group is gone

}  // namespace

std::string_view counted_group(std::string_view path) {
  while (procfs::identify_cgroup(path).kind == procfs::CgroupKind::kInside) {
    path = path.substr(0, path.rfind('/'));
  }
  return path;
}

std::string ProcessGroups::group_of(std::uint32_t pid) const {
  std::array<char, 4096> buffer{};
  const auto text = procfs::read_small_file(root_.proc_path(fmt::format("{}/cgroup", pid)), buffer);
  auto path = procfs::parse_process_cgroup(text);
  if (path.empty()) return {};
  if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  const auto name = procfs::short_cgroup_name(counted_group(path));
  return name.empty() ? "cg=/" : "cg=" + name;
}

}  // namespace reveal::collect
