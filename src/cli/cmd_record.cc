#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/recording.h"

namespace reveal::cli {
namespace {

struct Options {
  std::string directory;
  RecordOptions record;
  HostOptions host;
};

int record(const Options& options, const Invocation& invocation) {
  const auto command = invocation.command.value_or(std::vector<std::string>());
  auto recording = Recording::prepare(options.directory, options.record, options.host, command);
  if (!recording) return complain_before_command(recording.error(), command);
  const auto recorded = recording->run(nullptr);
  if (!recorded) return complain_before_command(recorded.error(), command);
  if (!options.record.quiet) fmt::print(stderr, "reveal: {}\n", recording->summary());
  if (!recording->has_command()) return kDone;
  end_as(recording->wait());
}

}  // namespace

Action declare_record(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("-o,--output", options->directory, "directory for the recording, new or empty")
      ->required();
  options->record.declare(app);
  options->host.declare(app);
  return [options](const Invocation& invocation) { return record(*options, invocation); };
}

}  // namespace reveal::cli
