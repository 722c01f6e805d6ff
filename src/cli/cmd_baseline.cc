// reveal baseline: what is usual, learned from one run or several, kept in a file, and used for
// others.
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/new_file.h"
#include "cli/analyze.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "detect/baseline_file.h"
#include "replay/replayed.h"
#include "report/baseline_text.h"
#include "report/report.h"
#include "text/streams.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::cli {
namespace {

using base::Result;

struct BaselineArguments {
  std::string directory;                 // to learn from, or to compare
  std::vector<std::string> directories;  // of the runs to save
  std::string file;
  bool accept_findings = false;
  SettingOptions analysis;
  AnalyzeOptions use;
};

int show(const std::string& file) {
  const auto baseline = detect::load_baseline(file);
  if (!baseline) return complain(baseline.error());
  const auto printed = text::print(text::SafeText(report::to_text(*baseline)));
  return printed ? kDone : complain(printed.error());
}

Result<void> keep(const Result<detect::FittedBaseline>& baseline, const std::string& file) {
  if (!baseline) return base::pass(baseline);
  if (auto written = base::write_new_file(file, detect::to_bytes(*baseline)); !written)
    return written;
  return text::print(text::SafeText(report::to_text(*baseline)));
}

// Returns the number of a run's findings. Fails with kUsage if it has some that were not accepted.
Result<std::size_t> accepted(const report::Report& report, const std::string& directory,
                             bool accept) {
  const auto& findings = report.findings;
  if (findings.empty() || accept) return findings.size();
  const auto& first = findings.front();
  return base::fail(
      base::ErrorKind::kUsage,
      fmt::format("has {}, which would count as usual from now on: {}, {} to {}: {}{}",
                  text::plural(findings.size(), "finding"),
                  text::upper(model::heading_of(first.subsystem())),
                  text::clock_time(first.begin_ns()), text::clock_time(first.end_ns()), first.claim,
                  findings.size() > 1 ? fmt::format(" And {} more.", findings.size() - 1) : ""),
      directory,
      fmt::format(
          "look at it with reveal analyze {}; give another run, or --accept-findings if this "
          "is how the job should be",
          directory));
}

template <typename Value>
Result<Value> of_run(Result<Value> result, const std::string& directory) {
  if (!result && result.error().where.empty()) result.error().where = directory;
  return result;
}

// Returns what a run teaches; an error says of which run it is.
Result<pipeline::BaselineFit> lesson(const std::string& directory,
                                     const pipeline::PipelineConfig& config, bool accept) {
  const auto pipeline = replayed(directory, config);
  if (!pipeline) return base::pass(pipeline);
  auto out = of_run((*pipeline)->copy_for_fit(), directory);
  if (!out) return out;
  const auto report = of_run((*pipeline)->analyze(), directory);
  if (!report) return base::pass(report);
  const auto findings = accepted(*report, directory, accept);
  if (!findings) return base::pass(findings);
  out->origin.accepted_findings = *findings;
  return out;
}

// Fails with kUsage if the last of these runs shares frames with an earlier one, under whatever
// name.
Result<void> check_distinct(const std::vector<pipeline::BaselineFit>& runs,
                            const std::vector<std::string>& directories) {
  const std::size_t last = runs.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    if (detect::share_in(runs[last].origin.made_of.front(), runs[i].origin) <= 0) continue;
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("is the same run as {}, or a part of it", directories[i]),
                      directories[last],
                      "give each run once: a run compared with itself looks too usual");
  }
  return {};
}

Result<void> check_runs(const BaselineArguments& options, const pipeline::PipelineConfig& config) {
  if (config.saved || config.baseline == detect::Baseline::kPast) {
    return base::fail(base::ErrorKind::kUsage, "cannot be saved", "--baseline",
                      "choose rest or run, or leave it out");
  }
  if (options.directories.size() > 1 && config.baseline == detect::Baseline::kRun) {
    return base::fail(base::ErrorKind::kUsage, "run is for one recording", "--baseline",
                      "leave it out: each of several runs is compared with the others");
  }
  const std::set<std::string> distinct(options.directories.begin(), options.directories.end());
  if (distinct.size() == options.directories.size()) return {};
  return base::fail(base::ErrorKind::kUsage, "a recording is given twice", "DIR",
                    "give each run once: a run compared with itself looks too usual");
}

Result<void> save(const BaselineArguments& options) {
  auto config = options.analysis.config();
  if (!config) return base::pass(config);
  config->fingerprint = true;
  config->whole_run = false;
  if (auto sound = check_runs(options, *config); !sound) return sound;
  std::vector<pipeline::BaselineFit> runs;
  for (const auto& directory : options.directories) {
    auto run = lesson(directory, *config, options.accept_findings);
    if (!run) return base::pass(run);
    runs.push_back(std::move(*run));
    if (auto once = check_distinct(runs, options.directories); !once) return once;
  }
  if (runs.size() == 1) return keep(std::move(runs.front()).fit(), options.file);
  auto all = pipeline::joined(runs);
  if (!all) return base::pass(all);
  runs.clear();
  return keep(std::move(*all).fit(), options.file);
}

// Returns the number of findings of a run that is compared with itself, in windows of the baseline:
// what differs from the baseline is what it shall learn. Fails with kUsage if they were not
// accepted. A run that is too short for that has none.
Result<std::size_t> findings_alone(const BaselineArguments& options,
                                   const window::WindowSpec& windows) {
  auto config = SettingOptions().config();
  if (!config) return base::pass(config);
  config->windows = {window::Length{windows.length_ns}, window::Length{windows.stride_ns}};
  const auto alone = replay::replay(options.directory, std::move(*config));
  if (!alone) return base::pass(alone);
  const auto report = alone->pipeline->analyze();
  if (!report && report.error().kind == base::ErrorKind::kTooLittle) return 0;
  if (!report) return base::pass(report);
  return accepted(*report, options.directory, options.accept_findings);
}

Result<void> learn(const BaselineArguments& options) {
  SettingOptions analysis;
  if (auto given = analysis.give("analysis", "baseline", options.file); !given) return given;
  auto config = analysis.config();
  if (!config) return base::pass(config);
  const auto findings = findings_alone(options, config->saved->windows);
  if (!findings) return base::pass(findings);
  const auto pipeline = replayed(options.directory, std::move(*config));
  if (!pipeline) return base::pass(pipeline);
  auto learned = of_run((*pipeline)->extend_baseline(), options.directory);
  if (learned) learned->origin.accepted_findings += *findings;
  return keep(learned, options.file);
}

int use(BaselineArguments& options, const Invocation& invocation) {
  if (const auto* baseline = options.use.analysis.flag("analysis", "baseline")) {
    const auto twice = base::fail(base::ErrorKind::kUsage, "is given already: " + options.file,
                                  "--baseline " + *baseline, "leave it out");
    return complain(twice.value());
  }
  if (auto given = options.use.analysis.give("analysis", "baseline", options.file); !given) {
    return complain(given.error());
  }
  // The run's own report stays.
  if (options.use.output.empty()) {
    const std::filesystem::path directory = options.use.directory;
    const auto output =
        directory / ("against-" + std::filesystem::path(options.file).stem().string());
    std::error_code said_later;
    if (std::filesystem::is_directory(directory, said_later)) {
      std::filesystem::create_directory(output, said_later);
      options.use.output = output.string();
    }
  }
  return analyze(options.use, invocation);
}

}  // namespace

Action declare_baseline(OptionSet& set) {
  auto options = std::make_shared<BaselineArguments>();
  const auto accept_findings = [&options](OptionSet& verb) {
    verb.flag("--accept-findings", options->accept_findings,
              "also a run with findings: what they are about is usual from then on");
  };
  auto& save_app = set.subcommand("save", "save the usual values of recordings");
  save_app
      .value("DIR", options->directories,
             "directory of a recording; several: differences from run to run are usual")
      .required();
  save_app.value("-o,--output", options->file, "file to write").placeholder("FILE").required();
  accept_findings(save_app);
  options->analysis.declare(save_app, "analysis");
  auto& show_app = set.subcommand("show", "show the origin and the contents of a baseline");
  show_app.value("FILE", options->file, "file of reveal baseline save").required();
  auto& learn_app =
      set.subcommand("learn", "add another good run to a baseline, without a new fit");
  learn_app.value("FILE", options->file, "file of reveal baseline save; it is replaced").required();
  learn_app.value("DIR", options->directory, "directory of the recording").required();
  accept_findings(learn_app);
  auto& use_app = set.subcommand(
      "use", "compare a recording with a baseline, like reveal analyze --baseline FILE");
  use_app.value("FILE", options->file, "file of reveal baseline save").required();
  options->use.declare(use_app);
  return [options, &set](const Invocation& invocation) {
    const auto& verb = set.chosen().name();
    if (verb == "show") return show(options->file);
    if (verb == "save" || verb == "learn") {
      const auto done = verb == "save" ? save(*options) : learn(*options);
      return done ? kDone : complain(done.error());
    }
    return use(*options, invocation);
  };
}

}  // namespace reveal::cli
