#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "pipeline/pipeline.h"

namespace reveal::cli {
namespace {

struct Options {
  std::string directory;
  RecordOptions record;
  HostOptions host;
  AnalysisOptions analysis;
};

// Reports what was recorded. With CMD on stderr: stdout is CMD's alone.
int report(pipeline::Pipeline& pipeline, const Recording& recording) {
  auto result = pipeline.analyse();
  if (!result) return complain(result.error());
  result->cost = cost_so_far();
  result->cost.bytes_written = recording.bytes_written();
  auto* stream = recording.has_command() ? stderr : stdout;
  const auto done = publish(*result, pipeline.plan(), recording.directory(), Format::kText, stream);
  return done ? kDone : complain(done.error());
}

int run(const Options& options, const Invocation& invocation) {
  const auto command = invocation.command.value_or(std::vector<std::string>());
  auto config = options.analysis.config();
  if (!config) return complain(config.error());
  pipeline::Pipeline pipeline(std::move(*config));
  const auto directory =
      options.directory.empty() ? default_directory() : std::filesystem::path(options.directory);
  auto recording = Recording::prepare(directory, options.record, options.host, command);
  if (!recording) return complain_before_command(recording.error(), command);
  if (auto recorded = recording->run(&pipeline); !recorded) {
    return complain_before_command(recorded.error(), command);
  }
  if (!options.record.quiet) fmt::print(stderr, "reveal: {}\n", recording->summary());
  const int status = report(pipeline, *recording);
  if (!recording->has_command()) return status;
  end_as(recording->wait());
}

}  // namespace

Action declare_run(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("-o,--output", options->directory,
                 "directory for the recording, new or empty (default: reveal-DATE-TIME here)");
  options->record.declare(app);
  options->analysis.declare(app);
  options->host.declare(app);
  return [options](const Invocation& invocation) { return run(*options, invocation); };
}

}  // namespace reveal::cli
