// Takes requests that others send to a subject, by way of a broker that keeps nothing of it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace reveal::bus {

struct Request {
  std::string reply_to;
  base::Bytes payload;
};

// Not thread-safe.
class Responder {
 public:
  Responder() = default;
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  virtual ~Responder() = default;

  // Returns the next request; nothing if none came for so long.
  virtual std::optional<Request> take(std::chrono::milliseconds patience) = 0;

  // Sends one of the replies to a request. Fails if the broker is not there, or does not keep up.
  virtual base::Result<void> reply(const std::string& reply_to, base::ByteView message) = 0;

  // Returns what is wrong now, as an error's message; empty if requests can come.
  virtual std::string trouble() const = 0;
};

}  // namespace reveal::bus
