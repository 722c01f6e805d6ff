#include "report/baseline_text.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "stats/quantile.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::report {
namespace {

std::size_t channel_count(const detect::FittedBaseline& baseline, bool moving) {
  std::set<std::string> out;
  for (const auto& column : baseline.columns) {
    if (!moving || column.scale > 0) out.insert(column.channel);
  }
  return out.size();
}

// How long one run was is told by its windows, for its clock may have been set.
std::string recorded(const detect::FittedBaseline& baseline) {
  const auto& origin = baseline.origin;
  const auto begin = text::iso_time(origin.begin_ns);
  if (origin.runs > 1) {
    return fmt::format("{} runs between {} and {}", origin.runs, begin,
                       text::iso_time(origin.end_ns));
  }
  const auto strides = static_cast<std::int64_t>(origin.windows) - 1;
  const auto& windows = baseline.windows;
  return fmt::format("{} at {}", text::span_text(strides * windows.stride_ns + windows.length_ns),
                     begin);
}

// What each of its windows was scored by.
std::string_view compared_with(const detect::FittedBaseline& baseline) {
  if (baseline.kind == detect::Baseline::kRun) return "whole of the run";
  return baseline.origin.runs > 1 ? "other runs" : "rest of the run";
}

}  // namespace

std::string to_text(const detect::FittedBaseline& baseline) {
  const auto& origin = baseline.origin;
  std::string out = fmt::format("Baseline of {}\n", origin.host);
  if (!origin.command.empty()) out += fmt::format("Command   {}\n", origin.command);
  out +=
      fmt::format("Recorded  {}, fitted by reveal {}\n", recorded(baseline), origin.reveal_version);
  out += fmt::format("Windows   {} of {} every {}, at ticks of {}; each against the {}\n",
                     origin.windows, text::span_text(baseline.windows.length_ns),
                     text::span_text(baseline.windows.stride_ns),
                     text::span_text(baseline.windows.interval_ns), compared_with(baseline));
  if (origin.accepted_findings > 0) {
    out += fmt::format("Accepted  {} of its runs as usual\n",
                       text::plural(origin.accepted_findings, "finding"));
  }
  out += fmt::format("Knows     {} channels ({} moved), {} metric-feature pairs, {} features\n\n",
                     channel_count(baseline, false), channel_count(baseline, true),
                     baseline.columns.size(), baseline.dynamic_features.size());
  out += "Scores of its windows       median       99 %    highest\n";
  for (const auto& fitted : baseline.detectors) {
    out += fmt::format("  {:20} {:>13.4g} {:>10.4g} {:>10.4g}\n", fitted.detector->name(),
                       stats::median_of_sorted(fitted.scores), stats::quantile(fitted.scores, 0.99),
                       fitted.scores.back());
  }
  return out;
}

}  // namespace reveal::report
