// The names in a directory of the kernel's device model, and whether they have changed: a device
// that comes or goes shows as a name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "procfs/attribute_file.h"

namespace reveal::procfs {

// Returns the names, "a2" before "a10"; at most `most` of them, none if there is no directory.
std::vector<std::string> names_in(const std::string& path, std::size_t most = 4096);

// Returns the name of what a symbolic link leads to, empty for what leads nowhere:
// ".../hwmon0/device" is "coretemp.0".
std::string target_name(const std::string& link);

// Returns the path with every symbolic link in it resolved, empty if it leads nowhere.
std::string resolved(const std::string& path);

// Watches the names in a directory or the text of a small file. Allocates when made only.
class Watch {
 public:
  explicit Watch(std::string path) : file_(std::move(path)), seen_(fingerprint()) {}

  // Returns whether the names or the text differ from those at the call before.
  bool changed();

 private:
  std::uint64_t fingerprint();

  AttributeFile file_;
  std::uint64_t seen_;
};

}  // namespace reveal::procfs
