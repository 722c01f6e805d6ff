#include "attribute/processes.h"

#include <fmt/format.h>

#include "model/cgroup_instance.h"
#include "text/quantity.h"

namespace reveal::attribute {
namespace {

using model::Subsystem;

}  // namespace

std::optional<model::ProcessRise> process_of(const model::ProcessTimeline& processes,
                                             const model::ChannelTable& channels,
                                             const Finding& finding) {
  const auto asked = [&](Subsystem resource, std::string_view group = {}) {
    return processes.largest_rise(finding.begin_ns(), finding.end_ns(), resource, group);
  };
  if (finding.culprit) {
    const auto resource = channels.metric(finding.culprit->channel).subsystem;
    const auto group = model::group_of(channels.channel(finding.culprit->channel).instance);
    if (auto by_finding = asked(finding.subsystem(), group)) return by_finding;
    if (auto by_group = asked(resource, group)) return by_group;
    // A process whose group is not known contradicts nobody.
    auto any = asked(resource);
    return any && any->group.empty() ? any : std::nullopt;
  }
  auto of_subsystem = asked(finding.subsystem());
  return of_subsystem ? of_subsystem : asked(Subsystem::kCpu);
}

bool is_cleared_by(const model::ProcessTimeline& processes, const model::ChannelTable& channels,
                   const Finding& finding) {
  if (!finding.culprit || finding.subsystem() != Subsystem::kStorage) return false;
  const auto channel = finding.culprit->channel;
  if (channels.metric(channel).subsystem == Subsystem::kStorage) return false;
  const auto rise_in = [&](std::string_view group) {
    return processes.largest_rise(finding.begin_ns(), finding.end_ns(), Subsystem::kStorage, group);
  };
  return rise_in({}) && !rise_in(model::group_of(channels.channel(channel).instance));
}

std::string_view why_no_process(const model::ProcessTimeline* processes) {
  if (processes == nullptr || !processes->is_recorded()) return "processes were not recorded";
  return "no process that lived long enough to be seen used more than usual";
}

std::string phrase_of(const model::ProcessRise& rise) {
  const auto share = fmt::format("{:.0f} % of what all processes used more", 100 * rise.share);
  if (rise.resource == Subsystem::kCpu) {
    return fmt::format("used {:.2f} cores (usually {:.2f}), {}", rise.observed, rise.usual, share);
  }
  const bool memory = rise.resource == Subsystem::kMemory;
  const std::string_view unit = memory ? "bytes" : "bytes/s";
  return fmt::format("{} {} ({} {}), {}", memory ? "held" : "read and wrote",
                     text::format_quantity(rise.observed, unit), memory ? "before" : "usually",
                     text::format_quantity(rise.usual, unit), share);
}

}  // namespace reveal::attribute
