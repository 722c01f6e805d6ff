// reveal scores: what every detector says of every window, as a table.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/frame_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "exchange/format.h"
#include "exchange/text_output.h"
#include "replay/chosen_frames.h"
#include "tables/score_rows.h"

namespace reveal::cli {
namespace {

using base::Result;

struct ScoresArguments {
  std::string directory;
  std::string format = "csv";
  std::string output{exchange::kStandardOutput};
  bool contributions = false;
  bool causal = false;
  FrameOptions choice;
  SettingOptions analysis;
};

Result<void> write_scores(const ScoresArguments& options) {
  const auto format = exchange::row_format(options.format);
  if (!format) return base::pass(format);
  auto config = options.analysis.config();
  if (!config) return base::pass(config);
  const auto* asked_for = options.analysis.flag("analysis", "baseline");
  if (options.causal && asked_for != nullptr && !config->saved &&
      config->baseline != detect::Baseline::kPast) {
    return base::fail(base::ErrorKind::kUsage, "also compares windows with later ones",
                      "--causal with --baseline " + *asked_for, "leave one of them out");
  }
  config->channel_shares = options.contributions;
  if (!options.contributions) config->most_values = pipeline::kMostValues;
  if (options.causal && !config->saved) config->baseline = detect::Baseline::kPast;
  const auto part = options.choice.part_of(options.directory);
  if (!part) return base::pass(part);
  const auto pipeline = replayed(options.directory, std::move(*config), *part);
  if (!pipeline) return base::pass(pipeline);
  const auto report = (*pipeline)->analyze();
  if (!report) return base::pass(report);
  auto rows = (*format)->make_rows(options.output);
  if (!rows) return base::pass(rows);
  return tables::write_score_rows(*report, **rows);
}

}  // namespace

Action declare_scores(OptionSet& set) {
  auto options = std::make_shared<ScoresArguments>();
  set.value("DIR", options->directory, "directory of the recording").required();
  set.value("--format", options->format, exchange::row_formats())
      .placeholder("NAME")
      .suggests(exchange::row_formats());
  set.value("-o,--output", options->output, "file to write, - for standard output")
      .placeholder("FILE");
  set.flag("--contributions", options->contributions,
           "add each channel's share of the blame for the window");
  set.flag("--causal", options->causal,
           "compare every window only with earlier ones, as in live use: --baseline past");
  options->choice.declare_time_and_channels(set);
  options->analysis.declare(set, "analysis");
  return [options](const Invocation&) {
    const auto done = write_scores(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli
