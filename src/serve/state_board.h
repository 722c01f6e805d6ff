// Where the agent puts its newest state and where the server finds it.
//
// The board also measures how long ago the count of ticks last grew. It does so by the monotonic
// clock, so a step of the wall clock neither hides a recorder that stands still nor accuses one
// that goes on. An agent that no longer publishes looks the same as one without ticks, as it
// should.
//
// It also tells streams what changed from one state to the next (event_maker.h).
//
// Safe from any thread. The lock of the state is held for as long as a pointer takes to copy.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "http/event_board.h"
#include "serve/agent_state.h"
#include "serve/event_maker.h"

namespace reveal::serve {

// What a reader finds on the board.
struct Published {
  std::shared_ptr<const AgentState> state;  // never null
  std::chrono::nanoseconds tick_age{0};     // since the count of ticks last grew
};

class StateBoard {
 public:
  using Clock = std::chrono::steady_clock;

  // Begins with a state in which all is unknown.
  explicit StateBoard(Clock::time_point now = Clock::now());

  // Replaces the state. REQUIRES: it is not null.
  void publish(std::shared_ptr<const AgentState> state, Clock::time_point now = Clock::now());

  Published read(Clock::time_point now = Clock::now()) const;

  // Returns what streams tell of one state after another.
  http::EventBoard& events() { return events_; }

 private:
  void swap_in(std::shared_ptr<const AgentState> state, Clock::time_point now);
  void tell(const AgentState& state, Clock::time_point now);

  mutable std::mutex mutex_;
  std::shared_ptr<const AgentState> state_;
  std::optional<std::uint64_t> ticks_;
  Clock::time_point ticked_at_;

  std::mutex maker_mutex_;
  EventMaker maker_;
  http::EventBoard events_;
};

}  // namespace reveal::serve
