// /proc/stat: where each core's time and the whole host's time went, and the host's totals.
// The time states have a channel for each core and one for the host, whose instance is empty.
#include <optional>

#include <unistd.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "procfs/stat.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using procfs::ProcStat;

constexpr std::string_view kDocUrl =
    "https://docs.kernel.org/filesystems/proc.html#miscellaneous-kernel-statistics-in-proc-stat";

constexpr MetricDescriptor state(std::string_view source, std::string_view alias,
                                 std::string_view name, std::string_view label,
                                 std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "seconds";
  out.kind = Kind::kCounter;
  out.subsystem = model::Subsystem::kCpu;
  out.scope = model::Scope::kCore;
  out.source = source;
  out.alias = alias;
  out.doc_url = kDocUrl;
  out.help = help;
  out.rank = rank;
  return out;
}

// By column of a cpu line. Their scale, the length of a USER_HZ tick, is known at run time only.
constexpr MetricDescriptor kStates[] = {
    state("/proc/stat cpu user", "user", "cpu_user_seconds_total", "User time",
          "Time in programs, guests among them.", 10),
    state("/proc/stat cpu nice", "nice", "cpu_nice_seconds_total", "Low-priority user time",
          "Time in programs of lowered priority.", 100),
    state("/proc/stat cpu system", "system", "cpu_system_seconds_total", "Kernel time",
          "Time in the kernel on behalf of programs.", 10),
    state("/proc/stat cpu idle", "idle", "cpu_idle_seconds_total", "Idle time",
          "Time with nothing to do; may step back by a tick.", 10),
    state("/proc/stat cpu iowait", "iowait", "cpu_iowait_seconds_total", "Idle time during I/O",
          "Idle time while a task of the core waited for I/O; may step back by a tick.", 60),
    state("/proc/stat cpu irq", "irq", "cpu_irq_seconds_total", "Interrupt time",
          "Time in interrupt handlers.", 100),
    state("/proc/stat cpu softirq", "softirq", "cpu_softirq_seconds_total", "Softirq time",
          "Time in deferred interrupt work.", 100),
    state("/proc/stat cpu steal", "steal", "cpu_steal_seconds_total", "Stolen time",
          "Time in which the hypervisor ran something else (Linux 2.6.11).", 60),
    state("/proc/stat cpu guest", "guest", "cpu_guest_seconds_total", "Guest time",
          "Time in virtual machines, a part of user time (Linux 2.6.24).", 150),
    state("/proc/stat cpu guest_nice", "guest_nice", "cpu_guest_nice_seconds_total",
          "Low-priority guest time",
          "Time in virtual machines of lowered priority, a part of nice time (Linux 2.6.33).", 150),
};
static_assert(std::size(kStates) == procfs::kCpuStateCount);

constexpr MetricDescriptor host(std::string_view source, Kind kind, std::string_view unit,
                                std::string_view name, std::string_view label,
                                std::string_view help, std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kCpu;
  out.source = source;
  out.alias = source.substr(source.find(' ') + 1);
  out.doc_url = kDocUrl;
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricRow<procfs::Value ProcStat::*> kHostRows[] = {
    {&ProcStat::intr, host("/proc/stat intr", Kind::kCounter, "interrupts", "cpu_interrupts_total",
                           "Interrupts", "Interrupts that all cores served.", 50)},
    {&ProcStat::ctxt,
     host("/proc/stat ctxt", Kind::kCounter, "switches", "cpu_context_switches_total",
          "Context switches", "Times that a core went from one task to another.", 50)},
    {&ProcStat::processes, host("/proc/stat processes", Kind::kCounter, "forks", "cpu_forks_total",
                                "Forks", "Processes and threads created.")},
    {&ProcStat::procs_running,
     host("/proc/stat procs_running", Kind::kGauge, "tasks", "cpu_running_tasks", "Runnable tasks",
          "Tasks that run or wait for a core.", 60)},
    {&ProcStat::procs_blocked,
     host("/proc/stat procs_blocked", Kind::kGauge, "tasks", "cpu_blocked_tasks",
          "Tasks blocked on I/O", "Tasks that wait for I/O.", 60)},
    {&ProcStat::softirq,
     host("/proc/stat softirq", Kind::kCounter, "softirqs", "cpu_softirqs_total", "Softirqs",
          "Deferred interrupt work served by all cores (Linux 2.6.31).")},
    {&ProcStat::btime, host("/proc/stat btime", Kind::kStatic, "seconds", "cpu_boot_time_seconds",
                            "Boot time", "When the host booted, in seconds since the epoch.")},
};

std::vector<MetricDescriptor> state_metrics() {
  const long hertz = ::sysconf(_SC_CLK_TCK);
  std::vector<MetricDescriptor> out(std::begin(kStates), std::end(kStates));
  for (auto& metric : out) metric.scale = 1.0 / static_cast<double>(hertz);
  return out;
}

class StatCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("stat"), procfs::kOneRecord);
    if (auto text = file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    procfs::parse_stat(*text, stat_);
    set_states(writer, host_states_, stat_.host);
    for (const auto& core : stat_.cores) {
      if (core.cpu >= kMaxCores) continue;
      set_states(writer, core_channels(cores_, core.cpu, states_), core.ticks);
    }
    for (std::size_t row = 0; row < totals_.size(); ++row) {
      host_totals_.set(writer, row, stat_.*kHostRows[row].key);
    }
  }

 private:
  static void set_states(FrameWriter& writer, InstanceChannels& to, const procfs::CpuTicks& ticks) {
    for (std::size_t i = 0; i < ticks.size(); ++i) to.set(writer, i, ticks[i]);
  }

  std::vector<MetricDescriptor> states_ = state_metrics();
  std::vector<MetricDescriptor> totals_ = metrics_of(kHostRows);
  InstanceChannels host_states_{states_, ""};
  InstanceChannels host_totals_{totals_, ""};
  std::vector<InstanceChannels> cores_;
  procfs::TextFile file_;
  ProcStat stat_;
};

std::vector<MetricDescriptor> stat_metrics() {
  auto out = state_metrics();
  const auto totals = metrics_of(kHostRows);
  out.insert(out.end(), totals.begin(), totals.end());
  return out;
}

std::unique_ptr<Collector> make_stat() {
  return std::make_unique<StatCollector>();
}

}  // namespace

extern const CollectorDescriptor kStatCollector = {
    .name = "stat",
    .help = "time states per core, switches and forks",
    .make = make_stat,
    .metrics = stat_metrics,
};

}  // namespace reveal::collect
