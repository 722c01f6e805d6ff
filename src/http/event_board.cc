#include "http/event_board.h"

#include <utility>

#include <fmt/format.h>

namespace reveal::http {
namespace {

// Returns a name that no other process of this host has had, unless the clock was set back by just
// so much.
std::string new_run() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:x}", std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

}  // namespace

EventBoard::EventBoard() : log_(new_run()) {}

void EventBoard::tell(std::span<const Event> events, Clock::time_point now) {
  {
    const std::lock_guard lock(log_mutex_);
    for (const auto& event : events) log_.add(event.kind, event.json, now);
  }
  const std::lock_guard lock(calls_mutex_);
  for (const auto& [number, what] : called_) what();
}

EventStart EventBoard::start(std::string_view after) const {
  const std::lock_guard lock(log_mutex_);
  return {.run = log_.run(), .newest = log_.newest(), .known = log_.number_of(after)};
}

EventBatch EventBoard::after(std::uint64_t number, std::size_t most_bytes) const {
  const std::lock_guard lock(log_mutex_);
  return log_.after(number, most_bytes);
}

std::uint64_t EventBoard::call_after_telling(std::function<void()> what) {
  const std::lock_guard lock(calls_mutex_);
  called_[++calls_] = std::move(what);
  return calls_;
}

void EventBoard::call_no_more(std::uint64_t number) {
  const std::lock_guard lock(calls_mutex_);
  called_.erase(number);
}

}  // namespace reveal::http
