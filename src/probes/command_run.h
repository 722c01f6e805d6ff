// One program that is run again and again, and its output. Nothing here waits: each step looks at
// what there is.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include <sys/types.h>

#include "base/unique_fd.h"
#include "probes/options.h"

namespace reveal::probes {

class CommandRun {
 public:
  using Clock = std::chrono::steady_clock;

  // A program that says more is killed.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;

  explicit CommandRun(Command command) : command_(std::move(command)) {}
  // Kills the program, if it runs.
  ~CommandRun();
  CommandRun(CommandRun&&) = delete;
  CommandRun& operator=(CommandRun&&) = delete;

  // How a run went. If there is a problem, the output counts for nothing.
  struct Outcome {
    std::string output;
    std::string problem;  // "ended with status 1"; empty if there is none
  };

  // Starts the program if it is due; takes what it has said; kills it, with all that it has started
  // in its group, if its time is up. Returns the outcome of the run that ended in this step.
  std::optional<Outcome> step(Clock::time_point now);

  const Command& command() const { return command_; }

 private:
  bool is_running() const { return child_ > 0; }
  std::optional<Outcome> start(Clock::time_point now);
  bool hear();
  std::optional<int> ended() const;
  Outcome end_with(std::string problem);
  void kill();

  Command command_;
  pid_t child_ = 0;  // 0: it does not run
  base::UniqueFd out_;
  std::string heard_;
  Clock::time_point due_;       // the next start; the first is at once
  Clock::time_point deadline_;  // of the run
  bool was_killed_ = false;     // and has not ended yet
};

}  // namespace reveal::probes
