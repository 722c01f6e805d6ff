// Reads the files of one control group after the other, never two at a time: the kernel adds up
// per-core counts under a lock of the whole machine, and readers side by side only wait for each
// other.
//
// Files stay open between readings, up to a number for all groups together: to open one costs
// several times its reading. The kernel refuses to read (ENODEV) what was removed, so a file that
// is open belongs to the folder that is there. Others are opened for one reading below their
// folder, and a folder that was removed and made anew is known by its inode: what is read from it
// is a reset.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "base/unique_fd.h"
#include "collect/cgroup/cgroup_channels.h"
#include "collect/cgroup/cgroup_hierarchies.h"
#include "collect/cgroup/cgroup_quantities.h"
#include "collect/cgroup/cgroup_tree.h"
#include "procfs/host_root.h"

namespace reveal::collect {

// A group that is followed.
struct CgroupGroup {
  CgroupGroup(std::span<const model::MetricDescriptor> metrics, std::string instance)
      : channels(metrics, std::move(instance)) {}

  CgroupChannels channels;
  std::string path;
  std::string fact;          // who runs in it
  PlaceSet places = 0;       // 0: not read yet
  bool said = false;         // its fact was stated
  bool anew = false;         // it may have been gone: what comes next is a reset
  std::uint64_t absent = 0;  // bit N: it has no file N
  std::array<::ino_t, kMaxHierarchies> inodes{};
  std::array<std::string, 2> lists{};  // of cores and of nodes, as last stated
  std::vector<base::UniqueFd> files;   // kept open, by number
};

class CgroupReader {
 public:
  // `rows` say which quantity goes to which metric; at most `keep` files stay open.
  CgroupReader(std::span<const CgroupRow> rows, std::vector<CgroupFile> files, std::size_t keep);

  // Leaves only the files that hierarchies of this host can have, in their order.
  void bind(const procfs::HostRoot& root, const std::vector<CgroupHierarchy>& hierarchies);

  // Reads all files of the group. `say`: notes may be made.
  void read(CgroupGroup& group, FrameWriter& writer, bool say);

  // The group is gone: ends its facts, closes its files and gives its channels back.
  void end(CgroupGroup& group, FrameWriter& writer);

  // Returns how many files were read and folders opened, or tried to be, since the beginning.
  std::uint64_t opened() const { return opened_; }
  // Returns how many files are open now.
  std::size_t kept() const { return kept_; }
  // Returns whether any file of version 2 can be read on this host.
  bool has_unified() const;

 private:
  struct Bound {
    std::size_t hierarchy = 0;
    bool of_kernel = false;  // and not of a captured tree
    CgroupFile file{};
  };
  class Sink;

  void read_place(std::size_t hierarchy, CgroupGroup& group, Sink& sink);
  bool read_files(std::size_t hierarchy, CgroupGroup& group, Sink& sink);
  bool read_kept(std::size_t index, CgroupGroup& group, Sink& sink);
  bool open_folder(std::size_t hierarchy, CgroupGroup& group, Sink& sink);
  void read_anew(std::size_t index, CgroupGroup& group, Sink& sink);
  void parse(const CgroupFile& file, Sink& sink);
  bool read_text(int fd, bool at_once);
  void close(base::UniqueFd& kept);
  void learn_tops();
  std::string_view disk_name(std::string_view number);

  std::array<std::int8_t, kCgroupQuantities> row_of_{};
  std::vector<CgroupFile> files_;
  std::vector<Bound> bound_;
  std::vector<CgroupHierarchy> hierarchies_;
  std::array<std::string, 2> top_lists_{};  // what all groups may use
  std::string block_folder_;
  std::vector<std::pair<std::string, std::string>> disks_;  // name by number
  std::string path_;
  std::vector<char> buffer_;
  std::size_t size_ = 0;
  std::uint64_t opened_ = 0;
  std::size_t most_kept_;
  std::size_t kept_ = 0;
  base::UniqueFd folder_;  // of the place being read, once a file in it had to be opened
};

}  // namespace reveal::collect
