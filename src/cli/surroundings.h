// What a recorder needs of its process, and what CMD shall find instead: as if reveal were not
// there.
//
// Signals are blocked, to be waited for by one thread. SIGPIPE and SIGXFSZ are blocked so that a
// write fails with an error and kills nobody. SIGCHLD is not ignored, because then the kernel would
// drop CMD's exit status. As many files as allowed may be open: perf events need several a core.
#pragma once

#include <csignal>

#include <sys/resource.h>

namespace reveal::cli {

// All of that as it was when reveal started.
struct Surroundings {
  sigset_t mask{};
  struct sigaction child {};  // of SIGCHLD
  bool hangup_ignored = false;
  rlimit open_files{};
};

// Changes this process's surroundings for a recording, blocking also `watched`; returns what they
// were.
Surroundings take_over(const sigset_t& watched);

// Brings them back. For the child between fork and exec: calls nothing that is unsafe there.
void restore(const Surroundings& original);

}  // namespace reveal::cli
