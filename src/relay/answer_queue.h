// The answers of a host that are on their way to who asked, part by part.
//
// Their parts take turns, so a long answer is not in the way of a short one. Together they send no
// more than kBytesPerSecond: a host has other work, and the broker other messages. What waits is
// bounded by the number of answers.
//
// For one thread. The caller brings the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "http/response.h"

namespace reveal::relay {

struct Outgoing {
  std::string to;
  base::Bytes message;  // docs/wire_format.md, "Questions and answers"
};

class AnswerQueue {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr double kBytesPerSecond = 1'000'000;
  static constexpr std::size_t kMostAnswers = 8;

  bool is_full() const { return answers_.size() >= kMostAnswers; }
  bool is_empty() const { return answers_.empty(); }

  // Puts in an answer, not one that is made later nor a stream. One that is too large becomes an
  // error that says so.
  void add(std::string to, const http::Response& answer);

  // Returns the next message that may be sent now; nothing if there is none, or none yet.
  std::optional<Outgoing> next(Clock::time_point now);

 private:
  struct Answer {
    std::string to;
    http::Response response;
    std::size_t sent = 0;     // bytes of the body
    std::uint64_t parts = 0;  // that were sent
  };

  std::deque<Answer> answers_;
  Clock::time_point free_at_{};  // when what was sent is over, at that rate
};

}  // namespace reveal::relay
