#include "bus/send_queue.h"

#include <utility>

namespace reveal::bus {

SendQueue::Taken SendQueue::push(Outgoing message) {
  if (!message.key.empty()) {
    auto& to = message.of_the_past ? past_ : keyed_;
    if (to.size() >= (message.of_the_past ? kMaxPast : kMaxKeyed)) return Taken::kNotTaken;
    to.push_back(std::move(message));
    return Taken::kTaken;
  }
  keyless_.push_back(std::move(message));
  if (keyless_.size() <= kMaxKeyless) return Taken::kTaken;
  keyless_.pop_front();
  return Taken::kTakenForAnother;
}

std::optional<Outgoing> SendQueue::pop() {
  for (auto* from : {&keyed_, &keyless_, &past_}) {
    if (from->empty()) continue;
    Outgoing out = std::move(from->front());
    from->pop_front();
    return out;
  }
  return std::nullopt;
}

std::size_t SendQueue::drop_keyless() {
  const std::size_t count = keyless_.size();
  keyless_.clear();
  return count;
}

}  // namespace reveal::bus
