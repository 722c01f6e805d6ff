// The control groups that exist on a host, found by passes over their folders, and which of them
// are followed.
//
// A host may have tens of thousands, so no reading looks at more than a fixed number of folders: a
// pass goes on over as many readings as it takes, and what exists is what the last whole pass saw.
// The kernel says by inotify that groups came or went if it can; then a pass begins at once, and
// otherwise every ten seconds. Followed are, up to a limit, first containers and jobs, then pods,
// groups made by hand, services, and slices; parts of these are left out, since their group counts
// them. Nothing is allocated in a pass that finds nothing new.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>

#include "base/unique_fd.h"
#include "collect/cgroup/cgroup_hierarchies.h"
#include "procfs/cgroup_identity.h"

namespace reveal::collect {

using PlaceSet = std::uint16_t;  // bit N: the group has a folder in hierarchy N
static_assert(kMaxHierarchies < 8 * sizeof(PlaceSet));

struct CgroupNode {
  std::string path;  // below the mount: "/docker/ab12"
  procfs::CgroupKind kind = procfs::CgroupKind::kOther;
  PlaceSet places = 0;
  bool followed = false;
  std::uint32_t order = 0;  // of appearance
};

struct CgroupLimits {
  std::size_t followed = 256;
  std::size_t known = 16384;  // more are counted, but not told apart
  std::size_t looks = 512;    // folders a reading
  std::size_t depth = 16;
  std::size_t watches = 512;
  std::chrono::nanoseconds rescan = std::chrono::seconds(10);  // zero: a pass with every reading
};

class CgroupTree {
 public:
  CgroupTree(std::vector<CgroupHierarchy> hierarchies, CgroupLimits limits);

  // Looks at a bounded number of folders; at all there are when `whole`.
  void look(bool whole = false);

  const std::vector<CgroupHierarchy>& hierarchies() const { return hierarchies_; }

  // The followed groups, work first, valid until the next look(); changes only with version().
  const std::vector<const CgroupNode*>& followed() const { return followed_; }
  std::uint64_t version() const { return version_; }
  // Returns whether the group of that path is followed now.
  bool follows(std::string_view path) const;

  // Returns how many passes were whole.
  std::uint64_t passes() const { return passes_; }

  // Returns how many groups the last whole pass found, the tops of the hierarchies not counted.
  std::uint64_t found() const { return found_; }
  // Returns whether some would be followed but for the limit.
  bool overflows() const { return overflows_; }
  // Returns how many folders were looked at since the beginning.
  std::uint64_t looked() const { return looked_; }

 private:
  struct Node : CgroupNode {
    PlaceSet seen = 0;     // in this pass
    PlaceSet watched = 0;  // by inotify
    std::size_t depth = 0;
  };
  struct Folder {
    std::size_t hierarchy;
    Node* node;
  };

  bool is_due();
  void start_pass();
  bool enter_next();
  void read_folder(std::size_t& budget);
  bool fill_buffer();
  void meet(std::string_view name);
  Node* find_or_add(const Node& parent, std::string_view name);
  std::uint64_t links_of(std::string_view name) const;
  void finish_pass();
  void erase_gone();
  void choose();
  bool drain_watches();
  void watch(const Folder& folder);
  std::string_view path_of(const Folder& folder);

  std::vector<CgroupHierarchy> hierarchies_;
  CgroupLimits limits_;
  std::map<std::string, Node, std::less<>> nodes_;  // by path; a map never moves its elements
  std::vector<const CgroupNode*> followed_;
  std::uint64_t version_ = 0;
  std::uint64_t passes_ = 0;
  std::uint64_t found_ = 0;
  std::uint64_t looked_ = 0;
  std::uint32_t appeared_ = 0;
  bool overflows_ = false;

  // The pass under way.
  bool passing_ = false;
  bool changed_ = false;
  std::uint64_t unknown_ = 0;  // met but not told apart
  std::vector<Folder> pending_;
  Folder current_{};
  base::UniqueFd folder_fd_;
  alignas(::dirent64) std::array<char, 16384> buffer_{};
  std::size_t buffer_at_ = 0;
  std::size_t buffer_end_ = 0;
  std::string scratch_;
  std::int64_t next_pass_ns_ = 0;

  base::UniqueFd inotify_;
  std::size_t watches_ = 0;
};

}  // namespace reveal::collect
