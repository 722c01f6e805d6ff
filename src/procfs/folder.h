// The names in a folder of the kernel's, seen again and again for what has come and gone. Allocates
// nothing of its own, so that a collector may look at every reading.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <dirent.h>

namespace reveal::procfs {

// Calls see(name) for every entry that is not hidden, in no order, and stops after `most` of them.
// Returns false, having seen nothing, if there is no such folder.
template <typename See>
bool for_each_name(const std::string& folder, std::size_t most, See see) {
  DIR* dir = ::opendir(folder.c_str());
  if (dir == nullptr) return false;
  for (std::size_t seen = 0; seen < most;) {
    const dirent* entry = ::readdir(dir);
    if (entry == nullptr) break;
    if (entry->d_name[0] == '.') continue;
    see(std::string_view(entry->d_name));
    ++seen;
  }
  ::closedir(dir);
  return true;
}

}  // namespace reveal::procfs
