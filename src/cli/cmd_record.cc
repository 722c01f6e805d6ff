#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "record/from_settings.h"
#include "record/spawn.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct RecordArguments {
  std::string directory;
  bool quiet = false;
  bool resume = false;
  SettingOptions settings;
  HostOptions host;
};

int record_host(const RecordArguments& options, const Invocation& invocation) {
  const auto command = invocation.command.value_or(std::vector<std::string>());
  if (auto found = record::check_command(command); !found) {
    return complain_of_command(found.error());
  }
  const auto settings = options.settings.settings();
  if (!settings) return run_without(settings.error(), command);
  auto plan = record::recording_options(*settings, options.host.root(), options.directory, command);
  if (!plan) return run_without(plan.error(), command);
  plan->resume = options.resume;
  auto recording = record::Recording::prepare(*plan, nullptr);
  if (!recording) return run_without(recording.error(), command);
  if (auto started = recording->start(); !started) {
    return end_early(*recording, started.error(), command);
  }
  int status = kFailed;
  survive([&] {
    const bool whole = record_and_tell(*recording, options.quiet, [] { return std::size_t{0}; });
    status = whole ? kDone : kFailed;
  });
  if (!recording->has_command()) return status;
  record::end_as(recording->wait());
}

}  // namespace

Action declare_record(OptionSet& set) {
  auto options = std::make_shared<RecordArguments>();
  set.value("-o,--output", options->directory,
            "directory for the recording, new or empty unless with --resume")
      .placeholder("DIR")
      .required();
  set.flag(
      "--resume", options->resume,
      "go on with the recording in DIR, however its recorder ended; begin one if there is none");
  set.flag("-q,--quiet", options->quiet, "no progress on stderr");
  options->host.declare(set);
  options->settings.declare(set, "record");
  return [options](const Invocation& invocation) { return record_host(*options, invocation); };
}

}  // namespace reveal::cli
