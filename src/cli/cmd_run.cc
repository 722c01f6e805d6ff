#include <memory>
#include <string>

#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/page_output.h"
#include "cli/recording.h"
#include "record/directory_name.h"
#include "record/from_settings.h"
#include "record/spawn.h"
#include "replay/growing_run.h"
#include "report/cost.h"
#include "text/streams.h"
#include "window/window_view.h"

namespace reveal::cli {
namespace {

struct RunArguments {
  std::string directory;
  bool quiet = false;
  bool local = false;
  SettingOptions settings;
  HostOptions host;
  PageOptions page;
};

// Reports what was recorded. With CMD on stderr: stdout is CMD's alone.
int report(replay::GrowingRun& recorded, const record::Recording& recording,
           const RunArguments& options, const Invocation& invocation) {
  const auto pipeline = recorded.take(recording.directory());
  if (!pipeline) return complain(pipeline.error());
  auto result = (*pipeline)->analyze();
  if (!result) return complain(result.error());
  result->cost = report::cost_since(invocation.started);
  result->cost.bytes_written = recording.bytes_on_disk();
  const int fd = recording.has_command() ? STDERR_FILENO : STDOUT_FILENO;
  const auto& directory = recording.directory();
  const auto done = publish(
      *result, (*pipeline)->plan(), directory,
      [&] { return print_text(*result, fd, zone_of(options.local)); },
      [&] { return options.page.write(directory, directory); });
  return done ? kDone : complain(done.error());
}

// Whether this run can be cut and recorded as the command line says.
base::Result<void> check(const RunArguments& options, const settings::Settings& settings,
                         const pipeline::PipelineConfig& config) {
  if (auto able = options.page.check(); !able) return able;
  if (config.saved) return {};
  const auto windows = config.windows.at(settings.record.interval_ns);
  return windows ? windows->check() : base::pass(windows);
}

int run(const RunArguments& options, const Invocation& invocation) {
  const auto command = invocation.command.value_or(std::vector<std::string>());
  // A configuration that is broken is nobody's command line: the job goes on.
  const auto settings = options.settings.settings();
  if (!settings) return run_without(settings.error(), command);
  auto config = options.settings.config();
  if (!config) return fail_before_command(config.error(), command);
  if (auto sound = check(options, *settings, *config); !sound) {
    return fail_before_command(sound.error(), command);
  }
  if (auto found = record::check_command(command); !found) {
    return complain_of_command(found.error());
  }
  const auto directory = options.directory.empty() ? record::default_directory()
                                                   : std::filesystem::path(options.directory);
  const auto plan = record::recording_options(*settings, options.host.root(), directory, command);
  if (!plan) return run_without(plan.error(), command);
  replay::GrowingRun recorded(std::move(*config));
  auto recording = record::Recording::prepare(*plan, &recorded);
  if (!recording) return run_without(recording.error(), command);
  if (auto started = recording->start(); !started) {
    return end_early(*recording, started.error(), command);
  }
  int status = kFailed;
  survive([&] {
    record_and_tell(*recording, options.quiet, [&] { return recorded.window_count(); });
    status = report(recorded, *recording, options, invocation);
  });
  if (!recording->has_command()) return status;
  record::end_as(recording->wait());
}

}  // namespace

Action declare_run(OptionSet& set) {
  auto options = std::make_shared<RunArguments>();
  set.value("-o,--output", options->directory,
            "directory for the recording, new or empty (default: reveal-HOST-DATE-TIME-PID here)")
      .placeholder("DIR");
  set.flag("-q,--quiet", options->quiet, "no progress on stderr");
  set.flag("--local", options->local, kLocalHelp);
  options->host.declare(set);
  options->page.declare(set);
  options->settings.declare(set, "record", "--select");  // which is the analysis's here
  options->settings.declare(set, "analysis");
  return [options](const Invocation& invocation) { return run(*options, invocation); };
}

}  // namespace reveal::cli
