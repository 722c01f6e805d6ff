// /proc/schedstat: how long tasks ran on each core, and how long they were kept waiting for it.
//
// The waiting time is the most direct sign of preemption: tasks that could run and did not. The
// file grows with cores times scheduling domains and is dear on large hosts, so it is not of the
// fast poll class.
#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "procfs/schedstat.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using procfs::CoreSchedule;

constexpr MetricRow<procfs::Value CoreSchedule::*> row(procfs::Value CoreSchedule::*member,
                                                       std::string_view source,
                                                       std::string_view alias,
                                                       std::string_view unit, std::string_view name,
                                                       std::string_view label,
                                                       std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = model::Kind::kCounter;
  out.subsystem = model::Subsystem::kCpu;
  out.scope = model::Scope::kCore;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/scheduler/sched-stats.html";
  out.help = help;
  out.rank = rank;
  return {member, out};
}

constexpr MetricRow<procfs::Value CoreSchedule::*> ns(
    MetricRow<procfs::Value CoreSchedule::*> out) {
  out.metric.scale = 1e-9;
  return out;
}

constexpr MetricRow<procfs::Value CoreSchedule::*> kRows[] = {
    ns(row(&CoreSchedule::run_ns, "/proc/schedstat cpu field 7", "rq_cpu_time", "seconds",
           "cpu_task_run_seconds_total", "Task run time", "Time in which tasks ran on the core.",
           60)),
    ns(row(&CoreSchedule::wait_ns, "/proc/schedstat cpu field 8", "run_delay", "seconds",
           "cpu_task_wait_seconds_total", "Task waiting time",
           "Time that runnable tasks waited for the core, added up over them.", 20)),
    row(&CoreSchedule::timeslices, "/proc/schedstat cpu field 9", "pcount", "timeslices",
        "cpu_timeslices_total", "Timeslices", "Times that a task was given the core.", 100),
    row(&CoreSchedule::yields, "/proc/schedstat cpu field 1", "yld_count", "yields",
        "cpu_yields_total", "Yields",
        "Calls of sched_yield(); counted only while kernel.sched_schedstats is 1.", 100),
};

class SchedstatCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("schedstat"));
    if (auto text = file_.read(); !text) {
      auto error = std::move(text.error());
      if (error.kind == base::ErrorKind::kAbsent) {
        error.remedy = "boot a kernel with CONFIG_SCHEDSTATS=y";
      }
      return base::Unexpected(std::move(error));
    }
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    procfs::parse_schedstat(*text, stat_);
    for (const auto& core : stat_.cores) {
      if (core.cpu >= kMaxCores) continue;
      auto& channels = core_channels(cores_, core.cpu, metrics_);
      for (std::size_t i = 0; i < metrics_.size(); ++i) {
        channels.set(writer, i, core.*kRows[i].key);
      }
    }
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    if (stat_.version && stat_.cores.empty()) {
      return {base::ErrorKind::kAbsent,
              fmt::format("version {} of the format is not known", *stat_.version), file_.path(),
              ""};
    }
    return Collector::why_absent(metric);
  }

 private:
  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  std::vector<InstanceChannels> cores_;
  procfs::TextFile file_;
  procfs::Schedstat stat_;
};

std::vector<MetricDescriptor> schedstat_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_schedstat() {
  return std::make_unique<SchedstatCollector>();
}

}  // namespace

extern const CollectorDescriptor kSchedstatCollector = {
    .name = "schedstat",
    .help = "time that tasks ran and waited per core",
    .make = make_schedstat,
    .metrics = schedstat_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
