#include "procfs/host_root.h"

#include <sys/stat.h>

namespace reveal::procfs {

bool HostRoot::is_live() const {
  struct stat here {};
  struct stat live {};
  return ::stat(proc.c_str(), &here) == 0 && ::stat("/proc", &live) == 0 &&
         here.st_dev == live.st_dev && here.st_ino == live.st_ino;
}

}  // namespace reveal::procfs
