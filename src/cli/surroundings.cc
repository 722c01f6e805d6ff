#include "cli/surroundings.h"

namespace reveal::cli {
namespace {

void raise_open_files(rlimit& original) {
  if (::getrlimit(RLIMIT_NOFILE, &original) != 0) return;
  const rlimit raised{original.rlim_max, original.rlim_max};
  // Refused where the kernel's own limit is lower; then the one that was there stays.
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &raised));
}

}  // namespace

Surroundings take_over(const sigset_t& watched) {
  Surroundings original;
  raise_open_files(original.open_files);
  sigset_t blocked = watched;
  sigaddset(&blocked, SIGPIPE);
  sigaddset(&blocked, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &blocked, &original.mask);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  original.hangup_ignored = hangup.sa_handler == SIG_IGN;
  // While SIGCHLD is ignored the kernel drops CMD's exit status.
  struct sigaction defaults {};
  defaults.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &defaults, &original.child);
  return original;
}

void restore(const Surroundings& original) {
  ::setrlimit(RLIMIT_NOFILE, &original.open_files);
  ::sigaction(SIGCHLD, &original.child, nullptr);
  pthread_sigmask(SIG_SETMASK, &original.mask, nullptr);
}

}  // namespace reveal::cli
