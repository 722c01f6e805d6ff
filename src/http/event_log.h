// The events of a stream that were told lately, so that a reader who lost its connection can go on
// where it was.
//
// They are numbered from 1 within a run: the life of one process that tells them. What is older
// than kMostEventAge, or more than kMostEventBytes, is forgotten; a reader who asks for it is told
// that it missed something. Readers share the texts: many of them cost no more memory than one.
//
// Not thread-safe. The caller brings the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reveal::http {

inline constexpr std::chrono::seconds kMostEventAge{300};
inline constexpr std::size_t kMostEventBytes = std::size_t{1} << 20;

using EventText = std::shared_ptr<const std::string>;

// Returns an event as its bytes on a stream, without an id. `json` is one line; if it is not, its
// line ends, which would end the event, become blanks. Source:
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
std::string event_text(std::string_view kind, std::string_view json);

// Events after a place.
struct EventBatch {
  std::vector<EventText> texts = {};
  std::uint64_t reached = 0;      // the number of the last of them
  std::size_t waiting_bytes = 0;  // of those that come after it
  bool missed = false;  // some after the place are forgotten: there are no texts, and `reached` is
                        // the newest
};

class EventLog {
 public:
  using Clock = std::chrono::steady_clock;

  // `run` names the process and the time of its start, in letters and digits.
  explicit EventLog(std::string run) : run_(std::move(run)) {}

  const std::string& run() const { return run_; }
  // Returns the number of the newest event; 0 before the first.
  std::uint64_t newest() const { return newest_; }
  // Returns "RUN-NUMBER".
  std::string id_of(std::uint64_t number) const;
  // Returns the number of an id of this run; nothing for any other text.
  std::optional<std::uint64_t> number_of(std::string_view id) const;

  void add(std::string_view kind, std::string_view json, Clock::time_point now);

  // Returns the events after the one with this number, up to the one with which they exceed
  // `most_bytes`.
  EventBatch after(std::uint64_t number, std::size_t most_bytes) const;

 private:
  struct Kept {
    Clock::time_point at;
    EventText text;
  };

  std::string run_;
  std::deque<Kept> kept_;  // the last of them is the newest
  std::size_t bytes_ = 0;
  std::uint64_t newest_ = 0;
};

}  // namespace reveal::http
