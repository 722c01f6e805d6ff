#include "fleet_site/fleet_board.h"

#include <cassert>

namespace reveal::fleet_site {
namespace {

std::shared_ptr<const FleetState> empty_state() {
  auto out = std::make_shared<FleetState>();
  out->incidents = std::make_shared<const ShownList>();
  return out;
}

}  // namespace

FleetBoard::FleetBoard(Clock::time_point now) : state_(empty_state()), published_at_(now) {}

void FleetBoard::publish(std::shared_ptr<const FleetState> state, Clock::time_point now) {
  assert(state != nullptr && state->incidents != nullptr);
  // First the state: who hears of an incident can ask for it.
  auto newest = state;
  {
    const std::lock_guard lock(mutex_);
    state_.swap(state);  // the old state is freed after the lock
    published_at_ = now;
  }
  events_.tell(maker_.events_of(*newest, now), now);
}

Published FleetBoard::read(Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  return {.state = state_, .age = now - published_at_};
}

}  // namespace reveal::fleet_site
