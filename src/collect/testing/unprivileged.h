// For tests of what the kernel refuses to others than root.
#pragma once

#include <unistd.h>

namespace reveal::collect {

// What this program may read as somebody who is not root.
class Unprivileged {
 public:
  Unprivileged() : was_(::geteuid()) {
    constexpr ::uid_t kNobody = 65534;
    if (was_ == 0) done_ = ::seteuid(kNobody) == 0;
  }
  ~Unprivileged() {
    if (was_ == 0 && done_) done_ = ::seteuid(was_) == 0;
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  bool done() const { return done_; }

 private:
  ::uid_t was_;
  bool done_ = true;
};

}  // namespace reveal::collect
