#include "base/sigpipe.h"

#include <ctime>

namespace reveal::base {
namespace {

sigset_t sigpipe_alone() {
  sigset_t out{};
  sigemptyset(&out);
  sigaddset(&out, SIGPIPE);
  return out;
}

bool is_pending() {
  sigset_t pending{};
  return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

}  // namespace

NoSigpipe::NoSigpipe() : was_pending_(is_pending()) {
  const sigset_t blocked = sigpipe_alone();
  pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

NoSigpipe::~NoSigpipe() {
  if (!was_pending_ && is_pending()) {
    const sigset_t ours = sigpipe_alone();
    const timespec at_once{};
    sigtimedwait(&ours, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace reveal::base
