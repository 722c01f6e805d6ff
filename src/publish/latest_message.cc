#include "publish/latest_message.h"

#include <fmt/format.h>

namespace reveal::publish {

void LatestMessage::say(base::Bytes content, bool at_once) {
  if (content == content_) return;
  content_ = std::move(content);
  is_new_ = true;
  at_once_ = at_once_ || at_once;
}

bool LatestMessage::is_due(std::int64_t now_ns) const {
  // One that is on its way says it, or is followed by this one.
  if (content_.empty() || !on_its_way_.empty()) return false;
  // A clock may be set back.
  if ((is_new_ && at_once_) || sent_ns_ == 0 || now_ns < sent_ns_) return true;
  return now_ns >= (is_new_ ? sent_ns_ + kLatestHolds_ns : again_ns_);
}

void LatestMessage::round(std::int64_t now_ns, bus::Publisher& publisher, const Make& make) {
  if (!is_due(now_ns)) return;
  auto message = make(content_);
  auto key = fmt::format("{}:{}", key_, now_ns);
  is_new_ = false;
  at_once_ = false;
  sent_ns_ = now_ns;
  const auto spread = static_cast<std::uint64_t>(kSentAgainLast_ns - kSentAgainFirst_ns);
  again_ns_ = now_ns + kSentAgainFirst_ns + static_cast<std::int64_t>(rng_.below(spread));
  if (message.empty()) return;
  // With too many on their way it is tried again later.
  is_new_ = !publisher.publish({subject_, std::move(message), key});
  if (!is_new_) on_its_way_ = std::move(key);
}

bool LatestMessage::take(const bus::Outcome& outcome) {
  if (!outcome.key.starts_with(key_ + ":")) return false;
  if (outcome.key == on_its_way_) on_its_way_.clear();
  return true;
}

}  // namespace reveal::publish
