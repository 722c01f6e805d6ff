// /sys/devices/system/cpu/cpu*/cpuidle/state*: how often and how long each core slept in each of
// its idle states, and how often the governor chose one that was too deep or not deep enough. These
// are plain numbers of the kernel: reading them wakes nobody. A channel is a state by its name:
// "C6" on one host may be state 3, on its peer state 2.
//
// Each number is a file. The time in a state, from which a core's share of it follows, is read more
// often than the counts of what the governor decided.
#include <set>
#include <span>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/cpu/cpu_files.h"
#include "collect/parts/device_files.h"
#include "collect/parts/metric_rows.h"
#include "collect/parts/scanned_collector.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

using Row = MetricRow<std::string_view>;  // key: the file in a state's folder

constexpr std::size_t kMaxStates = 16;  // the kernel's CPUIDLE_STATE_MAX is 10

constexpr Row row(std::string_view source, std::string_view file, std::string_view unit,
                  std::string_view name, std::string_view label, std::string_view help,
                  std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = model::Kind::kCounter;
  out.scope = model::Scope::kDevice;
  out.source = source;
  out.alias = file;
  out.doc_url = "https://docs.kernel.org/admin-guide/pm/cpuidle.html";
  out.help = help;
  out.rank = rank;
  return {file, out};
}

constexpr Row us(Row out) {
  out.metric.scale = 1e-6;
  return out;
}

using Rows = std::span<const Row>;

constexpr Row kTime[] = {
    us(row("/sys/devices/system/cpu/cpu*/cpuidle/state*/time", "time", "seconds",
           "cpu_idle_state_seconds_total", "Idle state time",
           "Time in the idle state as the kernel measured it; the hardware may have slept less "
           "deeply.",
           70)),
};

constexpr Row kDecisions[] = {
    row("/sys/devices/system/cpu/cpu*/cpuidle/state*/usage", "usage", "entries",
        "cpu_idle_state_entries_total", "Idle state entries",
        "Times that the core asked for the idle state."),
    row("/sys/devices/system/cpu/cpu*/cpuidle/state*/rejected", "rejected", "entries",
        "cpu_idle_state_rejected_total", "Idle state refusals",
        "Times that the idle state was asked for and refused (Linux 5.10).", 150),
    row("/sys/devices/system/cpu/cpu*/cpuidle/state*/above", "above", "entries",
        "cpu_idle_state_too_deep_total", "Idle states chosen too deep",
        "Times that the core woke before the state was worth it: latency paid for nothing "
        "(Linux 4.20).",
        120),
    row("/sys/devices/system/cpu/cpu*/cpuidle/state*/below", "below", "entries",
        "cpu_idle_state_too_shallow_total", "Idle states chosen too shallow",
        "Times that a deeper state would have been worth it (Linux 4.20).", 150),
};

// What is read of each state.
struct Wanted {
  Rows rows;
  std::span<const MetricDescriptor> metrics;  // of the rows
  DeviceFiles::Keep keep;
};

void add_state(const std::string& folder, std::string instance, const Wanted& wanted,
               std::vector<DeviceFiles>& out) {
  DeviceFiles& state = out.emplace_back(wanted.metrics, std::move(instance), wanted.keep);
  for (std::size_t i = 0; i < wanted.rows.size(); ++i) {
    state.add(i, fmt::format("{}/{}", folder, wanted.rows[i].key));
  }
}

// A state whose name is missing, or another's of the same core, goes by its folder's name.
void scan_core(const procfs::HostRoot& root, std::uint32_t cpu, const Wanted& wanted,
               std::vector<DeviceFiles>& out) {
  const std::string folder = cpu_path(root, cpu, "cpuidle");
  std::set<std::string> names;
  for (const auto& state : procfs::names_in(folder, kMaxStates)) {
    if (!state.starts_with("state")) continue;
    std::string name = instance_text(procfs::read_line(fmt::format("{}/{}/name", folder, state)));
    if (name.empty() || !names.insert(name).second) name = state;
    add_state(fmt::format("{}/{}", folder, state), fmt::format("cpu={},state={}", cpu, name),
              wanted, out);
  }
}

std::vector<DeviceFiles> scan(const procfs::HostRoot& root, Rows rows,
                              std::span<const MetricDescriptor> metrics) {
  const auto cpus = online_cpus(root);
  if (cpus.empty()) return {};
  const auto states = procfs::names_in(cpu_path(root, cpus.front(), "cpuidle"), kMaxStates);
  const Wanted wanted{rows, metrics, keep_for(cpus.size() * states.size() * rows.size())};
  std::vector<DeviceFiles> out;
  for (const auto cpu : cpus) scan_core(root, cpu, wanted, out);
  return out;
}

std::vector<MetricDescriptor> cpuidle_metrics() {
  return metrics_of(kTime);
}
std::vector<MetricDescriptor> cpuidle_detail_metrics() {
  return metrics_of(kDecisions);
}

std::unique_ptr<Collector> make(std::vector<MetricDescriptor> metrics, Rows rows,
                                std::size_t readings_per_look) {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      std::move(metrics),
      ScannedSource<DeviceFiles>{
          .scan = [rows](const procfs::HostRoot& root,
                         std::span<const MetricDescriptor> of) { return scan(root, rows, of); },
          .watched = {kOnlineCpus, "devices/system/cpu/cpu0/cpuidle"},
          .readings_per_look = readings_per_look,
          .none = "no core has idle states",
          .remedy = "boot without idle=poll and with an idle driver; in a virtual machine the "
                    "host has it"});
}

std::unique_ptr<Collector> make_cpuidle() {
  return make(cpuidle_metrics(), kTime, kQuickReadingsPerLook);
}
std::unique_ptr<Collector> make_cpuidle_detail() {
  return make(cpuidle_detail_metrics(), kDecisions, 1);
}

}  // namespace

extern const CollectorDescriptor kCpuidleCollector = {
    .name = "cpuidle",
    .help = "time in idle states per core",
    .make = make_cpuidle,
    .metrics = cpuidle_metrics,
    .poll_class = PollClass::kQuick,
    .may_block = true,
};

extern const CollectorDescriptor kCpuidleDetailCollector = {
    .name = "cpuidle_detail",
    .help = "entries into idle states per core, and those that were not worth it",
    .make = make_cpuidle_detail,
    .metrics = cpuidle_detail_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect
