// Perf events of PMUs outside the cores' own: msr, cstate_core, cstate_pkg, power, uncore boxes.
// The rows are those of perf/events_package.cc and perf/events_uncore.cc.
//
// Each PMU is opened on the cores that its cpumask names and nowhere else, all of its events in one
// group a core, so that ratios between them are of the same moment. What several boxes of a package
// count is added up; if one of them cannot be read the sum is missing, for half a sum would be a
// fall that nothing did.
#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/perf/perf_rows.h"
#include "perf/event_group.h"
#include "perf/event_names.h"
#include "procfs/cpu_list.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using perf::EventDescriptor;
using perf::Part;

// Boxes have no more counters than this, and a group that does not fit counts nothing at all.
constexpr std::size_t kMaxGroup = 4;
constexpr std::size_t kMaxBoxes = 8192;  // groups, over all PMUs and cores

// Returns what a count is worth in the row's unit; nothing if sysfs names another kind of unit.
std::optional<double> size_of_count(const EventDescriptor& row, const perf::EncodedEvent& event) {
  if (!row.sized) return 1.0;
  if (row.unit == "joules" && event.unit == "Joules") return event.scale;
  if (row.unit == "bytes" && event.unit == "MiB") return event.scale * 1048576.0;
  return std::nullopt;
}

class PerfBoxCollector final : public Collector {
 public:
  // `modules` are the kernel's that have these PMUs.
  PerfBoxCollector(std::span<const EventDescriptor> rows, std::string_view modules)
      : rows_(rows), modules_(modules), metrics_(metrics_of_events(rows)) {}

  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (auto live = check_live(root); !live) return live;
    root_ = root;
    names_.emplace(root);
    absences_.clear();
    first_failure_.reset();
    online_ = procfs::TextFile(root.sys_path("devices/system/cpu/online"));
    const auto text = online_.read();
    if (!text) return base::pass(text);
    follow(*text);
    const bool any = std::any_of(boxes_.begin(), boxes_.end(), [&](const Box& box) {
      return !rows_[box.counters.front().row].companion;
    });
    if (!any) return base::Unexpected(*first_failure_);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    if (const auto text = online_.read(); text && *text != online_text_) {
      names_.emplace(root_);  // PMUs move to other cores with the cores
      follow(*text);
    }
    for (auto& instance : instances_) instance.forget();
    for (auto& box : boxes_) add(box);
    for (auto& instance : instances_) set(writer, instance);
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    return absences_.of(metric);
  }

 private:
  struct Sum {
    double sized = 0.0;
    std::uint64_t plain = 0;
    std::uint32_t parts = 0;
    std::uint32_t wanted = 0;
  };
  struct Instance {
    std::string name;
    InstanceChannels channels;
    std::vector<Sum> sums;  // by row
    bool restarted = false;

    void forget() {
      for (Sum& sum : sums) sum = {0.0, 0, 0, sum.wanted};
    }
  };
  struct Counter {
    std::size_t row;
    Instance* instance;
    double size;
  };
  struct Box {
    std::vector<Counter> counters;  // by event of the group
    perf::EventGroup group;
    std::vector<perf::ScaledCount> counts;
  };
  struct Wanted {
    std::size_t row;
    perf::FoundEvent found;
    double size;
  };

  // Opens all boxes anew for the cores that are online now. Sums that lost or changed a part begin
  // anew with them.
  void follow(std::string_view online) {
    online_text_ = online;
    boxes_.clear();
    for (auto& instance : instances_) {
      for (Sum& sum : instance.sums) sum.wanted = 0;
      instance.restarted = true;
    }
    const auto cpus = procfs::parse_cpu_list(online_text_);
    for (const auto& pmu : names_->pmus()) open_pmu(pmu, cpus);
    for (std::size_t row = 0; row < rows_.size(); ++row) explain(row);
  }

  void explain(std::size_t row) {
    auto found = names_->find(rows_[row].names);
    if (found) return;
    if (!modules_.empty()) {
      found.error().remedy = fmt::format("on hardware that has it: sudo modprobe {}", modules_);
    }
    note_failure(rows_[row], found.error());
  }

  // Opens the rows that this PMU counts, on the cores where it counts.
  void open_pmu(const perf::Pmu& pmu, const std::vector<std::uint32_t>& online) {
    std::vector<Wanted> wanted;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const auto found = names_->find(rows_[row].names);
      if (!found) continue;
      for (const auto& event : *found) {
        if (event.pmu != &pmu) continue;
        const auto size = size_of_count(rows_[row], event.event);
        if (size) {
          wanted.push_back({row, event, *size});
        } else {
          absences_.add(rows_[row],
                        {base::ErrorKind::kAbsent,
                         fmt::format("sysfs gives its counts in '{}'", event.event.unit),
                         "perf event " + event.name, ""});
        }
      }
    }
    std::set<std::string> seen;  // instances of rows that one core is asked for on behalf of all
    for (const std::uint32_t cpu : pmu.cpus.empty() ? online : pmu.cpus) {
      std::vector<Wanted> here;
      for (const auto& one : wanted) {
        if (!pmu.cpus.empty() || is_asked(one, cpu, seen)) here.push_back(one);
      }
      for (std::size_t at = 0; at < here.size(); at += kMaxGroup) {
        const auto count = std::min(kMaxGroup, here.size() - at);
        open_box(cpu, std::span(here).subspan(at, count));
      }
    }
  }

  // A PMU that every core has is asked for a package's or the host's rows on one core only.
  bool is_asked(const Wanted& wanted, std::uint32_t cpu, std::set<std::string>& seen) const {
    const Part part = rows_[wanted.row].part;
    if (part == Part::kCore) return true;
    return seen.insert(fmt::format("{} {}", wanted.row, instance_name(part, cpu))).second;
  }

  void open_box(std::uint32_t cpu, std::span<const Wanted> wanted) {
    if (boxes_.size() >= kMaxBoxes) return;
    std::vector<perf::EventCode> codes;
    for (const auto& one : wanted) codes.push_back(one.found.event.code);
    auto group = perf::EventGroup::open(cpu, codes);
    if (!group) {
      for (const auto& one : wanted) note_failure(rows_[one.row], group.error());
      return;
    }
    Box box{{}, std::move(*group), std::vector<perf::ScaledCount>(codes.size())};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const EventDescriptor& row = rows_[wanted[i].row];
      Instance& instance = instance_of(row.part, cpu);
      box.counters.push_back({wanted[i].row, &instance, wanted[i].size});
      const int refused = box.group.refusals()[i];
      if (refused == 0) ++instance.sums[wanted[i].row].wanted;
      if (refused != 0) note_failure(row, perf::refusal(refused, wanted[i].found.name));
    }
    boxes_.push_back(std::move(box));
  }

  void note_failure(const EventDescriptor& row, const base::Error& error) {
    absences_.add(row, error);
    if (!first_failure_) first_failure_ = error;
  }

  Instance& instance_of(Part part, std::uint32_t cpu) {
    const std::string name = instance_name(part, cpu);
    const auto it = std::find_if(instances_.begin(), instances_.end(),
                                 [&](const Instance& known) { return known.name == name; });
    if (it != instances_.end()) return *it;
    instances_.push_back(
        {name, InstanceChannels(metrics_, name), std::vector<Sum>(rows_.size()), false});
    return instances_.back();
  }

  std::string instance_name(Part part, std::uint32_t cpu) const {
    if (part == Part::kHost) return "";
    if (part == Part::kCore) return fmt::format("cpu={}", cpu);
    procfs::TextFile file(
        root_.sys_path(fmt::format("devices/system/cpu/cpu{}/topology/physical_package_id", cpu)));
    const auto text = file.read();
    const auto id = text ? procfs::parse_u64(procfs::trimmed(*text)) : std::nullopt;
    return fmt::format("package={}", id.value_or(0));
  }

  void add(Box& box) {
    if (!box.group.read(box.counts)) return;
    for (std::size_t i = 0; i < box.counts.size(); ++i) {
      if (!box.counts[i]) continue;
      Sum& sum = box.counters[i].instance->sums[box.counters[i].row];
      sum.plain += *box.counts[i];
      sum.sized += static_cast<double>(*box.counts[i]) * box.counters[i].size;
      ++sum.parts;
    }
  }

  void set(FrameWriter& writer, Instance& instance) {
    instance.channels.forget();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const Sum& sum = instance.sums[row];
      if (sum.wanted == 0 || sum.parts != sum.wanted) continue;
      if (rows_[row].sized) {
        instance.channels.set(writer, row, std::optional<double>(sum.sized));
      } else {
        instance.channels.set(writer, row, procfs::Value(sum.plain));
      }
    }
    if (instance.restarted) instance.channels.mark_reset(writer);
    instance.restarted = false;
  }

  std::span<const EventDescriptor> rows_;
  std::string_view modules_;
  std::vector<MetricDescriptor> metrics_;
  procfs::HostRoot root_;
  std::optional<perf::EventNames> names_;
  Absences absences_;
  std::optional<base::Error> first_failure_;
  std::deque<Instance> instances_;  // a deque never moves its elements
  std::vector<Box> boxes_;
  procfs::TextFile online_;
  std::string online_text_;
};

std::vector<MetricDescriptor> perf_msr_metrics() {
  return metrics_of_events(perf::msr_events());
}
std::unique_ptr<Collector> make_perf_msr() {
  return std::make_unique<PerfBoxCollector>(perf::msr_events(), "");
}

std::vector<MetricDescriptor> perf_cstate_metrics() {
  return metrics_of_events(perf::cstate_events());
}
std::unique_ptr<Collector> make_perf_cstate() {
  return std::make_unique<PerfBoxCollector>(perf::cstate_events(), "intel_cstate");
}

std::vector<MetricDescriptor> perf_power_metrics() {
  return metrics_of_events(perf::power_events());
}
std::unique_ptr<Collector> make_perf_power() {
  return std::make_unique<PerfBoxCollector>(perf::power_events(), "rapl");
}

std::vector<MetricDescriptor> perf_uncore_metrics() {
  return metrics_of_events(perf::uncore_events());
}
std::unique_ptr<Collector> make_perf_uncore() {
  return std::make_unique<PerfBoxCollector>(perf::uncore_events(),
                                            "intel_uncore (AMD: amd_uncore)");
}

}  // namespace

extern const CollectorDescriptor kPerfMsrCollector = {
    .name = "perf_msr",
    .help = "clocks and management interrupts per core",
    .make = make_perf_msr,
    .metrics = perf_msr_metrics,
    .poll_class = PollClass::kQuick,
};

extern const CollectorDescriptor kPerfCstateCollector = {
    .name = "perf_cstate",
    .help = "idle states of cores and packages",
    .make = make_perf_cstate,
    .metrics = perf_cstate_metrics,
    .poll_class = PollClass::kQuick,
};

extern const CollectorDescriptor kPerfPowerCollector = {
    .name = "perf_power",
    .help = "energy per package",
    .make = make_perf_power,
    .metrics = perf_power_metrics,
};

extern const CollectorDescriptor kPerfUncoreCollector = {
    .name = "perf_uncore",
    .help = "memory controllers, socket links and third caches",
    .make = make_perf_uncore,
    .metrics = perf_uncore_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
