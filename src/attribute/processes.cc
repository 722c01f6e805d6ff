#include "attribute/processes.h"

#include <fmt/format.h>

#include "model/cgroup_instance.h"
#include "text/quantity.h"

namespace reveal::attribute {
namespace {

using model::Subsystem;

// CPU time stands for a resource that nobody's use is known of: on a busy host some process uses a
// little more all the time.
constexpr double kLeastCores = 0.5;
constexpr double kLeastShare = 0.5;
bool is_clear(const model::ProcessRise& by_cpu) {
  return by_cpu.observed - by_cpu.usual >= kLeastCores && by_cpu.share >= kLeastShare;
}

// Of who is new, or used next to nothing before, the time at which it came says enough.
constexpr double kComes = 3;  // times the usual
template <typename Use>
bool comes_with(const Use& use) {
  return use.observed >= kComes * use.usual;
}

// Returns how many cores the host tells of; 0 if it does not.
std::size_t cores_of(const model::ChannelTable& channels) {
  const auto metric = channels.find_metric("cpu_busy_ratio");
  std::size_t out = 0;
  for (std::size_t i = 0; metric && i < channels.channel_count(); ++i) {
    if (channels.channel(model::ChannelId(i)).metric == *metric) ++out;
  }
  return out;
}

template <typename Use>
double rise_of(const Use& use) {
  return use.observed - use.usual;
}

// In the root somebody always writes a little.
constexpr double kBulk = 32.0 * 1024 * 1024;  // bytes/s
constexpr double kMuchMore = 4;
bool is_bulk(const model::ProcessRise& by_storage) {
  return rise_of(by_storage) >= kBulk && by_storage.share >= kLeastShare;
}

bool tells_of(const model::ChannelTable& channels, const Finding& finding,
              std::string_view metric) {
  return finding.telling && channels.metric(finding.telling->key.channel).name == metric;
}

std::optional<model::ProcessRise> stopped_of(const model::ProcessTimeline& processes,
                                             const model::ChannelTable& channels,
                                             const Finding& finding) {
  if (!tells_of(channels, finding, "cpu_stopped_processes")) return std::nullopt;
  return processes.stopped(finding.begin_ns(), finding.end_ns());
}

}  // namespace

std::optional<model::ProcessRise> process_of(const model::ProcessTimeline& processes,
                                             const model::ChannelTable& channels,
                                             const Finding& finding) {
  if (tells_of(channels, finding, "cpu_cgroup_frozen_flag")) return std::nullopt;
  if (auto stopped = stopped_of(processes, channels, finding)) return stopped;
  const auto asked = [&](Subsystem resource, std::string_view group = {}) {
    return processes.largest_rise(finding.begin_ns(), finding.end_ns(), resource, group);
  };
  if (finding.culprit) {
    const auto resource = channels.metric(finding.culprit->channel).subsystem;
    const auto group = model::group_of(channels.channel(finding.culprit->channel).instance);
    if (auto by_finding = asked(finding.subsystem(), group)) return by_finding;
    // Neither traffic nor the GPU's work is known by process: whoever does more of it computes
    // more.
    const bool is_known = resource != Subsystem::kNetwork && resource != Subsystem::kGpu;
    return asked(is_known ? resource : Subsystem::kCpu, group);
  }
  if (auto of_subsystem = asked(finding.subsystem())) return of_subsystem;
  auto by_cpu = asked(Subsystem::kCpu);
  return by_cpu && is_clear(*by_cpu) ? by_cpu : std::nullopt;
}

bool is_cleared_by(const model::ProcessTimeline& processes, const model::ChannelTable& channels,
                   const Finding& finding) {
  if (!finding.culprit) return false;
  const auto& channel = channels.channel(finding.culprit->channel);
  const bool by_cpu = channels.metric(finding.culprit->channel).subsystem == Subsystem::kCpu;
  if (!by_cpu) return false;
  if (tells_of(channels, finding, "cpu_cgroup_frozen_flag")) return true;
  if (stopped_of(processes, channels, finding)) return true;
  const auto rise_in = [&](std::string_view group) {
    return processes.largest_rise(finding.begin_ns(), finding.end_ns(), finding.subsystem(), group);
  };
  const auto outside = rise_in({});
  if (!outside) return false;
  const auto inside = rise_in(model::group_of(channel.instance));
  const bool in_root = outside->group.empty();
  switch (finding.subsystem()) {
    case Subsystem::kCpu:  // groups are compared with one another by their own channels
      return in_root && rise_of(*outside) > rise_of(*finding.culprit) &&
             (!inside || rise_of(*outside) > rise_of(*inside));
    case Subsystem::kStorage:
      if (inside) return is_bulk(*outside) && rise_of(*outside) > kMuchMore * rise_of(*inside);
      return !in_root || !comes_with(*finding.culprit) || is_bulk(*outside);
    default:
      return false;
  }
}

bool take_processors(const model::ProcessTimeline& processes, const model::ChannelTable& channels,
                     const Finding& finding) {
  constexpr double kOfHost = 0.05;
  const auto by_cpu = processes.largest_rise(finding.begin_ns(), finding.end_ns(), Subsystem::kCpu);
  return by_cpu && is_clear(*by_cpu) && comes_with(*by_cpu) &&
         rise_of(*by_cpu) >= kOfHost * static_cast<double>(cores_of(channels));
}

std::string_view why_no_process(const model::ProcessTimeline* processes) {
  if (processes == nullptr || !processes->is_recorded()) return "processes were not recorded";
  return "no process that lived long enough to be seen used more than usual";
}

std::string phrase_of(const model::ProcessRise& rise) {
  if (rise.stopped) {
    return fmt::format("stood still, stopped by a signal or a tracer (usually used {})",
                       text::format_cores(rise.usual));
  }
  // Of several processes the smaller ones are not listed, nor are others': no share is known.
  const auto share =
      rise.at_least ? std::string()
                    : fmt::format(", {:.0f} % of what all processes used more", 100 * rise.share);
  const std::string_view least = rise.at_least ? "at least " : "";
  if (rise.resource == Subsystem::kCpu) {
    return fmt::format("used {}{} (usually {:.2f}){}", least, text::format_cores(rise.observed),
                       rise.usual, share);
  }
  const bool memory = rise.resource == Subsystem::kMemory;
  const std::string_view unit = memory ? "bytes" : "bytes/s";
  return fmt::format("{} {}{} ({} {}){}", memory ? "held" : "read and wrote", least,
                     text::format_quantity(rise.observed, unit), memory ? "before" : "usually",
                     text::format_quantity(rise.usual, unit), share);
}

}  // namespace reveal::attribute
