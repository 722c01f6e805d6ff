// The part of Board for receivers of state.
#include <algorithm>
#include <chrono>

#include "alert/board.h"

namespace reveal::alert {
namespace {

constexpr std::int64_t kResolvedForNs = std::chrono::nanoseconds(kResolvedFor).count();

Posting posting_of(const Episode& episode, Severity severity) {
  Posting out;
  out.episode = episode_id(episode);
  out.labels = labels_with(episode, severity);
  out.annotations = episode.alert.annotations;
  out.begin_ns = episode.alert.begin_ns;
  out.url = episode.alert.url;
  out.severity = severity;
  return out;
}

}  // namespace

// Appends what is due of one episode. An alert that has ended must not be posted while another with
// the same labels fires: the receiver would take it for that one's end.
void Board::add_postings(const Subscription& receiver, const Episode& episode,
                         std::vector<Posting>& out) const {
  if (!episode.fired || episode.severity < receiver.least) return;
  const bool resolved = !episode.is_open();
  if (resolved && (now_ns_ - *episode.closed_ns >= kResolvedForNs ||
                   is_firing(episode.identity, episode.severity))) {
    return;
  }
  const auto posted = episode.posted.find(receiver.name);
  if (posted != episode.posted.end() && posted->second.resolved == resolved &&
      posted->second.severity == episode.severity &&
      now_ns_ - posted->second.at_ns < options_.resend.count()) {
    return;
  }
  out.push_back(posting_of(episode, episode.severity));
  out.back().resolved = resolved;
  out.back().end_ns =
      resolved ? *episode.alert.end_ns : now_ns_ + kResendsPerEnd * options_.resend.count();
  for (const FormerSeverity& former : episode.former) {
    if (former.severity < receiver.least || now_ns_ - former.end_ns >= kResolvedForNs ||
        is_firing(episode.identity, former.severity)) {
      continue;
    }
    out.push_back(posting_of(episode, former.severity));
    out.back().resolved = out.back().former = true;
    out.back().end_ns = std::max(former.end_ns, episode.alert.begin_ns);
  }
}

std::vector<Posting> Board::due(const std::string& receiver) const {
  std::vector<Posting> out;
  const Subscription* who = subscription(receiver);
  if (who == nullptr || who->events) return out;
  for (const Episode& episode : episodes_) add_postings(*who, episode, out);
  return out;
}

void Board::posted(const std::string& receiver, std::span<const Posting> postings) {
  for (const Posting& posting : postings) {
    if (posting.former) continue;
    for (Episode& episode : episodes_) {
      if (episode_id(episode) != posting.episode) continue;
      episode.posted[receiver] = {now_ns_, posting.severity, posting.resolved};
    }
  }
}

}  // namespace reveal::alert
