// Sends messages to a broker that keeps them, without ever waiting for it.
//
// What is sent is a copy: the recording of the host has it, too. So a publisher keeps a few
// messages for a broker that does not answer, lets the others go, and counts them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reveal::bus {

using Bytes = std::vector<std::uint8_t>;

struct Outgoing {
  std::string subject;
  Bytes payload;
  // A message with a key is sent until the broker has it, and the broker keeps one of each key.
  // Without one it is sent at most once, and let go if newer ones wait.
  std::string key;
  // Without a key: that the broker has it is an outcome of this name. Empty: nobody asks.
  std::string name{};
  // Of what is long over: it is sent after all others and at most once. If the broker did not take
  // it, that is its outcome, and nobody waits for it. It has a key.
  bool of_the_past = false;
};

// Each message that was taken is in one of these, or waits.
struct PublisherCounts {
  std::uint64_t taken = 0;
  std::uint64_t acknowledged = 0;  // the broker has them
  std::uint64_t doubles = 0;       // of these, those that it had before
  std::uint64_t let_go = 0;        // never sent: too many waited, or there was no connection
  std::uint64_t unanswered = 0;    // sent, but nobody knows whether they arrived
  std::uint64_t refused = 0;       // by the broker, for good
  std::uint64_t given_back = 0;    // of the past: who sent them may do so again
  std::uint64_t waiting = 0;

  // Returns how many may not have arrived; if it grows, a receiver may have to begin anew.
  std::uint64_t lost() const { return let_go + unanswered + refused; }
};

struct Outcome {
  std::string key;            // or the name of one without a key
  bool acknowledged = false;  // else it was refused for good; of one of the past: not taken now
};

class Publisher {
 public:
  Publisher() = default;
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;
  virtual ~Publisher() = default;

  // Takes a message, from any thread, at once. Returns false if it has a key and too many of that
  // kind wait: the caller keeps it. Of the past few may wait.
  virtual bool publish(Outgoing message) = 0;

  // Returns what became of messages with keys, and which ones with names the broker has, since the
  // last call, at most the latest kMaxOutcomes.
  virtual std::vector<Outcome> take_outcomes() = 0;

  virtual PublisherCounts counts() const = 0;

  // Returns what is wrong now, as an error's message; empty if messages go out.
  virtual std::string trouble() const = 0;

  static constexpr std::size_t kMaxOutcomes = 4096;
};

}  // namespace reveal::bus
