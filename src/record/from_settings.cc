#include "record/from_settings.h"

#include <chrono>
#include <utility>

#include "model/process_use.h"
#include "record/free_space.h"
#include "select/selection_file.h"

namespace reveal::record {

collect::PollPlan poll_plan_of(const settings::CollectSettings& settings) {
  collect::PollPlan out;
  out.quick = std::chrono::nanoseconds(settings.quick_ns);
  out.medium = std::chrono::nanoseconds(settings.medium_ns);
  out.slow = std::chrono::nanoseconds(settings.slow_ns);
  out.budget_ratio = settings.budget_ratio;
  for (const auto& [collector, word] : settings.poll_classes) {
    if (const auto poll_class = collect::poll_choice(word))
      out.choices.emplace(collector, *poll_class);
  }
  return out;
}

probes::Options probes_of(const settings::ProbeSettings& settings) {
  probes::Options out{settings.textfile, settings.statsd, {}, {}};
  for (const auto& metric : settings.metrics) {
    probes::Metric probe{metric.name, metric.label, metric.unit};
    probe.scale = metric.scale;
    // Words that were read from reveal.toml are these.
    static_cast<void>(model::from_string(metric.kind, probe.kind));
    static_cast<void>(model::from_string(metric.subsystem, probe.subsystem));
    out.metrics.push_back(std::move(probe));
  }
  for (const auto& command : settings.commands) {
    out.commands.push_back({command.run, std::chrono::nanoseconds(command.every_ns),
                            std::chrono::nanoseconds(command.timeout_ns)});
  }
  return out;
}

base::Result<RecordingOptions> recording_options(const settings::Settings& settings,
                                                 const procfs::HostRoot& root,
                                                 const std::filesystem::path& directory,
                                                 const std::vector<std::string>& command) {
  const auto& record = settings.record;
  RecordingOptions out;
  out.directory = directory;
  out.command = command;
  out.root = root;
  out.poll_plan = poll_plan_of(settings.collect);
  out.probes = probes_of(settings.probes);
  if (!record.processes) {
    out.poll_plan.choices[std::string(model::kProcessSource)] = collect::PollChoice::kOff;
  }
  out.interval_ns = record.interval_ns;
  if (record.duration_ns != 0) out.duration_ns = record.duration_ns;
  out.storage.min_free_bytes = free_bytes_on(record.min_free, directory);
  out.storage.sync_ns = record.sync_ns;
  out.storage.retention = {record.keep_ns, record.max_bytes};
  if (record.plan.empty()) return out;
  auto plan = select::load(record.plan);
  if (!plan) return base::pass(plan);
  out.selection = std::move(*plan);
  return out;
}

}  // namespace reveal::record
