#include "ledger/fleet_report.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "ledger/database.h"
#include "ledger/schema.h"
#include "peers/job_name.h"
#include "peers/json.h"

namespace reveal::ledger {
namespace {

constexpr std::string_view kOpenState = "open";

// Returns how much of a time lies within the stretch.
std::int64_t within(std::int64_t begin_ns, std::int64_t end_ns, const FleetReport& stretch) {
  return std::max<std::int64_t>(
      0, std::min(end_ns, stretch.to_ns) - std::max(begin_ns, stretch.from_ns));
}

std::int64_t hosts_time(const peers::Incident& incident, std::int64_t slow_ns,
                        const FleetReport& stretch) {
  if (incident.is_of_all) return slow_ns * static_cast<std::int64_t>(incident.group_size);
  std::int64_t out = 0;
  for (const auto& host : incident.hosts) {
    const bool goes_on = incident.is_open && !host.has_recovered();
    out += within(host.onset_ns, goes_on ? stretch.to_ns : host.last_ns, stretch);
  }
  return out;
}

// Returns whom it is about, as a row that has nothing counted.
Costly subject_of_row(const peers::Incident& incident) {
  Costly out;
  out.group = incident.group;
  if (const auto* evidence = incident.main_evidence()) {
    out.subsystem = to_string(evidence->quantity.subsystem);
  }
  const auto* host = incident.main_host();
  if (host == nullptr) {
    out.who = "all of " + peers::group_in_words(incident.group);
  } else if (host->part == peers::Part::kPair) {
    std::vector<std::string> names;
    for (const auto& one : incident.hosts) names.push_back(one.name);
    std::ranges::sort(names);
    for (const auto& name : names) out.who += (out.who.empty() ? "" : " or ") + name;
  } else {
    out.who = host->name;
    out.host = host->id;
  }
  return out;
}

}  // namespace

FleetReport fleet_report_of(const std::vector<peers::Incident>& incidents, std::int64_t from_ns,
                            std::int64_t to_ns) {
  FleetReport out;
  out.from_ns = from_ns;
  out.to_ns = to_ns;
  // Names may change, ids do not.
  std::map<std::tuple<std::string, std::string, std::string>, Costly> rows;
  for (const auto& incident : incidents) {
    const auto end_ns = incident.is_open ? std::max(incident.end_ns, to_ns) : incident.end_ns;
    if (incident.onset_ns >= to_ns || end_ns <= from_ns) continue;
    ++out.incidents;
    if (incident.is_open) ++out.open;
    auto fresh = subject_of_row(incident);
    // A host may have been slow in each of its jobs.
    const auto subject = fresh.host.empty() ? std::pair(fresh.who, fresh.group)
                                            : std::pair(fresh.host, std::string());
    auto& row = rows[{subject.first, subject.second, fresh.subsystem}];
    const auto slow_ns = within(incident.onset_ns, end_ns, out);
    const auto hosts_ns = hosts_time(incident, slow_ns, out);
    fresh.incidents = row.incidents + 1;
    fresh.slow_ns = row.slow_ns + slow_ns;
    fresh.hosts_ns = row.hosts_ns + hosts_ns;
    out.hosts_ns += hosts_ns;
    fresh.last_onset_ns = incident.onset_ns;
    fresh.sentence = peers::sentence(incident);
    if (row.incidents > 0 && row.last_onset_ns > incident.onset_ns) {
      fresh.who = row.who;
      fresh.group = row.group;
      fresh.last_onset_ns = row.last_onset_ns;
      fresh.sentence = row.sentence;
    }
    row = std::move(fresh);
  }
  for (auto& [key, row] : rows) out.costly.push_back(std::move(row));
  std::ranges::stable_sort(out.costly, std::greater(), &Costly::hosts_ns);
  return out;
}

base::Result<FleetReport> read_fleet_report(const std::string& where, std::int64_t from_ns,
                                            std::int64_t to_ns) {
  if (from_ns >= to_ns) {
    return base::fail(base::ErrorKind::kUsage, "the stretch ends before it begins");
  }
  const auto database = open_database(where, Access::kRead);
  if (!database) return base::pass(database);
  // All that is read here is in every version from the first on.
  if (const auto sound = check_version(**database); !sound) return base::pass(sound);
  const auto rows = (*database)->query(
      "SELECT state, detail FROM incidents WHERE onset_ns < $2 AND (end_ns > $1 OR state = 'open') "
      "ORDER BY onset_ns, id",
      {from_ns, to_ns});
  if (!rows) return base::pass(rows);
  std::vector<peers::Incident> incidents;
  std::size_t unreadable = 0;
  for (const auto& row : *rows) {
    auto incident = peers::read_incident(row.at(1));
    if (!incident) {
      ++unreadable;
      continue;
    }
    // Of one that nobody saw end, that is told last which says that it goes on.
    incident->is_open = row.at(0) == kOpenState;
    incidents.push_back(std::move(*incident));
  }
  auto out = fleet_report_of(incidents, from_ns, to_ns);
  out.unreadable = unreadable;
  return out;
}

}  // namespace reveal::ledger
