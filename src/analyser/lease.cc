#include "analyser/lease.h"

namespace reveal::analyser {

Lease::Standing Lease::standing(std::int64_t now_ns) const {
  if (!is_held_ || now_ns >= held_until_ns()) return Standing::kNot;
  return now_ns >= sure_until_ns() ? Standing::kExpiring : Standing::kHeld;
}

Lease::Act Lease::due(std::int64_t now_ns, bool may_hold) const {
  const bool may_look = now_ns - looked_ns_ >= kLookEvery_ns;
  if (standing(now_ns) != Standing::kNot) {
    if (is_unsure_) return may_look ? Act::kLook : Act::kNothing;
    return may_hold && now_ns - sent_ns_ >= kRenewEvery_ns ? Act::kRenew : Act::kNothing;
  }
  // Its own past look is what it takes by, so it must be of just now.
  if (is_open_ && may_hold && now_ns - looked_ns_ < kLookEvery_ns) return Act::kTake;
  return may_look ? Act::kLook : Act::kNothing;
}

void Lease::saw(const std::optional<Seen>& seen, std::int64_t now_ns) {
  const bool was_held = standing(now_ns) != Standing::kNot;
  const bool is_own = seen && seen->holder == self_;
  looked_ns_ = now_ns;
  if (was_held && is_own) {
    // The write that was not answered was done.
    if (seen->revision != revision_) sent_ns_ = tried_ns_;
    revision_ = seen->revision;
    is_unsure_ = false;
    return;
  }
  is_held_ = is_unsure_ = false;
  const auto revision = seen ? seen->revision : 0;
  if (revision != revision_) changed_ns_ = now_ns;
  const bool is_free = !seen || seen->holder.empty() || is_own;
  if (!is_free && revision != revision_) other_seen_ns_ = now_ns;
  revision_ = revision;
  holder_ = is_free ? std::string() : seen->holder;
  is_open_ = is_free || now_ns - changed_ns_ >= kSilence_ns;
}

void Lease::wrote(std::uint64_t revision, std::int64_t sent_ns) {
  if (!is_held_ || sent_ns >= held_until_ns()) token_ = revision;
  is_held_ = true;
  is_open_ = is_unsure_ = false;
  revision_ = revision;
  sent_ns_ = sent_ns;
  holder_.clear();
}

void Lease::failed(std::int64_t sent_ns) {
  is_open_ = false;
  is_unsure_ = is_held_;
  tried_ns_ = sent_ns;
}

void Lease::gave_back() {
  is_held_ = is_open_ = is_unsure_ = false;
}

}  // namespace reveal::analyser
