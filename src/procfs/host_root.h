// Where a host's kernel files are: /proc and /sys of this machine, a container's view of its host,
// or a captured tree. Every path that a collector reads is made here, so that --proc-root and
// --sys-root reach every read.
#pragma once

#include <string>
#include <string_view>

namespace reveal::procfs {

struct HostRoot {
  std::string proc = "/proc";
  std::string sys = "/sys";

  // Return the path of "net/dev" below the root.
  std::string proc_path(std::string_view below) const { return join(proc, below); }
  std::string sys_path(std::string_view below) const { return join(sys, below); }

  // Returns where the file is that a live host has at "/proc/..." or "/sys/...".
  std::string path_of(std::string_view live) const;

  // Returns whether `proc` is the proc file system of the running kernel: then system calls about
  // this machine speak of the same host as the files do.
  bool is_live() const;

 private:
  static std::string join(std::string_view root, std::string_view below) {
    return std::string(root).append("/").append(below);
  }
};

}  // namespace reveal::procfs
