#include "collect/cgroup/cgroup_collector.h"

#include <algorithm>
#include <limits>

#include <dirent.h>
#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "procfs/cgroup_identity.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

constexpr std::string_view kV2Remedy =
    "boot with systemd.unified_cgroup_hierarchy=1, for version 2 of control groups";

model::MetricDescriptor unfollowed_metric() {
  model::MetricDescriptor out;
  out.name = "cpu_cgroups_not_followed";
  out.label = "Control groups not followed";
  out.unit = "cgroups";
  out.scope = model::Scope::kRecorder;
  out.source = "control groups found, less those followed";
  out.alias = "reveal.cgroups_not_followed";
  out.doc_url = "https://docs.kernel.org/admin-guide/cgroup-v2.html";
  out.help =
      "Control groups of this host that have no channels: parts of those that have, and "
      "what is beyond the limit.";
  out.rank = 200;
  return out;
}

// Returns how the files of control groups name the sizes of huge pages that this kernel has:
// "hugepages-2048kB" is "2MB".
std::vector<std::string> huge_page_sizes(const procfs::HostRoot& root) {
  constexpr std::size_t kMaxSizes = 8;
  std::vector<std::string> out;
  const std::unique_ptr<::DIR, int (*)(::DIR*)> folder(
      ::opendir(root.sys_path("kernel/mm/hugepages").c_str()), ::closedir);
  if (!folder) return out;
  while (const auto* entry = ::readdir(folder.get())) {
    std::string_view name = entry->d_name;
    if (!name.starts_with("hugepages-") || !name.ends_with("kB")) continue;
    name.remove_prefix(10);
    name.remove_suffix(2);
    const auto kib = procfs::parse_u64(name);
    if (!kib || *kib == 0 || out.size() == kMaxSizes) continue;
    if (*kib >= 1U << 20) {
      out.push_back(fmt::format("{}GB", *kib >> 20));
    } else {
      out.push_back(*kib >= 1024 ? fmt::format("{}MB", *kib >> 10) : fmt::format("{}KB", *kib));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool is_in_version_one(std::string_view source) {
  return source.find('{') != std::string_view::npos ||
         source.find("cpu.stat nr_") != std::string_view::npos ||
         source.find("pids.") != std::string_view::npos ||
         source.find("rdma.") != std::string_view::npos;
}

}  // namespace

CgroupCollector::CgroupCollector(std::span<const CgroupRow> rows, CgroupPlan plan)
    : rows_(rows), plan_(plan), metrics_(metrics_of(rows)) {}

base::Result<void> CgroupCollector::open(const procfs::HostRoot& root,
                                         model::ChannelTable& channels) {
  auto hierarchies = find_cgroup_hierarchies(root);
  if (!hierarchies) return base::pass(std::move(hierarchies));
  auto files = plan_.counts_groups ? cgroup_files(huge_page_sizes(root)) : cgroup_detail_files();
  reader_.emplace(rows_, std::move(files), share_of_descriptors(plan_.keep));
  reader_->bind(root, *hierarchies);
  tree_.emplace(std::move(*hierarchies), plan_.limits);
  opening_ = true;
  add_channels_of(*this, channels);
  opening_ = false;
  for (auto& [path, group] : groups_) group.channels.begin();  // that frame was thrown away
  return {};
}

void CgroupCollector::collect(FrameWriter& writer) {
  tree_->look(opening_);
  if (tree_->passes() != passes_) {
    passes_ = tree_->passes();
    for (auto& [path, group] : groups_) group.absent = 0;
  }
  if (tree_->version() != version_) follow(writer);
  if (!opening_ && plan_.counts_groups) {
    state_facts(writer);
    state_limit(writer);
  }
  constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t until = opening_ ? kAll : reader_->opened() + plan_.opens;
  read_turn(writer, work_, work_.groups.size(), until);
  read_turn(writer, made_, made_.groups.size(), until);
  read_turn(writer, others_, opening_ ? others_.groups.size() : plan_.others, until);
  if (plan_.counts_groups) count_groups(writer);
}

// Reads at most so many groups, round and round, and lets the others stand.
void CgroupCollector::read_turn(FrameWriter& writer, Turn& turn, std::size_t most,
                                std::uint64_t opens_until) {
  const std::size_t count = turn.groups.size();
  if (count == 0) return;
  const std::size_t first = turn.next % count;
  std::size_t done = 0;
  while (done < std::min(most, count) && reader_->opened() < opens_until) {
    reader_->read(*turn.groups[(first + done++) % count], writer, !opening_);
  }
  for (std::size_t i = done; i < count; ++i) {
    turn.groups[(first + i) % count]->channels.repeat(writer);
  }
  turn.next = (first + done) % count;
}

CgroupCollector::Turn& CgroupCollector::turn_of(procfs::CgroupKind kind) {
  if (kind < procfs::CgroupKind::kOther) return work_;
  return kind == procfs::CgroupKind::kOther ? made_ : others_;
}

void CgroupCollector::follow(FrameWriter& writer) {
  version_ = tree_->version();
  for (Turn* turn : {&work_, &made_, &others_}) turn->groups.clear();
  end_gone(writer);
  for (const CgroupNode* node : tree_->followed()) {
    CgroupGroup& group = group_of(*node);
    // Another hierarchy has it now: its counts may come from other files than before.
    group.anew = group.anew || (group.places != 0 && group.places != node->places);
    group.places = node->places;
    turn_of(node->kind).groups.push_back(&group);
  }
}

// Before others come, so that one of these may have its name.
void CgroupCollector::end_gone(FrameWriter& writer) {
  for (auto it = groups_.begin(); it != groups_.end();) {
    if (tree_->follows(it->first)) {
      ++it;
      continue;
    }
    reader_->end(it->second, writer);
    names_.release(it->second.channels.instance());
    ended_.add(it->first);
    it = groups_.erase(it);
  }
}

CgroupGroup& CgroupCollector::group_of(const CgroupNode& node) {
  if (const auto it = groups_.find(node.path); it != groups_.end()) return it->second;
  auto& group =
      groups_.try_emplace(node.path, metrics_, names_.instance_of(node.path)).first->second;
  group.path = node.path;
  group.fact = fact_of(node);
  group.anew = ended_.take(node.path);
  return group;
}

std::string CgroupCollector::fact_of(const CgroupNode& node) const {
  std::string path = node.path;
  for (const auto& hierarchy : tree_->hierarchies()) {
    if (!hierarchy.above.empty()) {
      path.insert(0, hierarchy.above);
      break;
    }
  }
  return procfs::describe(procfs::identify_cgroup(path));
}

void CgroupCollector::state_facts(FrameWriter& writer) {
  for (const Turn* turn : {&work_, &made_, &others_}) {
    for (CgroupGroup* group : turn->groups) {
      if (group->said || group->fact.empty()) continue;
      writer.note_fact(group->channels.instance(), group->fact);
      group->said = true;
    }
  }
}

void CgroupCollector::count_groups(FrameWriter& writer) {
  if (!not_followed_) not_followed_ = writer.add_channel(unfollowed_metric(), "");
  writer.set(*not_followed_, not_followed());
}

std::uint64_t CgroupCollector::not_followed() const {
  const std::uint64_t found = tree_->found();
  const std::uint64_t now = followed();
  return found > now ? found - now : 0;
}

// Said once when it begins and once when it ends; how many there are from then on is a channel.
void CgroupCollector::state_limit(FrameWriter& writer) {
  if (tree_->overflows() == limit_said_) return;
  limit_said_ = tree_->overflows();
  std::string text;
  if (limit_said_) {
    text = fmt::format(
        "{} are not followed: there are more than the limit of {}; containers and jobs go first",
        not_followed(), plan_.limits.followed);
  }
  writer.note_fact("control groups", text);
}

base::Error CgroupCollector::why_absent(const model::MetricDescriptor& metric) const {
  if (followed() == 0) return {base::ErrorKind::kAbsent, "no control group to follow", "", ""};
  if (!reader_->has_unified() && !is_in_version_one(metric.source)) {
    return {base::ErrorKind::kAbsent, "only version 2 of control groups has it", "",
            std::string(kV2Remedy)};
  }
  const auto file = metric.source.substr(0, metric.source.find(' '));
  return {base::ErrorKind::kAbsent, "no followed control group has " + std::string(file), "", ""};
}

std::vector<model::MetricDescriptor> cgroup_metrics() {
  auto out = metrics_of(cgroup_rows());
  out.push_back(unfollowed_metric());
  return out;
}
std::vector<model::MetricDescriptor> cgroup_detail_metrics() {
  return metrics_of(cgroup_detail_rows());
}

std::unique_ptr<Collector> make_cgroup() {
  return std::make_unique<CgroupCollector>(cgroup_rows(), CgroupPlan{.counts_groups = true});
}

std::unique_ptr<Collector> make_cgroup_detail() {
  CgroupPlan plan;
  plan.limits.looks = 4096;
  plan.limits.rescan = {};
  plan.others = plan.limits.followed;
  plan.keep = 512;
  return std::make_unique<CgroupCollector>(cgroup_detail_rows(), plan);
}

extern const CollectorDescriptor kCgroupCollector = {
    .name = "cgroup",
    .help = "CPU, memory, I/O and pressure per control group",
    .make = make_cgroup,
    .metrics = cgroup_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

extern const CollectorDescriptor kCgroupDetailCollector = {
    .name = "cgroup_detail",
    .help = "what control groups hold in memory, and their limits",
    .make = make_cgroup_detail,
    .metrics = cgroup_detail_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
