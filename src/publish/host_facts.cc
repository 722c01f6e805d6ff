#include "publish/host_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "text/quantity.h"
#include "wire/limits.h"

namespace reveal::publish {
namespace {

constexpr std::string_view kGpuName = "name of gpu ";
constexpr double kSameMemory = 1.05;
// Jobs that are over sooner are not told: of an array of short ones there would be no end.
constexpr std::int64_t kShortestJob_ns = 30'000'000'000;
constexpr std::string_view kJobLabel = "job";
constexpr std::string_view kJobKey = "job=";
constexpr std::string_view kJobSource = "job";

// Who owns a control group and who uses a GPU changes with the jobs. Jobs are told by their names
// alone.
bool is_of_the_host(const model::Note& note) {
  return note.source != "recorder" && note.source != "process" &&
         !note.source.starts_with("cgroup") && !note.subject.starts_with("processes of ");
}

// Returns the memory as hosts that have about as much have it.
std::string memory_of(const fleet::LevelStream& stream) {
  const double bytes = fleet::installed_memory(stream.statics());
  if (!(bytes > 0)) return {};
  const double step = std::log(kSameMemory);
  return text::format_quantity(std::exp(std::round(std::log(bytes) / step) * step), "bytes");
}

std::string hardware_of(const fleet::LevelStream& stream, const model::RunFacts& latest) {
  std::string processor;
  std::map<std::string, std::size_t> gpus;
  for (const auto& note : stream.notes()) {
    if (note.subject.starts_with("processor model") && processor.empty()) processor = note.text;
    if (note.subject.starts_with(kGpuName)) ++gpus[note.text];
  }
  auto out = fmt::format("{}, {} cores", processor.empty() ? latest.machine : processor,
                         latest.cpus_online);
  if (const auto memory = memory_of(stream); !memory.empty()) out += ", " + memory;
  for (const auto& [name, count] : gpus) out += fmt::format(", {} x {}", count, name);
  return out;
}

// Returns the name of the job that a pod is of; empty if it is of none that is known.
std::string name_of_workload(const std::string& pod, const PodOwners& pods) {
  const auto owner = pods.find(pod.substr(fleet::kPodName.size()));
  return owner == pods.end() ? std::string() : "kubernetes/" + owner->second;
}

// The jobs that its control groups tell, those that have run for longest first, and that which its
// labels tell.
std::vector<fleet::RunningJob> jobs_of(const HostLabels& labels, const fleet::LevelStream& stream,
                                       const PodOwners& pods) {
  std::vector<fleet::RunningJob> out;
  for (const auto& [name, value] : labels.labels) {
    if (name != kJobLabel || value.empty()) continue;
    out.push_back({"label/" + value, std::max<std::int64_t>(stream.facts().start_wall_ns, 0)});
  }
  for (auto& job : stream.jobs()) {
    if (stream.read_until_ns() - job.since_ns < kShortestJob_ns) break;
    if (job.name.starts_with(fleet::kPodName)) job.name = name_of_workload(job.name, pods);
    const bool is_known = std::ranges::find(out, job.name, &fleet::RunningJob::name) != out.end();
    // Of several pods of one owner the first one counts.
    if (!job.name.empty() && !is_known) out.push_back(std::move(job));
  }
  // One group is that of hosts without a job.
  if (out.size() > wire::kMaxGroups - 1) out.resize(wire::kMaxGroups - 1);
  return out;
}

}  // namespace

std::string group_of(const HostLabels& labels, const fleet::LevelStream& stream,
                     const model::RunFacts& latest) {
  return labels.role.empty() ? "hw=" + hardware_of(stream, latest) : "role=" + labels.role;
}

wire::Facts facts_of(const HostLabels& labels, const fleet::LevelStream& stream,
                     const model::RunFacts& latest, const PodOwners& pods) {
  const auto& run = stream.facts();
  wire::Facts out;
  out.host = latest.host.empty() ? "localhost" : latest.host;
  out.kernel = latest.kernel;
  out.machine = latest.machine;
  // Of the run, which their hash stands for.
  out.boot_id = run.boot_id;
  out.start_wall_ns = std::max<std::int64_t>(run.start_wall_ns, 0);
  out.interval_ns = run.interval_ns;
  out.reveal_version = latest.reveal_version;
  out.cpus_online = std::min(latest.cpus_online, wire::kMaxProcessors);
  out.labels = labels.labels;
  out.groups = {group_of(labels, stream, latest)};
  for (const auto& job : jobs_of(labels, stream, pods)) {
    out.groups.push_back(std::string(kJobKey) + job.name);
    out.facts.push_back({std::string(kJobSource), job.name, std::to_string(job.since_ns)});
  }
  for (const auto& note : stream.notes()) {
    if (is_of_the_host(note)) out.facts.push_back({note.source, note.subject, note.text});
  }
  for (const auto& fact : stream.statics()) {
    const auto& quantity = fact.quantity;
    if (!std::isfinite(fact.value)) continue;
    out.facts.push_back(
        {quantity.metric, quantity.phrase(), text::format_quantity(fact.value, quantity.unit)});
  }
  return out;
}

}  // namespace reveal::publish
