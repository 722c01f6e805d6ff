#include "collect/cgroup/cgroup_hierarchies.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include "procfs/cgroup_mounts.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kControllers[] = {"cpu",  "cpuacct", "cpuset", "memory", "blkio",
                                             "pids", "hugetlb", "rdma",   "freezer"};

bool is_controller(std::string_view word) {
  return std::find(std::begin(kControllers), std::end(kControllers), word) !=
         std::end(kControllers);
}

// Returns where a mount point of the host is below the roots given; empty for elsewhere.
std::string point_below(const procfs::HostRoot& root, const std::string& point) {
  constexpr std::string_view kSys = "/sys";
  if (root.sys == kSys || point.starts_with(root.sys + "/")) return point;
  if (point.starts_with("/sys/")) return root.sys + point.substr(kSys.size());
  return {};
}

CgroupHierarchy hierarchy_of(const procfs::CgroupMount& mount, std::string point) {
  CgroupHierarchy out;
  out.point = std::move(point);
  out.unified = mount.unified;
  // A root with ".." is outside of the reader's own namespace, and tells nothing.
  if (mount.root != "/" && mount.root.find("/..") == std::string::npos) out.above = mount.root;
  for (const auto& option : mount.options) {
    if (is_controller(option)) out.controllers.push_back(option);
  }
  return out;
}

class Finder {
 public:
  void add(CgroupHierarchy hierarchy) {
    const bool useful = hierarchy.unified || !hierarchy.controllers.empty();
    if (!useful || found_.size() == kMaxHierarchies || is_known(hierarchy)) return;
    if (::access(hierarchy.point.c_str(), F_OK) == 0) found_.push_back(std::move(hierarchy));
  }
  bool empty() const { return found_.empty(); }
  std::vector<CgroupHierarchy> take() {
    std::stable_partition(found_.begin(), found_.end(),
                          [](const auto& hierarchy) { return !hierarchy.unified; });
    return std::move(found_);
  }

 private:
  // The same hierarchy is often mounted more than once.
  bool is_known(const CgroupHierarchy& hierarchy) const {
    return std::any_of(found_.begin(), found_.end(), [&](const auto& known) {
      return known.unified == hierarchy.unified && known.controllers == hierarchy.controllers;
    });
  }

  std::vector<CgroupHierarchy> found_;
};

void find_in_mounts(const procfs::HostRoot& root, Finder& finder) {
  procfs::TextFile file(root.proc_path("self/mountinfo"));
  const auto text = file.read();
  if (!text) return;
  const auto mounts = procfs::parse_cgroup_mounts(*text);
  // Mounts below the given root itself go before those that are taken to be below it.
  for (const bool exact : {true, false}) {
    if (!exact && !finder.empty()) return;
    for (const auto& mount : mounts) {
      if (exact != mount.point.starts_with(root.sys + "/")) continue;
      auto point = point_below(root, mount.point);
      if (!point.empty()) finder.add(hierarchy_of(mount, std::move(point)));
    }
  }
}

// "cpu,cpuacct" is how distributions name the folder of a hierarchy with both.
std::vector<std::string> controllers_in_name(std::string_view name) {
  std::vector<std::string> out;
  while (!name.empty()) {
    const auto comma = name.find(',');
    if (!is_controller(name.substr(0, comma))) return {};
    out.emplace_back(name.substr(0, comma));
    if (comma == std::string_view::npos) break;
    name.remove_prefix(comma + 1);
  }
  return out;
}

bool is_unified(const fs::path& point) {
  std::error_code error;
  return fs::exists(point / "cgroup.controllers", error);
}

void find_by_look(const fs::path& top, Finder& finder) {
  if (is_unified(top)) {
    finder.add({top.string(), "", true, {}});
    return;
  }
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator it(top, error), end; !error && it != end; it.increment(error)) {
    if (it->is_directory(error) && !it->is_symlink(error)) folders.push_back(it->path());
  }
  std::sort(folders.begin(), folders.end());
  for (const auto& folder : folders) {
    const bool unified = is_unified(folder);
    auto controllers =
        unified ? std::vector<std::string>() : controllers_in_name(folder.filename().string());
    finder.add({folder.string(), "", unified, std::move(controllers)});
  }
}

}  // namespace

bool CgroupHierarchy::has(std::string_view controller) const {
  return std::find(controllers.begin(), controllers.end(), controller) != controllers.end();
}

base::Result<std::vector<CgroupHierarchy>> find_cgroup_hierarchies(const procfs::HostRoot& root) {
  Finder finder;
  find_in_mounts(root, finder);
  const std::string top = root.sys_path("fs/cgroup");
  if (finder.empty()) find_by_look(top, finder);
  if (finder.empty()) {
    return base::fail(base::ErrorKind::kAbsent, "no control groups are mounted", top,
                      "mount them: mount -t cgroup2 none /sys/fs/cgroup");
  }
  return finder.take();
}

}  // namespace reveal::collect
