// The newest state, between the analyser's loop and the servers; and the events of one state after
// another.
//
// For any thread. The lock is held to copy or swap a pointer, never while anything is made of it.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>

#include "fleet_site/event_maker.h"
#include "fleet_site/fleet_state.h"
#include "http/event_board.h"

namespace reveal::fleet_site {

struct Published {
  std::shared_ptr<const FleetState> state;  // never null
  std::chrono::nanoseconds age{0};          // since it was published
};

class FleetBoard {
 public:
  using Clock = std::chrono::steady_clock;

  explicit FleetBoard(Clock::time_point now = Clock::now());

  // Takes a new state, makes its events, and tells them. REQUIRES: only one thread publishes.
  void publish(std::shared_ptr<const FleetState> state, Clock::time_point now = Clock::now());

  Published read(Clock::time_point now = Clock::now()) const;

  // Returns what streams tell of one state after another.
  http::EventBoard& events() { return events_; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const FleetState> state_;
  Clock::time_point published_at_;
  EventMaker maker_;  // of the thread that publishes
  http::EventBoard events_;
};

}  // namespace reveal::fleet_site
