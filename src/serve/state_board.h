// Where the agent puts its newest state and where the server finds it.
//
// The board also measures how long ago the count of ticks last grew. It does so by the monotonic
// clock, so a step of the wall clock neither hides a recorder that stands still nor accuses one
// that goes on. An agent that no longer publishes looks the same as one without ticks, as it
// should.
//
// It also keeps what streams tell of one state after another (event_maker.h, event_log.h), and
// calls those who wait for it.
//
// Safe from any thread. The lock of the state is held for as long as a pointer takes to copy, that
// of the events for as long as it takes to copy a pointer for each event that is asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "serve/agent_state.h"
#include "serve/event_log.h"
#include "serve/event_maker.h"

namespace reveal::serve {

// What a reader finds on the board.
struct Published {
  std::shared_ptr<const AgentState> state;  // never null
  std::chrono::nanoseconds tick_age{0};     // since the count of ticks last grew
};

// Where a stream begins.
struct EventStart {
  std::string run = {};
  std::uint64_t newest = 0;                 // the number of the newest event
  std::optional<std::uint64_t> known = {};  // of the event that was asked for, if it is of this run
};

class StateBoard {
 public:
  using Clock = std::chrono::steady_clock;

  // Begins with a state in which all is unknown.
  explicit StateBoard(Clock::time_point now = Clock::now());

  // Replaces the state. REQUIRES: it is not null.
  void publish(std::shared_ptr<const AgentState> state, Clock::time_point now = Clock::now());

  Published read(Clock::time_point now = Clock::now()) const;

  // Returns where a stream begins whose reader names the id of the last event that it has; empty if
  // it has none.
  EventStart event_start(std::string_view after) const;
  // As EventLog::after().
  EventBatch events_after(std::uint64_t number, std::size_t most_bytes) const;

  // Calls `what`, which neither waits nor throws, after each state, on the thread that publishes
  // it. Returns a number for call_no_more(), after which `what` is not called.
  std::uint64_t call_after_publishing(std::function<void()> what);
  void call_no_more(std::uint64_t number);

 private:
  void swap_in(std::shared_ptr<const AgentState> state, Clock::time_point now);
  void tell(const AgentState& state, Clock::time_point now);

  mutable std::mutex mutex_;
  std::shared_ptr<const AgentState> state_;
  std::optional<std::uint64_t> ticks_;
  Clock::time_point ticked_at_;

  mutable std::mutex events_mutex_;
  EventMaker maker_;
  EventLog log_;

  std::mutex calls_mutex_;
  std::uint64_t calls_ = 0;  // so far
  std::map<std::uint64_t, std::function<void()>> called_;
};

}  // namespace reveal::serve
