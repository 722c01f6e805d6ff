// The names of control groups in channels: short ones, and of two groups whose short names are the
// same, the long name for the second. Collectors that name the groups of a CgroupTree in its order
// give a group the same name.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "procfs/cgroup_identity.h"

namespace reveal::collect {

class CgroupNames {
 public:
  // Returns the instance of channels: "cg=/docker/ab12cd34ef56". Ask once for each group.
  std::string instance_of(std::string_view path) {
    std::string name = "cg=" + procfs::short_cgroup_name(path);
    if (!taken_.insert(name).second) {
      name = "cg=" + procfs::long_cgroup_name(path);
      taken_.insert(name);
    }
    return name;
  }

  // The group is gone: another one may have its name.
  void release(const std::string& instance) { taken_.erase(instance); }

 private:
  std::set<std::string> taken_;
};

}  // namespace reveal::collect
