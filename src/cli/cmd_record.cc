#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/spawn.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct RecordArguments {
  std::string directory;
  RecordOptions record;
  HostOptions host;
};

int record(const RecordArguments& options, const Invocation& invocation) {
  const auto command = invocation.command.value_or(std::vector<std::string>());
  if (auto found = check_command(command); !found) return complain_of_command(found.error());
  if (auto sound = Recording::check(options.record); !sound) {
    return complain_before_command(sound.error(), command);
  }
  auto recording =
      Recording::prepare(options.directory, options.record, options.host, command, nullptr);
  if (!recording) return run_without(recording.error(), command);
  if (auto started = recording->start(); !started) return recording->end_early(started.error());
  int status = kFailed;
  survive([&] {
    recording->run();
    if (!options.record.quiet) text::tell(recording->summary());
    const auto losses = recording->losses();
    for (const auto& loss : losses) text::tell(loss);
    status = losses.empty() ? kDone : kFailed;
  });
  if (!recording->has_command()) return status;
  end_as(recording->wait());
}

}  // namespace

Action declare_record(CLI::App& app) {
  auto options = std::make_shared<RecordArguments>();
  app.add_option("-o,--output", options->directory, "directory for the recording, new or empty")
      ->required();
  options->record.declare(app);
  app.add_option("--select", options->record.select,
                 "store only the channels that this plan keeps: selection.json of an analysis");
  options->host.declare(app);
  return [options](const Invocation& invocation) { return record(*options, invocation); };
}

}  // namespace reveal::cli
