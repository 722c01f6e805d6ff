#include "serve/state_board.h"

#include <cassert>
#include <utility>

namespace reveal::serve {
StateBoard::StateBoard(Clock::time_point now)
    : state_(std::make_shared<const AgentState>()), ticked_at_(now) {}

void StateBoard::publish(std::shared_ptr<const AgentState> state, Clock::time_point now) {
  assert(state != nullptr);
  // First the state: who hears of a finding can ask for it.
  const auto newest = state;
  swap_in(std::move(state), now);
  tell(*newest, now);
}

void StateBoard::tell(const AgentState& state, Clock::time_point now) {
  const std::lock_guard lock(maker_mutex_);
  events_.tell(maker_.events_of(state, now), now);
}

void StateBoard::swap_in(std::shared_ptr<const AgentState> state, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  // A count that is smaller is a recorder that began anew, which ticks.
  if (state->recorder.ticks != ticks_) ticked_at_ = now;
  ticks_ = state->recorder.ticks;
  state_.swap(state);  // the old state is freed after the lock
}

Published StateBoard::read(Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  return {.state = state_, .tick_age = now - ticked_at_};
}

}  // namespace reveal::serve
