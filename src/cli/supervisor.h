// Runs CMD beside the recording and turns signals into the end of the run.
//
// CMD gets reveal's stdin, stdout, stderr, working directory, environment, signal mask and process
// group, as if reveal were not there. One thread waits for signals, which are blocked everywhere
// else:
// - with CMD, a signal sent to reveal is passed on to CMD; one typed at the terminal (Ctrl-C,
//   Ctrl-\) has already reached CMD, which shares the terminal's process group, so it is not sent
//   twice. The run ends when CMD does. A second Ctrl-C ends the recording even if CMD lives on.
// - without CMD, SIGINT, SIGTERM, SIGHUP and SIGQUIT end the run.
// A SIGHUP that was ignored when reveal started (nohup) ends nothing.
// SIGPIPE and SIGXFSZ are blocked, so that writing fails with an error instead: neither a closed
// stderr nor `ulimit -f` may end a recording.
// The end is announced on a descriptor, so that whoever records can wait for time and end alike.
#pragma once

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::cli {

// What reveal changes about itself for the recording, as it was, and as CMD shall find it.
struct Surroundings {
  sigset_t mask{};
  struct sigaction child {};  // of SIGCHLD
  bool hangup_ignored = false;
  rlimit open_files{};
};

class Supervisor {
 public:
  // Blocks the signals, and those that come before start() wait for it; and allows this process as
  // many open files as it may have, because perf events need several a core.
  Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  // Waits for CMD, if it is still running.
  ~Supervisor();

  // Starts CMD (nothing when empty) and the thread. Fails where CMD cannot be run: with kAbsent
  // where it does not exist. REQUIRES: called once, before other threads run.
  base::Result<void> start(const std::vector<std::string>& command);

  // Readable once the run shall end; negative where the system has no descriptor left.
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
  pid_t child_ = -1;
  int wait_status_ = 0;
  int interrupts_ = 0;
};

// Fails with kAbsent where there is no file of CMD's name (for one without "/": in PATH), and with
// another kind where it may not be executed. An empty `command` is fine.
base::Result<void> check_command(const std::vector<std::string>& command);

// Ends this process as CMD ended: with its exit status, or by the signal that killed it.
[[noreturn]] void end_as(int wait_status);

}  // namespace reveal::cli
