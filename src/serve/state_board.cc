#include "serve/state_board.h"

#include <cassert>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace reveal::serve {
namespace {

// Returns a name that no other process of this host has had, unless the clock was set back by just
// so much.
std::string new_run() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:x}", std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

}  // namespace

StateBoard::StateBoard(Clock::time_point now)
    : state_(std::make_shared<const AgentState>()), ticked_at_(now), log_(new_run()) {}

void StateBoard::publish(std::shared_ptr<const AgentState> state, Clock::time_point now) {
  assert(state != nullptr);
  // First the state: who hears of a finding can ask for it.
  const auto newest = state;
  swap_in(std::move(state), now);
  tell(*newest, now);
}

void StateBoard::tell(const AgentState& state, Clock::time_point now) {
  {
    const std::lock_guard lock(events_mutex_);
    for (const auto& event : maker_.events_of(state, now)) log_.add(event.kind, event.json, now);
  }
  const std::lock_guard lock(calls_mutex_);
  for (const auto& [number, what] : called_) what();
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

EventStart StateBoard::event_start(std::string_view after) const {
  const std::lock_guard lock(events_mutex_);
  return {.run = log_.run(), .newest = log_.newest(), .known = log_.number_of(after)};
}

EventBatch StateBoard::events_after(std::uint64_t number, std::size_t most_bytes) const {
  const std::lock_guard lock(events_mutex_);
  return log_.after(number, most_bytes);
}

std::uint64_t StateBoard::call_after_publishing(std::function<void()> what) {
  const std::lock_guard lock(calls_mutex_);
  called_[++calls_] = std::move(what);
  return calls_;
}

void StateBoard::call_no_more(std::uint64_t number) {
  const std::lock_guard lock(calls_mutex_);
  called_.erase(number);
}

}  // namespace reveal::serve
