#include "study/blame.h"

#include <algorithm>
#include <tuple>

namespace reveal::study {
namespace {

Blame blame_of(const report::Report& report, std::size_t run,
               const attribute::FlaggedWindow& window, const attribute::DetectorEvidence& detector,
               const attribute::Evidence& evidence) {
  const auto& channels = *report.channel_table;
  const auto& metric = channels.metric(evidence.key.channel);
  return {.run = run,
          .window = window.span.id.value(),
          .stretch = {window.span.begin_ns, window.span.end_ns},
          .channel = channels.name(evidence.key.channel),
          .metric = std::string(metric.name),
          .subsystem = metric.subsystem,
          .feature = std::string(feature::descriptor(evidence.key.feature).name),
          .detector = std::string(detector.detector),
          .contribution = evidence.contribution};
}

void add(const report::Report& report, std::size_t run,
         const std::vector<attribute::Finding>& findings, std::vector<Blame>& out) {
  for (const auto& finding : findings) {
    for (const auto& window : finding.windows) {
      for (const auto& detector : window.detectors) {
        for (const auto& evidence : detector.evidence) {
          out.push_back(blame_of(report, run, window, detector, evidence));
        }
      }
    }
  }
}

// Two findings at the same time share windows: what they have in common counts once.
void drop_repeated(std::vector<Blame>& all) {
  const auto key = [](const Blame& one) {
    return std::tie(one.run, one.window, one.detector, one.channel, one.feature);
  };
  std::ranges::sort(all, {}, key);
  const auto is_same = [&](const Blame& a, const Blame& b) { return key(a) == key(b); };
  all.erase(std::unique(all.begin(), all.end(), is_same), all.end());
}

}  // namespace

base::Result<std::vector<Blame>> blames_of(const Request& request, Result& out) {
  std::vector<Blame> all;
  for (std::size_t run = 0; run < request.directories.size(); ++run) {
    const auto report = analyzed(request.directories[run], request.config, out.damage);
    if (!report) return base::pass(report);
    out.runs.push_back(run_of(request.directories[run], *report));
    for (const auto* list : {&report->findings, &report->changes, &report->low_confidence}) {
      add(*report, run, *list, all);
    }
  }
  drop_repeated(all);
  return all;
}

std::vector<BlameGroup> grouped(std::span<const Blame> all,
                                const std::function<std::string(const Blame&)>& name) {
  std::map<std::string, BlameGroup> groups;
  std::map<std::pair<std::string, std::size_t>, std::vector<Stretch>> stretches;  // and run
  for (const auto& one : all) {
    const auto key = name(one);
    auto& group =
        groups.try_emplace(key, BlameGroup{.name = key, .subsystem = one.subsystem}).first->second;
    ++group.count;
    group.contribution += one.contribution;
    group.windows.emplace(one.run, one.window);
    stretches[{key, one.run}].push_back(one.stretch);
  }
  for (auto& [key, of_run] : stretches) {
    groups.at(key.first).seconds += seconds(merged(std::move(of_run)));
  }
  std::vector<BlameGroup> out;
  out.reserve(groups.size());
  for (auto& [key, group] : groups) out.push_back(std::move(group));
  std::ranges::stable_sort(out, std::ranges::greater(), &BlameGroup::count);
  return out;
}

}  // namespace reveal::study
