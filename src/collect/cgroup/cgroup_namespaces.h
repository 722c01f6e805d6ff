// The network namespaces that followed control groups live in, other than the recorder's own and
// the host's (that of process 1), and what each counted.
//
// A look at a group asks some of its processes for their namespaces. New groups are looked at
// first, then those whose process has ended, then all others in turn, a bounded number in each
// reading.
//
// A namespace belongs to one group: to the one that lives in it; of several to the nearest group
// around them all that is followed, if that is no slice, else to the one that the tree has first.
// In Kubernetes all containers of a pod share one, so it belongs to the pod from the first
// container on. A group may have several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/cgroup/cgroup_names.h"
#include "collect/cgroup/cgroup_processes.h"
#include "collect/cgroup/cgroup_tree.h"
#include "collect/cgroup/network_namespace.h"
#include "procfs/host_root.h"

namespace reveal::collect {

struct CgroupNamespaceLimits {
  CgroupLimits groups{};
  std::size_t namespaces = 64;  // more are not read
  std::size_t looks = 16;       // a reading; twice as many if processes have ended
};

class CgroupNamespaces {
 public:
  // A followed group.
  struct Member {
    struct Sight {
      std::uint64_t number = 0;  // of the namespace
      std::uint32_t pid = 0;     // which lives in it

      bool operator==(const Sight&) const = default;
    };

    std::string path;
    std::string instance;  // of its channels: "cg=/docker/ab12cd34ef56"
    procfs::CgroupKind kind = procfs::CgroupKind::kOther;
    PlaceSet places = 0;
    bool due = true;  // for a look
    std::vector<Sight> sights;
  };

  struct Namespace {
    std::uint64_t number = 0;
    std::uint64_t serial = 0;  // numbers are used again: this is the one that was found N-th
    const Member* owner = nullptr;
    std::uint32_t pid = 0;                // by which it is read
    std::optional<NetworkCounts> counts;  // of the latest reading; nothing if it failed

    // The nearest path around all groups that live in it, and the first of these.
    std::string_view around;
    const Member* first = nullptr;
  };

  CgroupNamespaces(const procfs::HostRoot& root, std::vector<CgroupHierarchy> hierarchies,
                   CgroupNamespaceLimits limits);

  // Looks at all groups. Fails with kAbsent if the host has no namespaces, and with kPermission if
  // other processes may not be asked for theirs.
  base::Result<void> open();

  // Makes one reading.
  void read();

  // Returns whether the group of that path is followed; changes only with version().
  bool follows(std::string_view path) const { return followed(path) != nullptr; }
  std::uint64_t version() const { return version_; }

  const std::vector<Namespace>& namespaces() const { return namespaces_; }
  // Returns whether there are more namespaces than are read.
  bool overflows() const { return overflows_; }
  // Returns whether any process could not be asked, for want of a right.
  bool refused() const { return refused_; }
  // Returns whether groups have processes that this one cannot see.
  bool hidden() const { return processes_.hidden(); }

 private:
  static constexpr std::size_t kPerGroup = 8;  // namespaces

  void follow();
  void forget_gone();
  Member& member_of(const CgroupNode& node);
  void look_at_due(std::size_t most);
  void look_in_turn(std::size_t most);
  void look(Member& member);
  void sight(Member& member, std::uint32_t pid);
  bool read_counters();
  void mark_due(std::uint64_t number);

  void assign();
  bool is_seen(std::uint64_t number) const;
  Namespace* find_or_add(std::uint64_t number);
  void choose_owner(Namespace& one) const;
  const Member* followed(std::string_view path) const;
  const Member& pod_of(const Member& member) const;

  std::string proc_;
  CgroupNamespaceLimits limits_;
  CgroupTree tree_;
  CgroupProcesses processes_{tree_};
  NetworkNamespaceReader reader_;
  procfs::Value own_;
  procfs::Value host_;
  CgroupNames names_;
  std::map<std::string, Member, std::less<>> members_;  // by path; a map never moves its elements
  std::vector<Member*> followed_;                       // in the tree's order
  std::size_t next_ = 0;                                // whose turn it is
  std::vector<Member::Sight> before_;
  std::vector<Namespace> namespaces_;
  std::uint64_t version_ = 0;
  std::uint64_t serials_ = 0;
  bool changed_ = false;
  bool overflows_ = false;
  bool refused_ = false;
};

}  // namespace reveal::collect
