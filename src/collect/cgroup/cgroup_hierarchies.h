// Where the control groups of a host are: one hierarchy of version 2, some of version 1 with a
// controller or two each, or both (hybrid). Found in the mount table, or, if that does not say, by
// the look of <sys>/fs/cgroup. Paths are those below the roots that Reveal was given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "procfs/host_root.h"

namespace reveal::collect {

struct CgroupHierarchy {
  std::string point;     // "/sys/fs/cgroup/memory"
  std::string above;     // what a container's mount hides: "/docker/ab12"; mostly ""
  bool unified = false;  // version 2
  std::vector<std::string> controllers;  // of version 1

  bool has(std::string_view controller) const;
};

inline constexpr std::size_t kMaxHierarchies = 12;  // more controllers than there are

// Returns the hierarchies that account for something, those of version 1 first. Fails with kAbsent
// where there is none.
base::Result<std::vector<CgroupHierarchy>> find_cgroup_hierarchies(const procfs::HostRoot& root);

}  // namespace reveal::collect
