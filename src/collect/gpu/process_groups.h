// The control groups of processes that a driver names by number.
//
// The number must be one of this namespace of processes. A driver that tells the numbers of the
// host to a recorder in a container names nobody there, or another process of the same number: run
// the recorder in the host's namespace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "procfs/host_root.h"

namespace reveal::collect {

// Returns the path of the group that a process in `path` counts for: of the container, job or
// service that it is a part of, else its own.
std::string_view counted_group(std::string_view path);

class ProcessGroups {
 public:
  explicit ProcessGroups(procfs::HostRoot root = {}) : root_(std::move(root)) {}

  // Returns the instance of its group's channels, "cg=/job1"; empty if the process is gone, cannot
  // be seen from here, or is in no group.
  std::string group_of(std::uint32_t pid) const;

 private:
  procfs::HostRoot root_;
};

}  // namespace reveal::collect
