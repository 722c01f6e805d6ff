#include "collect/storage/disk_folders.h"

#include <algorithm>

namespace reveal::collect {

bool is_virtual_disk(std::string_view name) {
  return name.starts_with("loop") || name.starts_with("ram") || name.starts_with("zram");
}

std::string disk_instance(std::string_view name) {
  std::string out = "dev=";
  out.append(name);
  std::replace(out.begin(), out.end(), '!', '/');
  return out;
}

}  // namespace reveal::collect
