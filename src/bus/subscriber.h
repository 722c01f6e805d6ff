// Receives the messages that a broker keeps, in its order and each once, also after it was away.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace reveal::bus {

struct Incoming {
  std::string subject;
  std::vector<std::uint8_t> payload;
  std::uint64_t sequence = 0;  // of the broker's stream; grows, with holes
  std::int64_t stored_ns = 0;  // when the broker took it, by its clock
  std::uint64_t pending = 0;   // how many more the broker had when it sent this one
};

// Not thread-safe.
class Subscriber {
 public:
  Subscriber() = default;
  Subscriber(const Subscriber&) = delete;
  Subscriber& operator=(const Subscriber&) = delete;
  virtual ~Subscriber() = default;

  // Returns the next message; an empty vector if there was none for so long. More than one come if
  // more are there, but at most kMaxAtOnce.
  virtual std::vector<Incoming> take(std::chrono::milliseconds patience) = 0;

  // Returns what is wrong now, as an error's message; empty if messages can come.
  virtual std::string trouble() const = 0;

  static constexpr std::size_t kMaxAtOnce = 1024;
};

}  // namespace reveal::bus
