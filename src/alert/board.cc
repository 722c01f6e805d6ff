#include "alert/board.h"

#include <algorithm>
#include <utility>

namespace reveal::alert {
namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t kHistoryNs = nanoseconds(kHistory).count();
// How long ago, at most, a program saw the alerts that a kill left open: a restart must know.
constexpr std::int64_t kStampNs = nanoseconds(std::chrono::minutes(1)).count();

// Returns the open ones by identity, those of one identity as one.
std::map<std::string, Alert> joined(std::span<const Alert> alerts) {
  std::map<std::string, Alert> out;
  for (const Alert& alert : alerts) {
    if (alert.end_ns) continue;
    const auto [place, is_new] = out.emplace(identity_of(alert.labels), alert);
    if (is_new) continue;
    const auto begin_ns = std::min(place->second.begin_ns, alert.begin_ns);
    if (severity_of(alert.labels) > severity_of(place->second.labels)) place->second = alert;
    place->second.begin_ns = begin_ns;
  }
  return out;
}

std::string finding_that_fits(const std::string& finding) {
  return finding.size() <= kLongestFinding ? finding : std::string();
}

// An alert of another severity has other labels, but the episode is of one identity.
void take_texts(Episode& episode, const Alert& alert) {
  episode.alert.id = alert.id;
  episode.alert.annotations = alert.annotations;
  episode.alert.finding = finding_that_fits(alert.finding);
  episode.alert.url = alert.url;
}

bool has_id(const Episode& episode, const std::string& id) {
  return std::find(episode.ids.begin(), episode.ids.end(), id) != episode.ids.end();
}

// A time goes by in which nobody saw whether it is still open, and that does not count; its end,
// should it not be seen again, is when it was seen last.
void bridge(Episode& episode, std::int64_t away_ns) {
  if (!episode.ended_ns) episode.ended_ns = episode.last_open_ns;
  episode.last_open_ns += away_ns;
}

bool wants_close(const Told& told, const Episode& episode) {
  return told.open && !told.closed && !episode.is_open();
}

Told told_of(const Episode& episode, const std::string& receiver) {
  const auto found = episode.told.find(receiver);
  return found == episode.told.end() ? Told{} : found->second;
}

}  // namespace

Board::Board(BoardOptions options, std::vector<Subscription> receivers)
    : options_(options), receivers_(std::move(receivers)) {}

void Board::update(std::span<const Alert> alerts, std::int64_t now_ns) {
  begin_step(now_ns);
  std::vector<Alert> told;
  told.reserve(alerts.size());
  for (const Alert& alert : alerts) told.push_back(as_first_told(alert));
  for (const Alert& alert : told) {
    if (alert.end_ns) see_ended(alert);
  }
  const auto open = joined(told);
  for (const auto& [identity, alert] : open) see_open(alert);
  for (const Alert& alert : told) note_id(alert);
  for (Episode& episode : episodes_) {
    if (episode.is_open()) settle(episode, open.count(episode.identity) != 0);
  }
  forget_history();
  keep_within_limits();
}

void Board::let_go(std::span<const std::string> ids) {
  const auto is_gone = [&](const Episode& episode) {
    return std::any_of(ids.begin(), ids.end(),
                       [&](const std::string& id) { return has_id(episode, id); });
  };
  if (std::erase_if(episodes_, is_gone) != 0) ++version_;
}

void Board::unknown(std::int64_t now_ns) {
  const auto away_ns = begin_step(now_ns);
  for (Episode& episode : episodes_) {
    if (episode.is_open()) bridge(episode, std::min(away_ns, now_ns - episode.last_open_ns));
  }
  forget_history();
}

// Returns how long ago the step before was; 0 if there was none, or a restart since.
std::int64_t Board::begin_step(std::int64_t now_ns) {
  const std::int64_t away_ns = restored_ ? 0 : std::max(now_ns - now_ns_, std::int64_t{0});
  const bool stamp = now_ns / kStampNs != now_ns_ / kStampNs;
  now_ns_ = now_ns;
  for (Episode& episode : episodes_) {
    // What lies in the future was noted before the clock was set back.
    episode.opened_ns = std::min(episode.opened_ns, now_ns);
    episode.last_open_ns = std::min(episode.last_open_ns, now_ns);
    if (episode.closed_ns) episode.closed_ns = std::min(*episode.closed_ns, now_ns);
    for (auto& [receiver, posted] : episode.posted) posted.at_ns = std::min(posted.at_ns, now_ns);
    if (!episode.is_open()) continue;
    if (stamp) ++version_;
    if (!restored_) continue;
    if (now_ns - episode.last_open_ns > kHistoryNs) {
      close(episode);
    } else if (!episode.unseen) {
      bridge(episode, now_ns - episode.last_open_ns);
      episode.unseen = true;
      ++version_;
    }
  }
  restored_ = false;
  return away_ns;
}

// Returns whether any receiver was told of it, or could have been.
bool Board::may_be_known(const Episode& episode) const {
  return episode.fired &&
         std::any_of(receivers_.begin(), receivers_.end(), [&](const Subscription& receiver) {
           return episode.severity >= receiver.least;
         });
}

// Returns the alert with the labels under which its id is known, if it is, and its own severity.
Alert Board::as_first_told(const Alert& alert) const {
  Alert out = alert;
  if (alert.id.empty()) return out;
  const auto known = std::find_if(episodes_.rbegin(), episodes_.rend(), [&](const Episode& one) {
    return has_id(one, alert.id) && may_be_known(one);
  });
  if (known != episodes_.rend()) out.labels = labels_with(*known, severity_of(alert.labels));
  return out;
}

// Notes that an open alert is part of its episode, should its labels change.
void Board::note_id(const Alert& alert) {
  if (alert.end_ns || alert.id.empty()) return;
  Episode* episode = newest(identity_of(alert.labels));
  if (episode == nullptr || has_id(*episode, alert.id)) return;
  if (episode->ids.size() == kMostIds) episode->ids.erase(episode->ids.begin());
  episode->ids.push_back(alert.id);
  ++version_;
}

void Board::see_open(const Alert& alert) {
  Episode* episode = newest(identity_of(alert.labels));
  if (episode == nullptr || !episode->is_open()) {
    add(alert, now_ns_);
    return;
  }
  take_texts(*episode, alert);
  episode->last_open_ns = now_ns_;
  episode->ended_ns.reset();
  const Severity severity = severity_of(alert.labels);
  if (severity <= episode->severity) return;
  if (episode->fired) episode->former.push_back({episode->severity, now_ns_});
  episode->severity = severity;
  ++version_;
}

void Board::see_ended(const Alert& alert) {
  const std::int64_t end_ns = std::min(*alert.end_ns, now_ns_);
  Episode* episode = newest(identity_of(alert.labels));
  if (episode != nullptr && episode->is_open()) {
    take_texts(*episode, alert);
    episode->last_open_ns = std::max(episode->last_open_ns, end_ns);
    episode->ended_ns = std::max(episode->ended_ns.value_or(end_ns), end_ns);
    return;
  }
  if (episode != nullptr && alert.begin_ns <= *episode->alert.end_ns) return;  // told already
  if (now_ns_ - end_ns > kHistoryNs || end_ns - alert.begin_ns < options_.hold.count()) return;
  if (Episode* added = add(alert, end_ns)) {
    added->fired = true;
    added->ended_ns = end_ns;
  }
}

// Who is told of such severities was told by another program.
void Board::note_known(Episode& episode) const {
  for (const Subscription& receiver : receivers_) {
    if (!receiver.events || episode.severity < receiver.least) continue;
    episode.told[receiver.name].open = episode.severity;
  }
}

// Returns null if there is no room.
Episode* Board::add(const Alert& alert, std::int64_t last_open_ns) {
  const auto open = std::count_if(episodes_.begin(), episodes_.end(),
                                  [](const Episode& episode) { return episode.is_open(); });
  if (static_cast<std::size_t>(open) >= kMostEpisodes) {
    ++left_out_;
    return nullptr;
  }
  Episode episode;
  episode.alert = alert;
  if (!alert.id.empty()) episode.ids.push_back(alert.id);
  episode.alert.finding = finding_that_fits(alert.finding);
  episode.alert.end_ns.reset();
  episode.alert.begin_ns = std::min(alert.begin_ns, last_open_ns);
  episode.identity = identity_of(alert.labels);
  episode.severity = severity_of(alert.labels);
  episode.opened_ns = now_ns_;
  episode.last_open_ns = last_open_ns;
  if (alert.is_known) note_known(episode);
  episodes_.push_back(std::move(episode));
  ++version_;
  return &episodes_.back();
}

// Decides whether an open episode fires, goes on or ends.
void Board::settle(Episode& episode, bool seen) {
  // On the disk, too: for what is seen, last_open_ns may be older there.
  if (std::exchange(episode.unseen, !seen) == seen) ++version_;
  if (seen && !episode.fired && now_ns_ - episode.opened_ns >= options_.hold.count()) {
    episode.fired = true;
    ++version_;
  }
  if (seen) return;
  // Nobody knows of it yet, so nothing has to be kept going.
  if (!episode.fired || now_ns_ - episode.last_open_ns >= options_.keep_firing.count()) {
    close(episode);
  }
}

void Board::close(Episode& episode) {
  episode.closed_ns = now_ns_;
  episode.alert.end_ns =
      std::max(episode.ended_ns.value_or(episode.last_open_ns), episode.alert.begin_ns);
  ++version_;
}

void Board::forget_history() {
  const auto is_over = [&](const Episode& episode) {
    if (episode.is_open()) return false;
    if (!episode.fired) return true;
    if (now_ns_ - *episode.closed_ns <= kHistoryNs) return false;
    // Who was told that it is open must learn that it is not.
    return std::none_of(receivers_.begin(), receivers_.end(), [&](const Subscription& receiver) {
      return receiver.events && wants_close(told_of(episode, receiver.name), episode);
    });
  };
  for (const Episode& episode : episodes_) {
    if (is_over(episode)) count_dropped(episode);
  }
  if (std::erase_if(episodes_, is_over) != 0) ++version_;
}

void Board::keep_within_limits() {
  std::size_t bytes = 0;
  for (const Episode& episode : episodes_) bytes += bytes_of(episode);
  while (episodes_.size() > kMostEpisodes || bytes > kMostBytes) {
    const auto ended = std::find_if(episodes_.begin(), episodes_.end(),
                                    [](const Episode& episode) { return !episode.is_open(); });
    if (ended != episodes_.end()) {
      bytes -= bytes_of(*ended);
      count_dropped(*ended);
      episodes_.erase(ended);
      ++version_;
      continue;
    }
    const auto longest = std::max_element(episodes_.begin(), episodes_.end(),
                                          [](const Episode& a, const Episode& b) {
                                            return a.alert.finding.size() < b.alert.finding.size();
                                          });
    if (longest == episodes_.end() || longest->alert.finding.empty()) return;
    bytes -= longest->alert.finding.size();
    longest->alert.finding.clear();
  }
}

void Board::count_dropped(const Episode& episode) {
  for (const Subscription& receiver : receivers_) {
    if (!receiver.events || !episode.fired) continue;
    const Told told = told_of(episode, receiver.name);
    const bool unaware = !told.open && episode.severity >= receiver.least;
    if (unaware || wants_close(told, episode)) ++dropped_[receiver.name];
  }
}

const Subscription* Board::subscription(const std::string& receiver) const {
  for (const Subscription& candidate : receivers_) {
    if (candidate.name == receiver) return &candidate;
  }
  return nullptr;
}

Episode* Board::newest(const std::string& identity) {
  const auto found =
      std::find_if(episodes_.rbegin(), episodes_.rend(),
                   [&](const Episode& episode) { return episode.identity == identity; });
  return found == episodes_.rend() ? nullptr : &*found;
}

bool Board::is_firing(const std::string& identity, Severity severity) const {
  return std::any_of(episodes_.begin(), episodes_.end(), [&](const Episode& episode) {
    return episode.is_open() && episode.fired && episode.severity == severity &&
           episode.identity == identity;
  });
}

std::size_t Board::firing() const {
  return static_cast<std::size_t>(
      std::count_if(episodes_.begin(), episodes_.end(),
                    [](const Episode& episode) { return episode.is_open() && episode.fired; }));
}

void Board::restore(std::vector<Episode> episodes) {
  episodes_ = std::move(episodes);
  restored_ = true;
  ++version_;
}

}  // namespace reveal::alert
