#include "pipeline/baseline_fit.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "feature/joined_runs.h"
#include "text/time_text.h"

namespace reveal::pipeline {
namespace {

// Adds the channels that a run uses to those that are used already.
void use_channels_of(const BaselineFit& run, const model::ChannelTable& all,
                     std::vector<bool>& used) {
  used.resize(all.channel_count(), false);
  for (std::size_t i = 0; i < run.options.channels.size(); ++i) {
    if (!run.options.channels[i]) continue;
    const auto known = all.find_channel(run.channels.name(model::ChannelId(i)));
    if (known) used[known->index()] = true;
  }
}

void add(const detect::BaselineOrigin& run, detect::BaselineOrigin& out) {
  if (run.host != out.host) out.host = "several hosts";
  if (run.command != out.command) out.command.clear();
  out.begin_ns = std::min(out.begin_ns, run.begin_ns);
  out.end_ns = std::max(out.end_ns, run.end_ns);
  out.windows += run.windows;
  out.runs += run.runs;
  out.made_of.insert(out.made_of.end(), run.made_of.begin(), run.made_of.end());
  out.accepted_findings += run.accepted_findings;
}

}  // namespace

base::Result<detect::FittedBaseline> BaselineFit::fit() && {
  feature::FeatureMatrix all;  // only if it may be needed again: it is large
  if (options.findings) all = matrix;
  auto out = detect::fit_baseline(std::move(matrix), channels, options);
  if (!out) return out;
  if (out->in_finding_at_end > 0) {
    const std::size_t calm = all.row_count() - out->in_finding_at_end;
    std::vector<bool> gone(all.row_count());
    std::fill(gone.begin() + static_cast<std::ptrdiff_t>(calm), gone.end(), true);
    auto without = detect::fit_baseline(all.without_rows(gone), channels, options);
    if (without) {
      out = std::move(without);
      origin.windows = calm;
      origin.end_ns = all.window(calm - 1).end_ns;
    }
  }
  out->origin = origin;
  out->windows = windows;
  out->dynamic_features = dynamic_features;
  out->event_features = event_features;
  return out;
}

base::Result<BaselineFit> joined(std::span<const BaselineFit> runs) {
  const auto& first = runs.front();
  BaselineFit out;
  out.options = first.options;
  out.options.channels.clear();  // those are by the first run's ids
  out.origin = first.origin;
  out.windows = first.windows;
  out.dynamic_features = first.dynamic_features;
  out.event_features = first.event_features;
  feature::JoinedRuns all;
  for (const auto& run : runs) {
    if (run.windows != first.windows) {
      return base::fail(base::ErrorKind::kUsage,
                        fmt::format("ticks of {} in one run, of {} in another",
                                    text::span_text(first.windows.interval_ns),
                                    text::span_text(run.windows.interval_ns)),
                        {}, "give runs that were recorded alike");
    }
    all.add(run.matrix, run.channels);
    if (!run.options.channels.empty()) use_channels_of(run, all.channels, out.options.channels);
    if (&run != &first) add(run.origin, out.origin);
  }
  out.options.held_out.runs.assign(all.first_rows.begin(), all.first_rows.end());
  out.matrix = std::move(all.matrix);
  out.channels = std::move(all.channels);
  return out;
}

}  // namespace reveal::pipeline
