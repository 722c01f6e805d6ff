// Runs CMD beside the recording and turns signals into the end of the run.
//
// CMD gets reveal's streams, folder, environment, process group and surroundings, as if reveal were
// not there. One thread waits for signals, which are blocked everywhere else:
// - with CMD, a signal sent to reveal is passed on to CMD; one typed at the terminal (Ctrl-C,
//   Ctrl-\) has already reached CMD, which shares the terminal's process group, so it is not sent
//   twice. The run ends when CMD does. A second Ctrl-C ends the recording even if CMD lives on.
// - without CMD, SIGINT, SIGTERM, SIGHUP and SIGQUIT end the run.
// A SIGHUP that was ignored when reveal started (nohup) ends nothing.
// The end is announced on a descriptor, so that whoever records can wait for time and end alike.
#pragma once

#include <atomic>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/thread.h"
#include "base/unique_fd.h"
#include "record/surroundings.h"

namespace reveal::record {

class Supervisor {
 public:
  // Takes over this process's surroundings. Signals that come before start() wait for it.
  Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  // Waits for CMD, if it is still running. If nothing was started, the surroundings are again as
  // they were.
  ~Supervisor();

  // Starts CMD (nothing when empty) and the thread. Fails if CMD cannot be run, with kAbsent if it
  // does not exist; and if the system has no thread or process left for it: command_refused() tells
  // which. REQUIRES: called once.
  base::Result<void> start(const std::vector<std::string>& command);

  // Returns whether start() failed because CMD cannot be executed.
  bool command_refused() const { return refused_; }

  // Readable once the run shall end; negative if the system has no descriptor left.
  int end_fd() const { return end_.get(); }

  // Waits for CMD to end and returns its wait status (see waitpid); 0 without CMD.
  int wait();

 private:
  void watch();
  bool handle(const siginfo_t& info);  // returns whether CMD has ended
  bool ends_the_run(int signal) const;
  void announce_end();

  sigset_t watched_{};
  Surroundings original_;
  base::UniqueFd end_;
  std::thread thread_;
  std::atomic<bool> begun_ = false;  // child_ is known
  bool refused_ = false;
  pid_t child_ = -1;
  int wait_status_ = 0;
  int interrupts_ = 0;
};

// Ends this process as CMD ended: with its exit status, or by the signal that killed it.
[[noreturn]] void end_as(int wait_status);

}  // namespace reveal::record
