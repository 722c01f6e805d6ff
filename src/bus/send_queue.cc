#include "bus/send_queue.h"

#include <utility>

namespace reveal::bus {

SendQueue::Taken SendQueue::push(Outgoing message) {
  if (!message.key.empty()) {
    if (keyed_.size() >= kMaxKeyed) return Taken::kNotTaken;
    keyed_.push_back(std::move(message));
    return Taken::kTaken;
  }
  keyless_.push_back(std::move(message));
  if (keyless_.size() <= kMaxKeyless) return Taken::kTaken;
  keyless_.pop_front();
  return Taken::kTakenForAnother;
}

std::optional<Outgoing> SendQueue::pop() {
  auto& from = keyed_.empty() ? keyless_ : keyed_;
  if (from.empty()) return std::nullopt;
  Outgoing out = std::move(from.front());
  from.pop_front();
  return out;
}

std::size_t SendQueue::drop_keyless() {
  const std::size_t count = keyless_.size();
  keyless_.clear();
  return count;
}

}  // namespace reveal::bus
