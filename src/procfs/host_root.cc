#include "procfs/host_root.h"

#include <sys/stat.h>

namespace reveal::procfs {

std::string HostRoot::path_of(std::string_view live) const {
  constexpr std::string_view kProc = "/proc/";
  constexpr std::string_view kSys = "/sys/";
  if (live.starts_with(kProc)) return proc_path(live.substr(kProc.size()));
  if (live.starts_with(kSys)) return sys_path(live.substr(kSys.size()));
  return std::string(live);
}

bool HostRoot::is_live() const {
  struct stat here {};
  struct stat live {};
  return ::stat(proc.c_str(), &here) == 0 && ::stat("/proc", &live) == 0 &&
         here.st_dev == live.st_dev && here.st_ino == live.st_ino;
}

}  // namespace reveal::procfs
