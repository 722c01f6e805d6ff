// The control groups of a host, as two collectors. "cgroup" reads the cheap files. "cgroup_detail",
// in the slow poll class, reads files for which the kernel adds up its per-core counts, and files
// that hardly ever change.
//
// A reading does a bounded amount of work however many groups there are: it looks at a bounded
// number of folders (CgroupTree) and reads a bounded number of files. Containers, jobs and pods are
// read first, then groups made by hand, both in every reading if the bound allows, and of services
// and slices a few at a time; a group whose turn it is not keeps its values as stale. Which
// container, pod or job a group is, is stated as a fact when it appears and ended when it goes, so
// the facts are a table of intervals beside the samples. A group that goes gives its channels back.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collect/cgroup/cgroup_names.h"
#include "collect/cgroup/cgroup_quantities.h"
#include "collect/cgroup/cgroup_reader.h"
#include "collect/cgroup/cgroup_tree.h"
#include "collect/cgroup/ended_groups.h"
#include "collect/collector.h"

namespace reveal::collect {

struct CgroupPlan {
  CgroupLimits limits{};
  std::size_t opens = 1536;    // files and folders a reading, those that stay open too
  std::size_t others = 8;      // groups a reading without work in them
  std::size_t keep = 1024;     // files that stay open, each with a page of the kernel's
  bool counts_groups = false;  // has the channel of groups not followed, and states the facts
};

class CgroupCollector final : public Collector {
 public:
  CgroupCollector(std::span<const CgroupRow> rows, CgroupPlan plan);

  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override;
  void collect(FrameWriter& writer) override;
  base::Error why_absent(const model::MetricDescriptor& metric) const override;

  // How much was done since open(), for tests of its bounds.
  std::uint64_t opened() const { return reader_->opened(); }
  std::uint64_t looked() const { return tree_->looked(); }
  std::size_t followed() const {
    return work_.groups.size() + made_.groups.size() + others_.groups.size();
  }

 private:
  // Groups that are read in turn, from `next` on.
  struct Turn {
    std::vector<CgroupGroup*> groups;
    std::size_t next = 0;
  };

  void follow(FrameWriter& writer);
  void end_gone(FrameWriter& writer);
  CgroupGroup& group_of(const CgroupNode& node);
  std::string fact_of(const CgroupNode& node) const;
  void state_facts(FrameWriter& writer);
  void read_turn(FrameWriter& writer, Turn& turn, std::size_t most, std::uint64_t opens_until);
  Turn& turn_of(procfs::CgroupKind kind);
  void count_groups(FrameWriter& writer);
  std::uint64_t not_followed() const;
  void state_limit(FrameWriter& writer);

  std::span<const CgroupRow> rows_;
  CgroupPlan plan_;
  std::vector<model::MetricDescriptor> metrics_;
  std::optional<CgroupTree> tree_;
  std::optional<CgroupReader> reader_;
  std::map<std::string, CgroupGroup, std::less<>> groups_;  // by path; those that are followed
  CgroupNames names_;
  Turn work_;    // containers, jobs, pods
  Turn made_;    // by hand
  Turn others_;  // services, slices
  std::uint64_t version_ = 0;
  std::uint64_t passes_ = 0;
  bool opening_ = false;
  EndedGroups ended_;
  bool limit_said_ = false;
  std::optional<model::ChannelId> not_followed_;
};

}  // namespace reveal::collect
