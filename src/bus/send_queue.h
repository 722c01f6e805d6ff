// The messages that wait to be sent: bounded, and it decides which go if there are too many. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include "bus/publisher.h"

namespace reveal::bus {

class SendQueue {
 public:
  static constexpr std::size_t kMaxKeyless = 64;  // a minute of levels
  static constexpr std::size_t kMaxKeyed = 1024;
  static constexpr std::size_t kMaxPast = 16;

  enum class Taken { kTaken, kTakenForAnother, kNotTaken };

  // Takes a message; of those without a key the oldest goes if there are too many.
  Taken push(Outgoing message);

  // Returns the next message: those with keys first, those of the past last, each kind in its
  // order.
  std::optional<Outgoing> pop();

  // Puts a message with a key back to where it was.
  void put_back(Outgoing message) { keyed_.push_front(std::move(message)); }

  // Lets all messages without a key go: they are of the past. Returns how many there were.
  std::size_t drop_keyless();

  std::size_t size() const { return keyed_.size() + keyless_.size() + past_.size(); }

 private:
  std::deque<Outgoing> keyed_;
  std::deque<Outgoing> keyless_;
  std::deque<Outgoing> past_;
};

}  // namespace reveal::bus
