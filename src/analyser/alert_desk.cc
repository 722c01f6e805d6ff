#include "analyser/alert_desk.h"

#include <chrono>

#include "alert/board.h"
#include "analyser/incident_alert.h"

namespace reveal::analyser {
namespace {

using peers::Incident;

constexpr std::int64_t kHistory_ns = std::chrono::nanoseconds(alert::kHistory).count();

}  // namespace

void AlertDesk::take(const peers::News& news, std::int64_t time_ns) {
  const auto& incident = news.incident;
  auto found = entries_.find(incident.id);
  if (found == entries_.end()) {
    if (!incident.is_open && incident.end_ns <= time_ns - kHistory_ns) return;
    found = entries_.emplace(incident.id, Entry{.incident = {}, .since_ns = time_ns}).first;
  }
  auto& known = found->second.incident;
  auto name = known.known_as;
  known = incident;
  // One that is over before it had a name gets that of its end.
  if (!known.known_as) known.known_as = std::move(name);
  if (!known.is_open && !known.known_as) known.known_as = peers::name_of(known, time_ns);
  has_changed_ = true;
}

void AlertDesk::take_over(const std::vector<Incident>& told, std::int64_t time_ns) {
  for (const auto& incident : told) {
    const bool is_named = incident.known_as.has_value();
    if (!incident.is_open && (!is_named || incident.end_ns <= time_ns - kEndTold_ns)) continue;
    Entry entry{.incident = incident, .since_ns = time_ns};
    entry.is_known = is_named && incident.known_as->since_ns <= time_ns - kSurelySent_ns;
    entries_.insert_or_assign(incident.id, std::move(entry));
  }
  has_changed_ = true;
}

void AlertDesk::lose(std::string_view group) {
  std::erase_if(entries_, [&](const auto& one) {
    if (one.second.incident.group != group) return false;
    lost_.push_back(one.first);
    return true;
  });
  has_changed_ = true;
}

void AlertDesk::round(peers::IncidentBook& book, std::int64_t time_ns) {
  for (const auto& [id, entry] : entries_) {
    if (entry.incident.known_as || time_ns - entry.since_ns < kHold_ns) continue;
    // What it is called comes back with what is told.
    const auto* now = book.find(id);
    if (now != nullptr && !now->known_as) book.call(id, peers::name_of(*now, time_ns));
  }
  const auto gone = std::erase_if(entries_, [&](const auto& one) {
    const auto& incident = one.second.incident;
    return !incident.is_open && incident.end_ns <= time_ns - kHistory_ns;
  });
  has_changed_ = has_changed_ || gone > 0;
}

std::span<const alert::Alert> AlertDesk::alerts() {
  if (!std::exchange(has_changed_, false)) return alerts_;
  alerts_.clear();
  for (const auto& [id, entry] : entries_) {
    if (!entry.incident.known_as) continue;
    alerts_.push_back(alert_of(entry.incident, page_url_));
    alerts_.back().is_known = entry.is_known;
  }
  return alerts_;
}

}  // namespace reveal::analyser
