#include "cli/recording.h"

#include <utility>

#include <unistd.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "select/selection_file.h"
#include "text/streams.h"

namespace reveal::cli {

base::Result<record::RecordingOptions> recording_options(const std::filesystem::path& directory,
                                                         const RecordOptions& record,
                                                         const HostOptions& host,
                                                         const std::vector<std::string>& command) {
  record::RecordingOptions out;
  out.directory = directory;
  out.command = command;
  out.root = host.root();
  auto lanes = host.lanes();
  if (!lanes) return base::pass(lanes);
  out.lanes = std::move(*lanes);
  const auto interval = record.interval_ns();
  if (!interval) return base::pass(interval);
  out.interval_ns = *interval;
  const auto duration = record.duration_ns();
  if (!duration) return base::pass(duration);
  out.duration_ns = *duration;
  const auto storage = record.storage();
  if (!storage) return base::pass(storage);
  out.storage = *storage;
  if (record.select.empty()) return out;
  auto plan = select::load(record.select);
  if (!plan) return base::pass(plan);
  out.selection = std::move(*plan);
  return out;
}

int end_early(record::Recording& recording, const base::Error& why,
              const std::vector<std::string>& command) {
  const bool refused = recording.command_refused();
  recording.take_back();
  return refused ? complain_of_command(why) : run_without(why, command);
}

bool record_and_tell(record::Recording& recording, bool quiet,
                     const std::function<std::size_t()>& windows) {
  Progress progress(quiet, recording.has_command() && ::isatty(STDOUT_FILENO) == 1);
  recording.run([&](const record::Recording::State& state) { progress.update(state, windows()); });
  progress.clear();
  if (!quiet) text::tell(recording.summary());
  const auto losses = recording.losses();
  for (const auto& loss : losses) text::tell(loss);
  return losses.empty();
}

}  // namespace reveal::cli
