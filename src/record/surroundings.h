// The process state that a recorder needs, and the state that CMD gets: as if reveal were not
// there.
//
// Signals are blocked, to be waited for by one thread. SIGPIPE and SIGXFSZ are blocked so that a
// write fails with an error and kills nobody. SIGCHLD is not ignored, because then the kernel would
// drop CMD's exit status. The C library takes two signals for itself with the first thread, and
// hides them from sigaction(3): if they were ignored, CMD shall find them ignored. As many files as
// allowed may be open: perf events need several a core.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include <sys/resource.h>

namespace reveal::record {

// SIGCANCEL and SIGSETXID of glibc (its internal-signals.h).
inline constexpr std::array<int, 2> kPrivateSignals = {32, 33};

// All of that as it was when reveal started.
struct Surroundings {
  sigset_t mask{};
  struct sigaction child {};  // of SIGCHLD
  std::array<bool, kPrivateSignals.size()> private_ignored{};
  bool hangup_ignored = false;
  rlimit open_files{};
};

// Changes this process's surroundings for a recording, blocking also `watched`; returns what they
// were. To be called before the first thread is started.
Surroundings take_over(const sigset_t& watched);

// Takes the signals of writes that failed meanwhile, which would end this process, or the CMD that
// it turns into, once they are not blocked any more. To be called before restore() in the thread
// that wrote.
void forget_failed_writes();

// Brings them back. For the child between fork and exec: calls nothing that is unsafe there.
void restore(const Surroundings& original);

}  // namespace reveal::record
