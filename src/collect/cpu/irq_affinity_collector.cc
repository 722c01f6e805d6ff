// /proc/irq: which cores serve the interrupts of devices. Interrupts crowded on few cores, or on
// those of the wrong NUMA node, slow a network adapter down, and no counter says so by itself.
//
// A server has more than a thousand interrupts with files of their own, so a reading takes at most
// kSlice of them: values are those of the latest pass over all, and facts are told at its end.
// Interrupts that no driver has asked for are left out, as far as /sys/kernel/irq (Linux 4.9)
// tells.
#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/fact_text.h"
#include "collect/parts/instance_channels.h"
#include "procfs/attribute.h"
#include "procfs/cpu_set.h"
#include "procfs/interrupts.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> irq_affinity_metrics();

using model::MetricDescriptor;

constexpr std::size_t kSlice = 256;
constexpr std::size_t kMaxIrqs = 8192;
constexpr std::size_t kMaxGroups = 128;

constexpr MetricDescriptor row(std::string_view source, std::string_view alias,
                               std::string_view unit, std::string_view name, std::string_view label,
                               std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = model::Kind::kStatic;
  out.subsystem = model::Subsystem::kCpu;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/core-api/irq/irq-affinity.html";
  out.help = help;
  return out;
}

enum Row : std::size_t { kConfined, kServing, kMaxOnOne };

constexpr MetricDescriptor kMetrics[] = {
    row("/proc/irq/*/smp_affinity_list one core", "smp_affinity", "interrupts",
        "cpu_irq_confined_interrupts", "Interrupts confined to one core",
        "Device interrupts that may be served by one core only."),
    row("/proc/irq/*/effective_affinity_list cores", "effective_affinity", "cores",
        "cpu_irq_serving_cores", "Cores that serve device interrupts",
        "Cores that at least one device interrupt is sent to (Linux 4.13)."),
    row("/proc/irq/*/effective_affinity_list most", "effective_affinity", "interrupts",
        "cpu_irq_most_interrupts", "Device interrupts of the fullest core",
        "Device interrupts that are sent to the core that has most of them (Linux 4.13)."),
};

// The interrupts of one device's queues.
struct Group {
  std::string name;
  FactText fact;
  std::size_t interrupts = 0;
  procfs::CpuSet cores;
};

// What a pass has found so far.
struct Pass {
  std::size_t next = 0;  // in the list of interrupts
  std::size_t seen = 0;
  std::size_t confined = 0;
  bool all_allowed = true;    // every smp_affinity_list could be read
  bool all_effective = true;  // every effective_affinity_list could be read
  std::vector<std::uint32_t> on_core = std::vector<std::uint32_t>(procfs::kMaxListedCpu + 1);
};

struct Totals {
  procfs::Value confined;
  procfs::Value serving;
  procfs::Value most_on_one;
};

bool is_number(std::string_view name) {
  return procfs::parse_u64(name).has_value();
}

class IrqAffinityCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    proc_ = root.proc_path("irq");
    sys_ = root.sys_path("kernel/irq");
    begin_pass();
    if (irqs_.empty()) {
      return base::fail(base::ErrorKind::kAbsent, "lists no interrupt", proc_);
    }
    const std::size_t readings = irqs_.size() / kSlice + 1;
    for (std::size_t i = 0; i < readings; ++i) add_channels_of(*this, channels);
    for (auto& group : groups_) group.fact.forget();
    if (channels_.any()) return {};
    return base::fail(base::ErrorKind::kAbsent, "no interrupt has an affinity", proc_);
  }

  void collect(FrameWriter& writer) override {
    if (pass_.next == 0) begin_pass();
    const std::size_t end = std::min(pass_.next + kSlice, irqs_.size());
    for (; pass_.next < end; ++pass_.next) take(irqs_[pass_.next]);
    if (pass_.next >= irqs_.size()) end_pass(writer);
    channels_.set(writer, kConfined, totals_.confined);
    channels_.set(writer, kServing, totals_.serving);
    channels_.set(writer, kMaxOnOne, totals_.most_on_one);
  }

 private:
  void begin_pass() {
    procfs::list_folder(proc_, irqs_, kMaxIrqs);
    std::erase_if(irqs_, [](const std::string& name) { return !is_number(name); });
    pass_.next = pass_.seen = pass_.confined = 0;
    pass_.all_allowed = pass_.all_effective = true;
    std::fill(pass_.on_core.begin(), pass_.on_core.end(), 0);
    for (auto& group : groups_) {
      group.interrupts = 0;
      group.cores.clear();
    }
  }

  void end_pass(FrameWriter& writer) {
    const auto cores_with = std::count_if(pass_.on_core.begin(), pass_.on_core.end(),
                                          [](std::uint32_t irqs) { return irqs != 0; });
    const bool any = pass_.seen != 0;
    totals_ = {};
    if (any && pass_.all_allowed) totals_.confined = pass_.confined;
    if (any && pass_.all_effective) {
      totals_.serving = static_cast<std::uint64_t>(cores_with);
      totals_.most_on_one = *std::max_element(pass_.on_core.begin(), pass_.on_core.end());
    }
    tell_groups(writer);
    pass_.next = 0;
  }

  void tell_groups(FrameWriter& writer) {
    for (auto& group : groups_) {
      text_.clear();
      if (group.interrupts != 0) {
        fmt::format_to(std::back_inserter(text_), "{} on cores ", group.interrupts);
        group.cores.append_to(text_);
      }
      group.fact.say(writer, text_);
    }
    std::erase_if(groups_, [](const Group& group) { return group.interrupts == 0; });
  }

  void take(const std::string& irq) {
    const auto action = read(sys_, irq, "/actions");
    if (action && action->empty()) return;  // nobody's
    procfs::queue_group_of(action ? action->substr(0, action->find(',')) : "", name_);
    if (!take_allowed(irq)) return;
    take_effective(irq);
  }

  // Returns false if the interrupt is no longer there.
  bool take_allowed(const std::string& irq) {
    const auto list = read(proc_, irq, "/smp_affinity_list");
    if (!list && reader_.last_errno() == ENOENT) return false;
    ++pass_.seen;
    if (!list || !cores_.assign(*list)) {
      pass_.all_allowed = false;
    } else if (cores_.count() == 1) {
      ++pass_.confined;
    }
    return true;
  }

  void take_effective(const std::string& irq) {
    const auto list = read(proc_, irq, "/effective_affinity_list");
    if (!list || !cores_.assign(*list)) {
      pass_.all_effective = false;
      return;
    }
    cores_.for_each([this](std::uint32_t cpu) { ++pass_.on_core[cpu]; });
    if (Group* group = group_of(name_)) {
      ++group->interrupts;
      group->cores.merge(cores_);
    }
  }

  Group* group_of(std::string_view name) {
    if (name.empty()) return nullptr;
    const auto it = std::find_if(groups_.begin(), groups_.end(),
                                 [&](const Group& group) { return group.name == name; });
    if (it != groups_.end()) return &*it;
    if (groups_.size() >= kMaxGroups) return nullptr;
    return &groups_.emplace_back(
        Group{std::string(name), FactText(fmt::format("interrupts of {}", name)), 0, {}});
  }

  std::optional<std::string_view> read(const std::string& folder, std::string_view irq,
                                       std::string_view file) {
    path_.assign(folder).append("/").append(irq).append(file);
    return reader_.read(path_);
  }

  std::vector<MetricDescriptor> metrics_ = irq_affinity_metrics();
  InstanceChannels channels_{metrics_, ""};
  std::string proc_;
  std::string sys_;
  std::vector<std::string> irqs_;
  std::vector<Group> groups_;
  Pass pass_;
  Totals totals_;
  procfs::AttributeReader reader_;
  procfs::CpuSet cores_;  // of the interrupt at hand
  std::string name_;
  std::string path_;
  std::string text_;
};

std::vector<MetricDescriptor> irq_affinity_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_irq_affinity() {
  return std::make_unique<IrqAffinityCollector>();
}

}  // namespace

extern const CollectorDescriptor kIrqAffinityCollector = {
    .name = "irq_affinity",
    .help = "which cores serve the interrupts of devices",
    .make = make_irq_affinity,
    .metrics = irq_affinity_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
