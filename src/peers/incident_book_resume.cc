// What a book takes over that another run or another analyser has told.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "fleet/difference.h"
#include "peers/incident_book.h"

namespace reveal::peers {
namespace {

// How far apart as a rule, and how much that varies at most, as evidence tells it.
Usual usual_of_evidence(const Evidence& evidence, bool is_of_all) {
  const double offset =
      is_of_all ? evidence.usual : evidence.observed - evidence.usual - evidence.rise;
  return {evidence.quantity.key(), static_cast<float>(offset),
          static_cast<float>(evidence.limit / fleet::kLimit)};
}

std::vector<Usual> usual_of_each(const std::vector<Evidence>& evidence, bool is_of_all) {
  std::vector<Usual> out;
  for (const auto& one : evidence) {
    auto usual = usual_of_evidence(one, is_of_all);
    if (std::isfinite(usual.offset) && std::isfinite(usual.spread)) out.push_back(std::move(usual));
  }
  return out;
}

// Says until when a rise was seen that began with the incident or later, if it was seen. Returns
// whether it has been over for long enough, at `now_ns`.
bool has_ended(std::optional<std::int64_t> rose_ns, std::int64_t onset_ns, std::int64_t now_ns,
               std::int64_t& last_ns) {
  if (!rose_ns || *rose_ns < onset_ns) return false;
  last_ns = std::max(last_ns, *rose_ns);
  return now_ns - last_ns >= kCalm_s * kSecond_ns;
}

bool has_signal(const SlowHost& host) {
  return std::ranges::any_of(host.evidence, [](const auto& one) { return one.least_rise > 0; });
}

// Takes what the last second says of a resumed incident. Returns whether it is over.
bool follow(Incident& incident, const Group& group, std::int64_t now_ns) {
  if (incident.is_of_all) {
    return has_ended(group.all_rose_until(incident.evidence), incident.onset_ns, now_ns,
                     incident.end_ns);
  }
  bool any = false;
  bool all = true;
  for (auto& host : incident.hosts) {
    if (host.has_recovered()) continue;
    // One without a signal of its own, to which others send again, is slow as long as they are.
    if (!has_signal(host)) continue;
    any = true;
    const bool is_over =
        has_ended(group.rose_until(host.id, host.evidence), host.onset_ns, now_ns, host.last_ns);
    incident.end_ns = std::max(incident.end_ns, host.last_ns);
    all = all && is_over;
  }
  if (!any || !all) return false;
  for (auto& host : incident.hosts) host.calm_s = kCalm_s;
  return true;
}

}  // namespace

void IncidentBook::follow_resumed(const Group& group, std::int64_t now_ns) {
  for (auto& incident : resumed_) {
    if (incident.group != group.key() || !follow(incident, group, now_ns)) continue;
    incident.is_open = false;
    ++incident.revision;
    news_.push_back({Told::kClosed, incident});
  }
  std::erase_if(resumed_, [](const Incident& incident) { return !incident.is_open; });
}

IncidentBook::Open* IncidentBook::find_open(std::string_view id) {
  const auto found =
      std::ranges::find_if(open_, [&](const Open& open) { return open.incident.id == id; });
  return found == open_.end() ? nullptr : &*found;
}

const Incident* IncidentBook::find(std::string_view id) const {
  const auto found =
      std::ranges::find_if(open_, [&](const Open& open) { return open.incident.id == id; });
  return found == open_.end() ? nullptr : &found->incident;
}

void IncidentBook::resume(Incident incident) {
  if (find(incident.id) != nullptr) return;
  incident.calm_s = 0;
  const auto known = std::ranges::find(resumed_, incident.id, &Incident::id);
  if (known != resumed_.end()) {
    if (incident.revision > known->revision) *known = std::move(incident);
    return;
  }
  if (resumed_.size() == kMaxOpen) return;
  resumed_.push_back(std::move(incident));
}

std::set<std::string> IncidentBook::resumed_groups() const {
  std::set<std::string> out;
  for (const auto& one : resumed_) out.insert(one.group);
  return out;
}

std::vector<Incident> IncidentBook::give_up(std::string_view group) {
  std::vector<Incident> out;
  std::ranges::copy_if(resumed_, std::back_inserter(out),
                       [&](const Incident& one) { return one.group == group; });
  std::erase_if(resumed_, [&](const Incident& one) { return one.group == group; });
  return out;
}

void IncidentBook::go_on_as(std::string_view own, const Incident& told) {
  auto* found = find_open(own);
  if (found == nullptr) return;
  auto& incident = found->incident;
  const bool has_more = incident.revision > told.revision || !told.is_open;
  incident.id = told.id;
  incident.onset_ns = told.onset_ns;
  incident.revision = told.revision;
  incident.known_as = told.known_as;
  std::erase_if(resumed_, [&](const Incident& one) { return one.id == told.id; });
  if (!has_more) return;
  ++incident.revision;
  tell(*found, Told::kUpdated, incident.end_ns);
}

void IncidentBook::began_before(std::string_view id, const Incident& earlier) {
  auto* found = find_open(id);
  if (found == nullptr) return;
  auto& incident = found->incident;
  incident.onset_ns = std::min(incident.onset_ns, earlier.onset_ns);
  for (auto& host : incident.hosts) {
    const auto before = std::ranges::find(earlier.hosts, host.id, &SlowHost::id);
    if (before == earlier.hosts.end()) continue;
    host.onset_ns = std::min(host.onset_ns, before->onset_ns);
  }
  ++incident.revision;
  tell(*found, Told::kUpdated, incident.end_ns);
}

void IncidentBook::call(std::string_view id, KnownAs name) {
  auto* found = find_open(id);
  if (found == nullptr) return;
  auto& incident = found->incident;
  incident.known_as = std::move(name);
  ++incident.revision;
  tell(*found, Told::kUpdated, incident.end_ns);
}

void IncidentBook::drop(std::string_view id) {
  std::erase_if(open_, [&](const Open& open) { return open.incident.id == id; });
}

std::vector<Incident> IncidentBook::open_of(std::string_view group) const {
  std::vector<Incident> out;
  for (const auto& open : open_) {
    if (open.incident.group == group) out.push_back(open.incident);
  }
  return out;
}

std::vector<Usual> IncidentBook::usual_of(std::string_view group, std::string_view host) const {
  std::vector<Usual> out;
  for (const auto& incident : resumed_) {
    if (incident.group != group) continue;
    for (const auto& one : incident.hosts) {
      if (one.id == host)
        std::ranges::move(usual_of_each(one.evidence, false), std::back_inserter(out));
    }
  }
  return out;
}

std::vector<Usual> IncidentBook::usual_of_all(std::string_view group) const {
  std::vector<Usual> out;
  for (const auto& incident : resumed_) {
    if (incident.group != group) continue;
    std::ranges::move(usual_of_each(incident.evidence, true), std::back_inserter(out));
  }
  return out;
}

}  // namespace reveal::peers
