#include "cli/recording.h"

#include <unistd.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "text/streams.h"

namespace reveal::cli {

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
