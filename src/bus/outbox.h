// What a publisher has to send and what became of it: shared by those who give messages, the thread
// that sends them, and the library's threads that bring the broker's answers. Thread-safe; knows no
// library.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/backoff.h"
#include "bus/publisher.h"
#include "bus/send_queue.h"

namespace reveal::bus {

// How the broker, or the way to it, answered a message.
enum class Answer : std::uint8_t {
  kStored,
  kStoredBefore,
  kNone,     // it may have it or not, or may take it later
  kRefused,  // it will never take it
};

class Outbox {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMaxInFlight = 64;

  Outbox(std::uint64_t seed, std::chrono::milliseconds first_pause,
         std::chrono::milliseconds longest_pause)
      : backoff_(seed, first_pause, longest_pause) {}

  // For those who give messages: as in Publisher.
  bool push(Outgoing message);
  std::vector<Outcome> take_outcomes();
  PublisherCounts counts() const;
  std::string trouble() const;
  // Waits until nothing waits. Returns false if something does after so long.
  bool wait_for_empty(std::chrono::milliseconds patience);
  void stop();

  // For the thread that sends.

  // Returns what waits to be sent once it may be; nothing after `patience`, or after stop().
  // begin() has to follow.
  std::optional<Outgoing> next(std::chrono::milliseconds patience);
  bool is_stopped() const;
  // Says that a message is being sent; `place` tells it from all others in flight.
  void begin(const void* place, Outgoing message);
  // Says how that ended. A place that is not in flight is ignored.
  void end(const void* place, Answer answer, const std::string& trouble = {});
  // Takes what the broker said of a subject that it forbids. What is sent there is not answered.
  // That is the trouble until the broker has taken a message of that subject, or the connection is
  // another.
  void forbid(std::string_view said);
  // Says that there is no connection, and why: nobody will hear of what is in flight.
  void disconnect(const std::string& trouble);
  // Says that there is one. What has no key and waited for it is of the past and goes.
  void connect();
  // Waits until the pause after a failure is over, or stop().
  void wait_for_pause();

 private:
  void settle(Outgoing message, Answer answer);
  void give_back(const Outgoing& message);
  void keep_outcome(const std::string& key, bool acknowledged);
  void pause();
  bool may_send() const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  SendQueue queue_;
  std::map<const void*, Outgoing> in_flight_;
  std::size_t between_ = 0;  // of next() and begin()
  std::deque<Outcome> outcomes_;
  PublisherCounts counts_;
  std::string trouble_ = "not connected yet";
  std::string forbidden_;  // a subject; empty: none is known
  std::string forbidden_trouble_;
  base::Backoff backoff_;
  Clock::time_point pause_until_{};
  bool was_away_ = false;
  bool stopped_ = false;
};

}  // namespace reveal::bus
