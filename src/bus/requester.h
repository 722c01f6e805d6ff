// Asks who listens at a subject, by way of a broker that keeps nothing of it.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace reveal::bus {

// Safe from any thread.
class Requester {
 public:
  // Gets each reply, and returns whether another one is awaited; fails to end the request.
  using Taker = std::function<base::Result<bool>(base::ByteView reply)>;

  Requester() = default;
  Requester(const Requester&) = delete;
  Requester& operator=(const Requester&) = delete;
  virtual ~Requester() = default;

  // Sends a request and hands over its replies. Fails with kAbsent, and at once, if nobody listens
  // there; with kAway if no reply came for `patience`; with kIo or kPermission if the broker is not
  // there or refuses; and as `take` does.
  virtual base::Result<void> ask(const std::string& subject, base::ByteView request,
                                 std::chrono::milliseconds patience, const Taker& take) = 0;
};

}  // namespace reveal::bus
