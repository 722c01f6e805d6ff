#include "demo/memory_group.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "base/whole_file.h"
#include "demo/process.h"
#include "procfs/cgroup_mounts.h"
#include "procfs/text_cursor.h"

namespace reveal::demo {
namespace {

namespace fs = std::filesystem;

// Of version 2 the limit that throttles: the one that kills is never set.
constexpr const char* kLimitV2 = "memory.high";
constexpr const char* kLimitV1 = "memory.limit_in_bytes";

// Returns the path of the group that accounts for memory, "/" if there is none of its own.
std::optional<std::string> own_group(std::string_view groups, bool unified) {
  procfs::LineCursor lines(groups);
  for (std::string_view line; lines.next(line);) {  // "4:memory:/a/b", or of version 2 "0::/a/b"
    const auto first = line.find(':');
    const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const auto controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    const bool is_it =
        unified ? line.starts_with("0::") : controllers.find(",memory,") != std::string::npos;
    if (is_it) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

base::Result<void> write_to(const fs::path& file, std::string_view value) {
  const base::UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (fd.valid() && ::write(fd.get(), value.data(), value.size()) >= 0) return {};
  return base::fail_errno(errno, fmt::format("cannot write {}", value), file.string());
}

bool lets_in(const fs::path& group) {
  const auto one = start_process("a process that tries a control group",
                                 [&] { return enter_group(group) ? 0 : 1; });
  return one && status_of(*one) == 0;
}

}  // namespace

std::vector<fs::path> memory_folders(std::string_view mountinfo, std::string_view groups) {
  const auto mounts = procfs::parse_cgroup_mounts(mountinfo);
  auto mount =
      std::find_if(mounts.begin(), mounts.end(), [](const auto& one) { return one.has("memory"); });
  if (mount == mounts.end()) {
    mount = std::find_if(mounts.begin(), mounts.end(), [](const auto& one) { return one.unified; });
  }
  if (mount == mounts.end()) return {};
  auto group = own_group(groups, mount->unified);
  if (!group) return {};
  // A container's mount shows a group inside the hierarchy as its top.
  if (mount->root != "/" && group->starts_with(mount->root)) group->erase(0, mount->root.size());
  std::vector<fs::path> out;
  const fs::path top(mount->point);
  for (auto below = fs::path("/" + *group).lexically_normal().relative_path();;
       below = below.parent_path()) {
    out.push_back(below.empty() ? top : top / below);
    if (below.empty()) return out;
  }
}

base::Result<std::vector<fs::path>> own_memory_folders() {
  const auto mountinfo = base::read_whole_file("/proc/self/mountinfo", "mount table");
  if (!mountinfo) return base::pass(mountinfo);
  const auto groups = base::read_whole_file("/proc/self/cgroup", "list of control groups");
  if (!groups) return base::pass(groups);
  return memory_folders(*mountinfo, *groups);
}

base::Result<MemoryGroup> MemoryGroup::make(const std::vector<fs::path>& folders) {
  for (const auto& folder : folders) {
    auto path = folder / fmt::format("reveal-demo-{}", ::getpid());
    if (::mkdir(path.c_str(), 0755) != 0) continue;
    MemoryGroup group(std::move(path));
    if (group.lift() && lets_in(group.path())) return group;
  }
  return base::fail(base::ErrorKind::kPermission,
                    "there is no control group here in which the job's memory can be limited",
                    folders.empty() ? "/proc/self/cgroup" : folders.front().string(),
                    "run it as root, or by systemd-run --user --scope");
}

MemoryGroup::~MemoryGroup() {
  if (!path_.empty()) ::rmdir(path_.c_str());
}

base::Result<void> MemoryGroup::set(std::string_view value_v2, std::string_view value_v1) const {
  const bool is_v1 = ::access((path_ / kLimitV1).c_str(), F_OK) == 0;
  return write_to(path_ / (is_v1 ? kLimitV1 : kLimitV2), is_v1 ? value_v1 : value_v2);
}

base::Result<void> MemoryGroup::limit(std::int64_t bytes) const {
  const auto value = std::to_string(bytes);
  return set(value, value);
}

base::Result<void> MemoryGroup::lift() const {
  return set("max", "-1");
}

base::Result<void> enter_group(const fs::path& group) {
  return write_to(group / "cgroup.procs", "0");
}

}  // namespace reveal::demo
