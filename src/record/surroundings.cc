#include "record/surroundings.h"

#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>

namespace reveal::record {
namespace {

// What rt_sigaction(2) itself takes, on x86-64 and arm64: the handler, flags, restorer and mask; on
// RISC-V the same without a restorer.
struct KernelAction {
  __sighandler_t handler = SIG_DFL;
  std::array<std::uint64_t, 3> rest{};
};
constexpr std::size_t kKernelMaskBytes = 8;

void read_private_signals(Surroundings& original) {
  for (std::size_t i = 0; i < kPrivateSignals.size(); ++i) {
    KernelAction action;
    ::syscall(SYS_rt_sigaction, kPrivateSignals[i], nullptr, &action, kKernelMaskBytes);
    original.private_ignored[i] = action.handler == SIG_IGN;
  }
}

void ignore_private_signals(const Surroundings& original) {
  const KernelAction ignore{.handler = SIG_IGN, .rest = {}};
  for (std::size_t i = 0; i < kPrivateSignals.size(); ++i) {
    if (!original.private_ignored[i]) continue;
    ::syscall(SYS_rt_sigaction, kPrivateSignals[i], &ignore, nullptr, kKernelMaskBytes);
  }
}

// What a write that fails sends to its thread.
constexpr std::array<int, 2> kOfWrites = {SIGPIPE, SIGXFSZ};

void raise_open_files(rlimit& original) {
  if (::getrlimit(RLIMIT_NOFILE, &original) != 0) return;
  const rlimit raised{original.rlim_max, original.rlim_max};
  // Refused if the kernel's own limit is lower; then the one that was there stays.
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &raised));
}

}  // namespace

Surroundings take_over(const sigset_t& watched) {
  Surroundings original;
  raise_open_files(original.open_files);
  sigset_t blocked = watched;
  for (const int signal : kOfWrites) sigaddset(&blocked, signal);
  pthread_sigmask(SIG_BLOCK, &blocked, &original.mask);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  original.hangup_ignored = hangup.sa_handler == SIG_IGN;
  // While SIGCHLD is ignored the kernel drops CMD's exit status.
  struct sigaction defaults {};
  defaults.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &defaults, &original.child);
  read_private_signals(original);
  return original;
}

void forget_failed_writes() {
  sigset_t ours{};
  sigemptyset(&ours);
  for (const int signal : kOfWrites) sigaddset(&ours, signal);
  const timespec at_once{};
  while (::sigtimedwait(&ours, nullptr, &at_once) > 0) {
  }
}

void restore(const Surroundings& original) {
  ::setrlimit(RLIMIT_NOFILE, &original.open_files);
  ::sigaction(SIGCHLD, &original.child, nullptr);
  ignore_private_signals(original);
  pthread_sigmask(SIG_SETMASK, &original.mask, nullptr);
}

}  // namespace reveal::record
