// /proc/<pid>/mountinfo: where the hierarchies of control groups are mounted, and what each of them
// accounts for. https://docs.kernel.org/filesystems/proc.html#proc-pid-mountinfo
//
//   32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
//   41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
//
// Before the lone "-" stands any number of optional fields. Blanks in paths are octal escapes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reveal::procfs {

struct CgroupMount {
  std::string point;                 // "/sys/fs/cgroup/cpu"
  std::string root;                  // the group that the mount shows as its top, "/" for all
  bool unified = false;              // version 2
  std::vector<std::string> options;  // of version 1, its controllers among them: "cpu", "cpuacct"

  bool has(std::string_view controller) const;
};

// Returns the mounts of control groups in the order of the text. A line that is cut or makes no
// sense is left out.
std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo);

}  // namespace reveal::procfs
