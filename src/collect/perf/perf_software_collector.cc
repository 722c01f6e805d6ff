// Perf software events, one group a core. The rows are those of perf/events_software.cc.
//
// A perf descriptor belongs to one core of the running kernel: with another --proc-root there is
// nothing to open. When a core goes offline its counters are gone for good, so the list of online
// cores is watched and groups are opened anew for cores that come.
#include <map>
#include <string>
#include <string_view>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/perf/perf_rows.h"
#include "perf/event_group.h"
#include "procfs/cpu_list.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> perf_software_metrics();

using model::MetricDescriptor;

std::vector<perf::EventCode> codes_of(std::span<const perf::EventDescriptor> events) {
  std::vector<perf::EventCode> out;
  for (const auto& event : events) out.push_back(event.code);
  return out;
}

class PerfSoftwareCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (auto live = check_live(root); !live) return live;
    online_ = procfs::TextFile(root.sys_path("devices/system/cpu/online"));
    const auto text = online_.read();
    if (!text) return base::pass(text);
    if (auto opened = follow(*text); !opened) return opened;
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    // A core that cannot be opened stays missing; there is nobody to tell in the middle of a run.
    if (const auto text = online_.read(); text && *text != online_text_) (void)follow(*text);
    for (auto& [cpu, group] : groups_) read_group(writer, cpu, group);
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    const auto events = perf::software_events();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].metric == metric.name && refusals_[i] != 0) {
        return perf::refusal(refusals_[i], perf::alias_of(events[i]));
      }
    }
    return {base::ErrorKind::kAbsent, "never counted here", "", ""};
  }

 private:
  // Keeps the groups of cores that stay, drops those of cores that went, opens those that came.
  // Fails with the first core's failure if no group is open afterwards.
  base::Result<void> follow(std::string_view online) {
    online_text_ = online;
    std::map<std::uint32_t, perf::EventGroup> groups;
    base::Result<void> result;
    for (const std::uint32_t cpu : procfs::parse_cpu_list(online)) {
      if (auto kept = groups_.extract(cpu); !kept.empty()) {
        groups.insert(std::move(kept));
        continue;
      }
      auto group = perf::EventGroup::open(cpu, codes_);
      if (group) {
        refusals_.assign(group->refusals().begin(), group->refusals().end());
        groups.emplace(cpu, std::move(*group));
      } else if (result) {
        result = base::pass(group);
      }
    }
    groups_ = std::move(groups);
    return groups_.empty() ? result : base::Result<void>();
  }

  void read_group(FrameWriter& writer, std::uint32_t cpu, perf::EventGroup& group) {
    if (!group.read(counts_)) return;
    auto& core = core_channels(cores_, cpu, metrics_);
    for (std::size_t i = 0; i < counts_.size(); ++i) core.set(writer, i, counts_[i]);
  }

  std::vector<MetricDescriptor> metrics_ = perf_software_metrics();
  std::vector<perf::EventCode> codes_ = codes_of(perf::software_events());
  std::vector<perf::ScaledCount> counts_ = std::vector<perf::ScaledCount>(metrics_.size());
  std::vector<int> refusals_ = std::vector<int>(metrics_.size(), 0);
  std::map<std::uint32_t, perf::EventGroup> groups_;  // by core
  std::vector<InstanceChannels> cores_;
  procfs::TextFile online_;
  std::string online_text_;
};

std::vector<MetricDescriptor> perf_software_metrics() {
  return metrics_of_events(perf::software_events());
}

std::unique_ptr<Collector> make_perf_software() {
  return std::make_unique<PerfSoftwareCollector>();
}

}  // namespace

extern const CollectorDescriptor kPerfSoftwareCollector = {
    .name = "perf_software",
    .help = "the kernel's own perf events per core",
    .make = make_perf_software,
    .metrics = perf_software_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
