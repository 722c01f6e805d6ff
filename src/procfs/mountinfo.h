// /proc/self/mountinfo: what is mounted where in this mount namespace.
// https://docs.kernel.org/filesystems/proc.html#proc-pid-mountinfo-information-about-mounts
//
//   36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
//
// Between the sixth field and the single hyphen stands any number of optional fields. Blanks,
// newlines and backslashes in paths are written in octal: "\040".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reveal::procfs {

struct Mount {
  std::string device;  // "98:0"; the same for all mounts of one file system
  std::string point;   // unescaped
  std::string type;    // "ext4", "fuse.sshfs"
  friend bool operator==(const Mount&, const Mount&) = default;
};

// Returns the mounts in the order of the file; lines of another shape are left out.
std::vector<Mount> parse_mountinfo(std::string_view text);

}  // namespace reveal::procfs
