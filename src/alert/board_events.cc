// The part of Board for receivers of events.
#include <algorithm>
#include <utility>

#include "alert/board.h"

namespace reveal::alert {
namespace {

constexpr std::int64_t kHistoryNs = std::chrono::nanoseconds(kHistory).count();

Event event_of(const Episode& episode, EventKind kind, std::int64_t at_ns) {
  Event out;
  out.episode = episode_id(episode);
  out.kind = kind;
  // An episode's severity rises at most twice, and each rise is an event of its own.
  const auto severity = to_string(episode.severity);
  out.id = out.episode + "-" + std::string(to_string(kind));
  if (kind == EventKind::kUpdate) out.id += "-" + std::string(severity);
  out.alert = episode.alert;
  out.alert.labels = labels_with(episode, episode.severity);
  if (kind != EventKind::kClose) out.alert.end_ns.reset();
  out.at_ns = at_ns;
  return out;
}

}  // namespace

std::optional<Board::Pending> Board::pending(const Subscription& receiver,
                                             const Episode& episode) const {
  if (!episode.fired) return std::nullopt;
  const auto found = episode.told.find(receiver.name);
  const Told told = found == episode.told.end() ? Told{} : found->second;
  if (!told.open) {
    const bool is_history = !episode.is_open() && now_ns_ - *episode.closed_ns > kHistoryNs;
    if (episode.severity < receiver.least || is_history) return std::nullopt;
    return Pending{EventKind::kOpen, episode.opened_ns};
  }
  if (!episode.is_open()) {
    if (told.closed) return std::nullopt;
    return Pending{EventKind::kClose, *episode.closed_ns};
  }
  if (episode.severity <= *told.open) return std::nullopt;
  return Pending{EventKind::kUpdate,
                 episode.former.empty() ? now_ns_ : episode.former.back().end_ns};
}

bool Board::has_event(const std::string& receiver) const {
  const Subscription* who = subscription(receiver);
  return who != nullptr && who->events &&
         std::any_of(episodes_.begin(), episodes_.end(),
                     [&](const Episode& episode) { return pending(*who, episode).has_value(); });
}

std::size_t Board::waiting(const std::string& receiver) const {
  const Subscription* who = subscription(receiver);
  if (who == nullptr || !who->events) return 0;
  return static_cast<std::size_t>(
      std::count_if(episodes_.begin(), episodes_.end(),
                    [&](const Episode& episode) { return pending(*who, episode).has_value(); }));
}

std::optional<Event> Board::next(const std::string& receiver) const {
  const Subscription* who = subscription(receiver);
  if (who == nullptr || !who->events) return std::nullopt;
  std::optional<Pending> oldest;
  const Episode* of = nullptr;
  for (const Episode& episode : episodes_) {
    const auto candidate = pending(*who, episode);
    if (!candidate || (oldest && oldest->at_ns <= candidate->at_ns)) continue;
    oldest = candidate;
    of = &episode;
  }
  if (of == nullptr) return std::nullopt;
  Event out = event_of(*of, oldest->kind, oldest->at_ns);
  const auto told = of->told.find(receiver);
  if (told != of->told.end()) out.told_before = told->second.open;
  return out;
}

void Board::note(const std::string& receiver, const Event& event) {
  for (Episode& episode : episodes_) {
    if (episode_id(episode) != event.episode) continue;
    Told& told = episode.told[receiver];
    if (event.kind == EventKind::kClose) {
      told.closed = true;
    } else {
      told.open = severity_of(event.alert.labels);
    }
    ++version_;
  }
}

void Board::withdraw(const std::string& receiver, const Event& event) {
  for (Episode& episode : episodes_) {
    if (episode_id(episode) != event.episode) continue;
    Told& told = episode.told[receiver];
    told.closed = false;
    told.open = event.told_before;
    ++version_;
  }
}

std::uint64_t Board::dropped(const std::string& receiver) const {
  const auto found = dropped_.find(receiver);
  return found == dropped_.end() ? 0 : found->second;
}

}  // namespace reveal::alert
