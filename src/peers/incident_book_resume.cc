// What a book takes over that another run or another analyser has told.
#include <algorithm>
#include <cmath>
#include <iterator>
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

}  // namespace

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
