#include "replay/finding_again.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace reveal::replay {
namespace {

base::Result<FindingAgain> analyzed(const std::filesystem::path& directory,
                                    const pipeline::PipelineConfig& config) {
  FindingAgain out;
  auto run = replay(directory, config);
  if (!run) return base::pass(run);
  out.run = std::move(*run);
  auto report = out.run.pipeline->analyze();
  if (!report) return base::pass(report);
  out.report = std::move(*report);
  return out;
}

// Returns the place of the finding of that subsystem that has that window.
std::optional<std::size_t> place_of(window::WindowId window, model::Subsystem subsystem,
                                    const std::vector<attribute::Finding>& findings) {
  const auto is_it = [&](const attribute::Finding& one) {
    return one.subsystem() == subsystem &&
           std::ranges::any_of(one.windows, [&](const auto& it) { return it.span.id == window; });
  };
  const auto it = std::ranges::find_if(findings, is_it);
  if (it == findings.end()) return std::nullopt;
  return static_cast<std::size_t>(it - findings.begin());
}

}  // namespace

base::Result<FindingAgain> find_again(const std::filesystem::path& directory,
                                      pipeline::PipelineConfig config, std::size_t finding) {
  if (config.most_values == 0) config.most_values = pipeline::kMostValues;
  auto run = analyzed(directory, config);
  if (!run) return run;
  run->finding = finding;
  run->number = finding + 1;
  run->count = run->report.findings.size();
  const bool in_parts = run->run.pipeline->window_count() < run->report.windows.size();
  if (!in_parts || finding >= run->count) return run;
  // Of one that goes on across a border, the part with its end has seen more.
  const auto& found = run->report.findings[finding];
  for (const auto& window : {found.windows.back(), found.windows.front()}) {
    config.only_part_of = window.span.id;
    auto part = analyzed(directory, config);
    if (!part) return part;
    const auto place = place_of(window.span.id, found.subsystem(), part->report.findings);
    if (!place) continue;
    part->finding = *place;
    part->number = run->number;
    part->count = run->count;
    return part;
  }
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("no part of the run tells of finding {} alone", finding + 1),
                    directory.string(),
                    "reveal scores DIR --contributions --from TIME --to TIME tells of it");
}

}  // namespace reveal::replay
