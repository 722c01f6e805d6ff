// The processes that use most, as events (model/process_use.h): who did it, if a finding has a
// culprit. A channel counts those that are stopped, the others say how complete the scans are. Read
// in the background: the I/O of a process that is just being started makes its reader wait.
#include <memory>
#include <optional>

#include "collect/collector.h"
#include "collect/parts/fact_text.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/recorder_metrics.h"
#include "collect/process/process_scan.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view name, std::string_view label,
                               std::string_view source, std::string_view alias,
                               std::string_view help) {
  auto out = recorder_metric(Kind::kGauge, model::Repr::kU64, "processes", 1.0, name, label, source,
                             alias, help);
  out.doc_url = "https://docs.kernel.org/filesystems/proc.html";
  return out;
}

constexpr MetricDescriptor stopped_row() {
  MetricDescriptor out;
  out.name = "cpu_stopped_processes";
  out.label = "Stopped processes";
  out.unit = "processes";
  out.subsystem = model::Subsystem::kCpu;
  out.source = "/proc/[0-9]*/stat state";
  out.alias = "stopped";
  out.doc_url = "https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html";
  out.help =
      "Processes that a signal or a tracer has stopped, of those that were busy in the ten scans "
      "before.";
  out.rank = 20;
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    row("cpu_recorder_processes_read", "Processes read", "processes read in a scan",
        "reveal.processes_read", "Processes that the latest scan for the largest read."),
    row("cpu_recorder_processes_unread", "Processes not read", "processes not read in a scan",
        "reveal.processes_unread",
        "Processes that it left to one of the next scans, because more would have cost too much; "
        "the busiest and the newest are read first."),
    stopped_row(),
};

constexpr std::string_view kRecorded =
    "recorded by name, number, control group and use; never their environment or arguments";
constexpr std::string_view kIoRefused =
    "not known of all: reading /proc/PID/io of other users' processes needs CAP_SYS_PTRACE (root "
    "has it)";

class ProcessesCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    scan_.emplace(root);
    if (auto opened = scan_->open(); !opened) return opened;
    add_channels_of(*this, channels);
    recorded_.forget();
    io_.forget();
    return {};
  }

  void collect(FrameWriter& writer) override {
    scan_->scan();
    if (scan_->read() == 0) return;
    host_.set(writer, 0, procfs::Value(scan_->read()));
    host_.set(writer, 1, procfs::Value(scan_->unread()));
    host_.set(writer, 2, procfs::Value(scan_->stopped()));
    recorded_.say(writer, kRecorded);
    if (scan_->io_refused()) io_.say(writer, kIoRefused);
    for (const auto& use : scan_->largest()) {
      const auto note = model::note_of(use);
      writer.note_event(note.subject, note.text);
    }
  }

 private:
  std::optional<ProcessScan> scan_;
  InstanceChannels host_{kMetrics, ""};
  FactText recorded_{std::string(model::kProcessFact)};
  FactText io_{"I/O of processes"};
};

std::vector<MetricDescriptor> process_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_process() {
  return std::make_unique<ProcessesCollector>();
}

}  // namespace

extern const CollectorDescriptor kProcessCollector = {
    .name = model::kProcessSource,
    .help = "the processes that use most CPU time, storage and memory",
    .make = make_process,
    .metrics = process_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect
