// How long to leave alone whom one talks to and who has failed: a random time from nothing to the
// cap ("full jitter"), so that the agents of a fleet that lost one at once do not come back at
// once. The cap doubles with each failure up to the longest pause; the jitter is drawn after that.
#pragma once

#include <algorithm>
#include <chrono>

#include "base/rng.h"

namespace reveal::base {

class Backoff {
 public:
  Backoff(std::uint64_t seed, std::chrono::milliseconds first, std::chrono::milliseconds longest)
      : rng_(seed), first_(std::min(first, longest)), longest_(longest), cap_(first_) {}

  // Returns the next pause, from 0 up to the cap.
  std::chrono::milliseconds failed() {
    const auto pause =
        std::chrono::milliseconds(rng_.below(static_cast<std::uint64_t>(cap_.count()) + 1));
    cap_ = std::min(cap_ * 2, longest_);
    return pause;
  }
  void succeeded() { cap_ = first_; }

 private:
  Rng rng_;
  std::chrono::milliseconds first_;
  std::chrono::milliseconds longest_;
  std::chrono::milliseconds cap_;
};

}  // namespace reveal::base
