// /proc/loadavg: the load averages that every operator knows. Smoothed over a minute and more, they
// are context for a finding and not what finds it, so that they rank last.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "procfs/loadavg.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view source, std::string_view alias, double scale,
                               std::string_view name, std::string_view label,
                               std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "tasks";
  out.subsystem = model::Subsystem::kCpu;
  out.scale = scale;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/filesystems/proc.html#kernel-data";
  out.help = help;
  out.rank = 200;
  return out;
}

constexpr double kHundredth = 0.01;

constexpr MetricDescriptor kMetrics[] = {
    row("/proc/loadavg 1min", "load1", kHundredth, "cpu_load_1min_tasks", "Load over a minute",
        "Tasks that run, wait for a core or sleep uninterruptibly, averaged over about a minute."),
    row("/proc/loadavg 5min", "load5", kHundredth, "cpu_load_5min_tasks", "Load over 5 minutes",
        "Tasks that run, wait for a core or sleep uninterruptibly, averaged over about 5 minutes."),
    row("/proc/loadavg 15min", "load15", kHundredth, "cpu_load_15min_tasks", "Load over 15 minutes",
        "Tasks that run, wait for a core or sleep uninterruptibly, averaged over about 15 "
        "minutes."),
    row("/proc/loadavg runnable", "runnable", 1.0, "cpu_load_runnable_tasks",
        "Runnable threads now", "Threads that run or wait for a core at the moment of reading."),
    row("/proc/loadavg tasks", "threads_total", 1.0, "cpu_threads_tasks", "Threads",
        "Threads of all processes, kernel threads among them."),
};

std::vector<MetricDescriptor> loadavg_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_loadavg() {
  return std::make_unique<KeyedCollector<procfs::LoadavgLayout, procfs::kOneRecord>>(
      "loadavg", loadavg_metrics());
}

}  // namespace

extern const CollectorDescriptor kLoadavgCollector = {
    .name = "loadavg",
    .help = "load averages and threads",
    .make = make_loadavg,
    .metrics = loadavg_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
