#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/page_output.h"
#include "cli/recording.h"
#include "cli/spawn.h"
#include "pipeline/pipeline.h"
#include "text/streams.h"
#include "window/window_view.h"

namespace reveal::cli {
namespace {

struct RunArguments {
  std::string directory;
  RecordOptions record;
  HostOptions host;
  PageOptions page;
  AnalysisOptions analysis;
};

// Reports what was recorded. With CMD on stderr: stdout is CMD's alone.
int report(pipeline::Pipeline& pipeline, const Recording& recording, const PageOptions& page,
           const Invocation& invocation) {
  auto result = pipeline.analyse();
  if (!result) return complain(result.error());
  result->cost = cost_since(invocation.started);
  result->cost.bytes_written = recording.bytes_on_disk();
  const int fd = recording.has_command() ? STDERR_FILENO : STDOUT_FILENO;
  const auto& directory = recording.directory();
  const auto done = publish(
      *result, pipeline.plan(), directory, [&] { return print_text(*result, fd); },
      [&] { return page.write(directory, directory); });
  return done ? kDone : complain(done.error());
}

int run(const RunArguments& options, const Invocation& invocation) {
  const auto command = invocation.command.value_or(std::vector<std::string>());
  // A configuration that is broken is nobody's command line: the job goes on.
  if (const auto lanes = options.host.lanes(); !lanes) return run_without(lanes.error(), command);
  auto config = options.analysis.config();
  if (!config) return fail_before_command(config.error(), command);
  if (auto able = options.page.check(); !able) return fail_before_command(able.error(), command);
  if (auto sound = Recording::check(options.record); !sound) {
    return complain_before_command(sound.error(), command);
  }
  if (const auto interval = options.record.interval_ns(); interval && !config->saved) {
    const auto windows = config->windows.at(*interval);
    const auto cut = windows ? windows->check() : base::pass(windows);
    if (!cut) return complain_before_command(cut.error(), command);
  }
  if (auto found = check_command(command); !found) return complain_of_command(found.error());
  pipeline::Pipeline pipeline(std::move(*config));
  const auto directory =
      options.directory.empty() ? default_directory() : std::filesystem::path(options.directory);
  auto recording = Recording::prepare(directory, options.record, options.host, command, &pipeline);
  if (!recording) return run_without(recording.error(), command);
  if (auto started = recording->start(); !started) return recording->end_early(started.error());
  int status = kFailed;
  survive([&] {
    recording->run();
    if (!options.record.quiet) text::tell(recording->summary());
    for (const auto& loss : recording->losses()) text::tell(loss);
    status = report(pipeline, *recording, options.page, invocation);
  });
  if (!recording->has_command()) return status;
  end_as(recording->wait());
}

}  // namespace

Action declare_run(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  app.add_option(
      "-o,--output", options->directory,
      "directory for the recording, new or empty (default: reveal-HOST-DATE-TIME-PID here)");
  options->record.declare(app);
  options->host.declare(app);
  options->page.declare(app);
  options->analysis.declare(app);
  return [options](const Invocation& invocation) { return run(*options, invocation); };
}

}  // namespace reveal::cli
