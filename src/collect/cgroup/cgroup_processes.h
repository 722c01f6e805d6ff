// Some processes of a control group, from its cgroup.procs. If none is in the group itself, those
// of groups below it that are not followed on their own are its processes: a container's services,
// the tasks of a job's step. A slice only holds others, so nothing below it is looked into.
// https://docs.kernel.org/admin-guide/cgroup-v2.html#processes
//
// A process may be in another group in each hierarchy. Its group is, as in parse_process_cgroup(),
// that of version 1 that accounts for CPU time, or of version 2 where there is none.
//
// The work is bounded: a few folders, and of each the beginning of its list. Nothing is allocated
// once the longest path was seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collect/cgroup/cgroup_tree.h"

namespace reveal::collect {

class CgroupProcesses {
 public:
  static constexpr std::size_t kMost = 16;     // processes of a group
  static constexpr std::size_t kFolders = 16;  // below a group
  static constexpr std::size_t kDepth = 3;

  // REQUIRES: `tree` outlives this.
  explicit CgroupProcesses(const CgroupTree& tree);

  // Returns their numbers, spread evenly over the group's list; valid until the next find(). Empty
  // if the group has none or cannot be read.
  std::span<const std::uint32_t> find(std::string_view path, procfs::CgroupKind kind,
                                      PlaceSet places);

  // Returns whether find() returned all processes of the folders that it read.
  bool complete() const { return complete_; }
  // Returns whether any group had processes that this one cannot see: they are in a namespace of
  // processes outside of its own, and the kernel shows each as 0.
  bool hidden() const { return hidden_; }

 private:
  void look_into(std::size_t depth);
  bool read_list();
  void look_below(std::size_t depth);

  const CgroupTree& tree_;
  std::size_t hierarchy_;  // that tells whose a process is
  std::string path_;       // of the folder at hand
  std::size_t point_ = 0;  // the size of its mount point
  std::size_t folders_ = 0;
  std::vector<std::uint32_t> found_;  // in the folder at hand
  std::array<std::uint32_t, kMost> chosen_{};
  std::size_t count_ = 0;
  bool complete_ = true;
  bool hidden_ = false;
  std::array<char, 4096> text_{};
};

}  // namespace reveal::collect
