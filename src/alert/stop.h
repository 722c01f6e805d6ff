// Tells a thread that waits for a receiver to give up. The thread polls fd() beside what it waits
// for.
#pragma once

#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace reveal::alert {

class Stop {
 public:
  Stop() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  // For any thread.
  void ask() const {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(fd_.get(), &one, sizeof one));
  }
  // Readable once somebody has asked; -1, for which poll() never reports anything, if the system
  // had no descriptor left.
  int fd() const { return fd_.get(); }

 private:
  base::UniqueFd fd_;
};

}  // namespace reveal::alert
