#include "collect/cgroup/cgroup_processes.h"

#include <algorithm>
#include <memory>

#include <dirent.h>

#include "procfs/small_file.h"

namespace reveal::collect {

namespace {

// Returns the hierarchy that tells whose a process is; the number of all if there is none.
std::size_t telling_hierarchy(const std::vector<CgroupHierarchy>& all) {
  const auto accounts = std::find_if(all.begin(), all.end(), [](const CgroupHierarchy& one) {
    return !one.unified && one.has("cpuacct");
  });
  if (accounts != all.end()) return static_cast<std::size_t>(accounts - all.begin());
  const auto unified =
      std::find_if(all.begin(), all.end(), [](const CgroupHierarchy& one) { return one.unified; });
  return static_cast<std::size_t>(unified - all.begin());
}

}  // namespace

CgroupProcesses::CgroupProcesses(const CgroupTree& tree)
    : tree_(tree), hierarchy_(telling_hierarchy(tree.hierarchies())) {
  found_.reserve(text_.size() / 2);  // a number and its line feed
}

std::span<const std::uint32_t> CgroupProcesses::find(std::string_view path, procfs::CgroupKind kind,
                                                     PlaceSet places) {
  count_ = 0;
  folders_ = 0;
  complete_ = true;
  if (hierarchy_ < tree_.hierarchies().size() && (places & (1U << hierarchy_)) != 0) {
    const std::string& point = tree_.hierarchies()[hierarchy_].point;
    point_ = point.size();
    path_.assign(point).append(path);
    look_into(kind == procfs::CgroupKind::kGroup ? kDepth : 0);
  }
  return {chosen_.data(), count_};
}

void CgroupProcesses::look_into(std::size_t depth) {
  if (!read_list() && depth < kDepth) look_below(depth);
}

// Returns whether the folder at path_ has processes.
bool CgroupProcesses::read_list() {
  const std::size_t folder = path_.size();
  path_.append("/cgroup.procs");
  const auto text = procfs::read_small_file(path_, text_);
  path_.resize(folder);
  found_.clear();
  procfs::LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    const auto pid = procfs::parse_u64(line);
    if (!pid || *pid > UINT32_MAX) continue;
    hidden_ = hidden_ || *pid == 0;
    if (*pid != 0) found_.push_back(static_cast<std::uint32_t>(*pid));
  }
  const std::size_t room = kMost - count_;
  const std::size_t taken = std::min(room, found_.size());
  for (std::size_t i = 0; i < taken; ++i) {
    chosen_[count_++] = found_[i * found_.size() / taken];
  }
  complete_ = complete_ && taken == found_.size() && text.size() < text_.size();
  return !found_.empty();
}

void CgroupProcesses::look_below(std::size_t depth) {
  const std::unique_ptr<::DIR, int (*)(::DIR*)> folder(::opendir(path_.c_str()), ::closedir);
  if (!folder) return;
  const std::size_t size = path_.size();
  while (const auto* entry = ::readdir(folder.get())) {
    const bool may_be_folder = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
    if (entry->d_name[0] == '.' || !may_be_folder) continue;
    if (count_ == kMost || ++folders_ > kFolders) {
      complete_ = false;
      return;
    }
    path_.append("/").append(entry->d_name);
    if (!tree_.follows(std::string_view(path_).substr(point_))) look_into(depth + 1);
    path_.resize(size);
  }
}

}  // namespace reveal::collect
