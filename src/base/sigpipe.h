// Keeps a receiver that hangs up from ending the program: a write to it is an error, not SIGPIPE.
// OpenSSL and pipes know no MSG_NOSIGNAL, and the program's own disposition is not ours to change.
#pragma once

#include <csignal>

namespace reveal::base {

// Blocks SIGPIPE for this thread while it lives. One that came meanwhile is taken back.
class NoSigpipe {
 public:
  NoSigpipe();
  ~NoSigpipe();
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  bool was_pending_ = false;
  sigset_t before_{};
};

}  // namespace reveal::base
