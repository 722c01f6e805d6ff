// The traffic of control groups that have a network of their own, such as pods and containers: what
// the interfaces, TCP and UDP of their network namespaces counted. Groups in the recorder's own
// namespace, and in the host's, have no such channels: the kernel counts there by interface, not by
// group.
//
// A group's numbers are the sums over the namespaces that belong to it (CgroupNamespaces). They are
// counted anew, as a reset, whenever that is another set of namespaces or of interfaces, so that
// what one counted before it came is nobody's traffic. Where a part of a sum cannot be read there
// is none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collect/cgroup/cgroup_channels.h"
#include "collect/cgroup/cgroup_namespaces.h"
#include "collect/cgroup/ended_groups.h"
#include "collect/collector.h"
#include "collect/parts/fact_text.h"

namespace reveal::collect {

class CgroupNetworkCollector final : public Collector {
 public:
  explicit CgroupNetworkCollector(CgroupNamespaceLimits limits = {});

  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override;
  void collect(FrameWriter& writer) override;
  base::Error why_absent(const model::MetricDescriptor& metric) const override;

 private:
  using Member = CgroupNamespaces::Member;

  // What a group's values were sums over when they were last read. 0: never.
  struct Parts {
    std::uint64_t namespaces = 0;
    std::uint64_t interfaces = 0;
  };
  struct Output {
    CgroupChannels channels;
    Parts parts{};
    bool anew = false;  // the group may have been gone: what comes next is a reset
  };

  void state_facts(FrameWriter& writer);
  bool is_first_of_its_owner(std::size_t index) const;
  void set_sums_of(const Member& owner, FrameWriter& writer);
  Output& output_of(const Member& owner);
  void release_gone(FrameWriter& writer);

  CgroupNamespaceLimits limits_;
  std::vector<model::MetricDescriptor> metrics_;
  std::optional<CgroupNamespaces> namespaces_;
  std::map<std::string, Output> outputs_;  // by path
  std::uint64_t version_ = 0;              // of the groups
  EndedGroups ended_;                      // of those that had a network
  std::string limit_text_;
  FactText read_{"network namespaces read"};
  FactText known_{"network namespaces known"};
};

}  // namespace reveal::collect
