// reveal baseline: what is usual, learned from one run, kept in a file, and used for others.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/analyze.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "cli/streams.h"
#include "detect/baseline_file.h"
#include "report/time_text.h"
#include "stats/quantile.h"

namespace reveal::cli {
namespace {

using base::Result;

struct BaselineArguments {
  std::string directory;
  std::string file;
  AnalysisOptions analysis;
  AnalyzeOptions use;
};

std::size_t channel_count(const detect::FittedBaseline& baseline, bool moving) {
  std::set<std::string> out;
  for (const auto& column : baseline.columns) {
    if (!moving || column.scale > 0) out.insert(column.channel);
  }
  return out.size();
}

std::string summary(const detect::FittedBaseline& baseline) {
  const auto& origin = baseline.origin;
  std::string out = fmt::format("Baseline of {}\n", origin.host);
  if (!origin.command.empty()) out += fmt::format("Command   {}\n", origin.command);
  out += fmt::format("Recorded  {} at {}, fitted by reveal {}\n",
                     report::span_text(origin.end_ns - origin.begin_ns),
                     report::iso_time(origin.begin_ns), origin.reveal_version);
  out +=
      fmt::format("Windows   {} of {} every {}, at ticks of {}; each against the {} of the run\n",
                  origin.windows, report::span_text(baseline.windows.length_ns),
                  report::span_text(baseline.windows.stride_ns),
                  report::span_text(baseline.windows.interval_ns),
                  baseline.kind == detect::Baseline::kRun ? "whole" : "rest");
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

int show(const std::string& file) {
  const auto baseline = detect::load_baseline(file);
  if (!baseline) return complain(baseline.error());
  const auto printed = print(summary(*baseline));
  return printed ? kDone : complain(printed.error());
}

Result<void> keep(const Result<detect::FittedBaseline>& baseline, const std::string& file) {
  if (!baseline) return base::Unexpected(baseline.error());
  if (auto written = write_file(file, detect::to_bytes(*baseline)); !written) return written;
  return print(summary(*baseline));
}

Result<void> save(const BaselineArguments& options) {
  auto config = options.analysis.config();
  if (!config) return base::Unexpected(config.error());
  if (config->saved || config->baseline == detect::Baseline::kPast) {
    return base::fail(base::ErrorKind::kUsage, "cannot be saved", "--baseline",
                      "choose rest or run, or leave it out");
  }
  auto pipeline = replayed(options.directory, options.analysis, std::move(*config));
  if (!pipeline) return base::Unexpected(pipeline.error());
  return keep((*pipeline)->fit_baseline(), options.file);
}

Result<void> learn(const BaselineArguments& options) {
  AnalysisOptions analysis;
  analysis.baseline = options.file;
  auto config = analysis.config();
  if (!config) return base::Unexpected(config.error());
  const auto pipeline = replayed(options.directory, analysis, std::move(*config));
  if (!pipeline) return base::Unexpected(pipeline.error());
  return keep((*pipeline)->extend_baseline(), options.file);
}

int use(BaselineArguments& options, const Invocation& invocation) {
  auto& baseline = options.use.analysis.baseline;
  if (baseline) {
    const auto twice = base::fail(base::ErrorKind::kUsage, "is given already: " + options.file,
                                  "--baseline " + *baseline, "leave it out");
    return complain(twice.value());
  }
  baseline = options.file;
  return analyze(options.use, invocation);
}

}  // namespace

Action declare_baseline(CLI::App& app) {
  auto options = std::make_shared<BaselineArguments>();
  app.require_subcommand(1);
  auto* save_app = app.add_subcommand("save", "learn from a recording what is usual");
  save_app->add_option("DIR", options->directory, "directory of the recording")->required();
  save_app->add_option("-o,--output", options->file, "file to write")->required();
  options->analysis.declare(*save_app);
  auto* show_app = app.add_subcommand("show", "say what a baseline was learned from");
  show_app->add_option("FILE", options->file, "file of reveal baseline save")->required();
  auto* learn_app =
      app.add_subcommand("learn", "teach a baseline another good run, without a new fit");
  learn_app->add_option("FILE", options->file, "file of reveal baseline save, to be replaced")
      ->required();
  learn_app->add_option("DIR", options->directory, "directory of the recording")->required();
  auto* use_app = app.add_subcommand(
      "use", "analyse a recording against a baseline, as reveal analyze --baseline FILE does");
  use_app->add_option("FILE", options->file, "file of reveal baseline save")->required();
  options->use.declare(*use_app);
  return [options, save_app, show_app, learn_app](const Invocation& invocation) {
    if (show_app->parsed()) return show(options->file);
    if (save_app->parsed() || learn_app->parsed()) {
      const auto done = save_app->parsed() ? save(*options) : learn(*options);
      return done ? kDone : complain(done.error());
    }
    return use(*options, invocation);
  };
}

}  // namespace reveal::cli
