// /proc/softirqs: deferred interrupt work per core, one row a kind. The kernel counts in 32 bits.
#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "procfs/cpu_table.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> softirqs_metrics();

using model::MetricDescriptor;
using model::Subsystem;

constexpr MetricRow<std::string_view> row(std::string_view source, Subsystem subsystem,
                                          std::string_view name, std::string_view label,
                                          std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "softirqs";
  out.kind = model::Kind::kCounter;
  out.subsystem = subsystem;
  out.scope = model::Scope::kCore;
  out.counter_bits = 32;
  out.source = source;
  out.alias = source.substr(source.find(' ') + 1);
  out.doc_url = "https://docs.kernel.org/filesystems/proc.html#kernel-data";
  out.help = help;
  return {out.alias, out};
}

constexpr MetricRow<std::string_view> kRows[] = {
    row("/proc/softirqs HI", Subsystem::kCpu, "cpu_softirq_high_total", "High-priority softirqs",
        "Tasklets of high priority."),
    row("/proc/softirqs TIMER", Subsystem::kCpu, "cpu_softirq_timer_total", "Timer softirqs",
        "Kernel timers that ran out."),
    row("/proc/softirqs NET_TX", Subsystem::kNetwork, "network_softirq_send_total",
        "Network send softirqs", "Completions of sent packets."),
    row("/proc/softirqs NET_RX", Subsystem::kNetwork, "network_softirq_receive_total",
        "Network receive softirqs", "Polls for received packets."),
    row("/proc/softirqs BLOCK", Subsystem::kStorage, "storage_softirq_block_total",
        "Block I/O softirqs", "Completions of block I/O."),
    row("/proc/softirqs IRQ_POLL", Subsystem::kStorage, "storage_softirq_poll_total",
        "Block polling softirqs", "Polls of block devices; called BLOCK_IOPOLL before Linux 4.5."),
    row("/proc/softirqs TASKLET", Subsystem::kCpu, "cpu_softirq_tasklet_total", "Tasklet softirqs",
        "Tasklets of drivers."),
    row("/proc/softirqs SCHED", Subsystem::kCpu, "cpu_softirq_scheduler_total",
        "Scheduler softirqs", "Load balancing between cores."),
    row("/proc/softirqs HRTIMER", Subsystem::kCpu, "cpu_softirq_hrtimer_total",
        "High-resolution timer softirqs", "High-resolution timers that ran out."),
    row("/proc/softirqs RCU", Subsystem::kCpu, "cpu_softirq_rcu_total", "RCU softirqs",
        "Deferred freeing of kernel memory."),
};

class SoftirqsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("softirqs"), procfs::kOneRecord);
    if (auto text = file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    reader_.start(*text);
    for (procfs::CpuTableRow row; reader_.next(row);) set_row(writer, row);
  }

 private:
  void set_row(FrameWriter& writer, const procfs::CpuTableRow& table_row) {
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
      if (kRows[i].key != table_row.name) continue;
      for (std::size_t column = 0; column < table_row.counts.size(); ++column) {
        const auto cpu = reader_.cpus()[column];
        if (cpu >= kMaxCores) continue;
        core_channels(cores_, cpu, metrics_).set(writer, i, table_row.counts[column]);
      }
    }
  }

  std::vector<MetricDescriptor> metrics_ = softirqs_metrics();
  std::vector<InstanceChannels> cores_;
  procfs::TextFile file_;
  procfs::CpuTableReader reader_;
};

std::vector<MetricDescriptor> softirqs_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_softirqs() {
  return std::make_unique<SoftirqsCollector>();
}

}  // namespace

extern const CollectorDescriptor kSoftirqsCollector = {
    .name = "softirqs",
    .help = "deferred interrupt work per core",
    .make = make_softirqs,
    .metrics = softirqs_metrics,
    .poll_class = PollClass::kQuick,
};

}  // namespace reveal::collect
