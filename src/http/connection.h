// One connection of a client: takes in a request, hands it over, and sends the answer, as far as
// the socket allows without waiting. If it is encrypted, the client agrees on TLS first.
//
// What a client can cost is bounded. It may send kMostHeadBytes and, over the unix socket,
// kMostBodyBytes, or kMostAskedBodyBytes where clients are asked who they are; each part of an
// exchange has a time limit of its own that no trickle of bytes extends; after an answer it may ask
// again, but not before. When a connection ends, the other direction is still read for a moment:
// closed at once, the kernel would take back the answer. An answer that is being made (slow_work.h)
// has no time limit, and a stream has none: it goes on until the client leaves, or stalls
// (event_stream.h).
//
// For one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "http/caller.h"
#include "http/event_stream.h"
#include "http/poller.h"
#include "http/request.h"
#include "http/response.h"
#include "http/wire.h"

namespace reveal::http {

// How long each part of an exchange may take.
struct TimeLimits {
  std::chrono::milliseconds idle{20'000};  // until the next request begins
  // From a request's first byte to its last, and for agreeing on TLS before the first request.
  std::chrono::milliseconds request{5'000};
  std::chrono::milliseconds answer{10'000};  // until the client has taken all of the answer
  std::chrono::milliseconds ending{1'000};   // until the client closes its end, too
};

class Connection {
 public:
  using Clock = std::chrono::steady_clock;
  // Returns the answer to a request.
  using Answerer = std::function<Response(const Request& request, const Caller& caller)>;
  // Is told of each answer.
  using Counter = std::function<void(int status)>;

  enum class Phase : std::uint8_t {
    kAgreeing,
    kIdle,
    kReading,
    kWaiting,
    kAnswering,
    kStreaming,
    kEnding,
    kEnded
  };

  Connection(Wire wire, Caller caller, const TimeLimits& limits, Clock::time_point now);

  int fd() const { return wire_.fd(); }
  Phase phase() const { return phase_; }
  Clock::time_point phase_began() const { return phase_began_; }
  // Of an answer that is not a stream.
  std::size_t unsent() const { return out_.size() - sent_; }
  // Null unless it streams.
  EventStream* stream() { return stream_ ? &*stream_ : nullptr; }
  const EventStream* stream() const { return stream_ ? &*stream_ : nullptr; }

  // Gives the answer that a connection in kWaiting waits for. REQUIRES: that phase, and that it is
  // one: neither later nor pending.
  void answer(const Response& response, const Counter& counter, Clock::time_point now);

  // Read or send what is possible now.
  void on_readable(const Answerer& answerer, const Counter& counter, Clock::time_point now);
  void on_writable(Clock::time_point now);

  // Ends without a word more.
  void end(Clock::time_point now) { enter(Phase::kEnded, now); }

  // Returns what it waits for at its socket.
  Poller::Interest interest() const;

  // Returns when the phase must be over; Clock::time_point::max() if it may last.
  Clock::time_point deadline() const;
  // The phase is not over: tells a client that is slow to ask, and ends.
  void on_deadline(const Counter& counter, Clock::time_point now);

 private:
  void enter(Phase phase, Clock::time_point now);
  void agree(const Counter& counter, Clock::time_point now);
  void take_in(const Answerer& answerer, const Counter& counter, Clock::time_point now);
  std::size_t most_body_bytes() const;
  void finish_request(const Answerer& answerer, const Counter& counter, Head head,
                      Clock::time_point now);
  void send(const Response& response, const Counter& counter, bool with_body, bool keep_alive,
            Clock::time_point now);
  void begin_stream(const std::string& head, Clock::time_point now);
  void discard(Clock::time_point now);

  Wire wire_;
  Caller caller_;
  TimeLimits limits_;
  Phase phase_ = Phase::kIdle;
  Clock::time_point phase_began_;
  std::string in_;
  std::string out_;
  std::size_t sent_ = 0;
  std::optional<EventStream> stream_;
  bool keep_alive_ = false;
  bool with_body_ = true;
  std::size_t discarded_ = 0;
};

}  // namespace reveal::http
