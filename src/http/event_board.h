// The events that streams tell, between the thread that makes them and the servers that send them.
//
// For any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/event_log.h"

namespace reveal::http {

struct Event {
  std::string_view kind = {};
  std::string json = {};  // one line
};

// Where a stream begins.
struct EventStart {
  std::string run = {};
  std::uint64_t newest = 0;                 // the number of the newest event
  std::optional<std::uint64_t> known = {};  // of the event that was asked for, if it is of this run
};

class EventBoard {
 public:
  using Clock = std::chrono::steady_clock;

  // Begins a run with a name that no other process of this host has had.
  EventBoard();

  // Adds events, of which there may be none, and then calls what follows each time.
  void tell(std::span<const Event> events, Clock::time_point now = Clock::now());

  // Returns where a stream begins whose reader names the id of the last event that it has; empty if
  // it has none.
  EventStart start(std::string_view after) const;
  // As EventLog::after().
  EventBatch after(std::uint64_t number, std::size_t most_bytes) const;

  // Calls `what`, which neither waits nor throws, after each tell(), on the thread that tells.
  // Returns a number for call_no_more(), after which `what` is not called.
  std::uint64_t call_after_telling(std::function<void()> what);
  void call_no_more(std::uint64_t number);

 private:
  mutable std::mutex log_mutex_;
  EventLog log_;

  std::mutex calls_mutex_;
  std::uint64_t calls_ = 0;  // so far
  std::map<std::uint64_t, std::function<void()>> called_;
};

}  // namespace reveal::http
