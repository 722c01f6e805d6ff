// The answer of /api/v1/incidents, of this run's incidents and those of a database together.
//
// A list begins with the newest onset. It comes in pages; each but the last has under `next` the
// address of the next. That address names a place in the order, so incidents that come meanwhile
// neither hide nor repeat others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "fleet_site/shown_incident.h"
#include "http/target.h"

namespace reveal::fleet_site {

inline constexpr std::size_t kMostIncidents = 1'000;  // on a page
inline constexpr std::size_t kUsualIncidents = 100;
inline constexpr std::size_t kMostIncidentsBytes = std::size_t{1} << 20;  // if several

// Which incidents are asked for.
struct IncidentQuery {
  std::optional<bool> open = {};              // only these
  std::string group = {};                     // of this one; empty: of all
  std::string host = {};                      // the id of a host that is in it; empty: of any
  std::optional<std::int64_t> since_ns = {};  // that had not ended before
  std::optional<IncidentPlace> before = {};   // that come after this place in the list
  std::size_t limit = kUsualIncidents;
};

// Reads `open` (true or false), `group`, `host`, `since` (a date, or seconds since the epoch),
// `before` (of a `next` address) and `limit`. Fails with kUsage, naming the parameter, for anything
// else.
base::Result<IncidentQuery> parse_incident_query(std::span<const http::Parameter> parameters);

bool is_asked_for(const ShownIncident& incident, const IncidentQuery& query);

// Returns the incidents of both that are asked for, the newest first; of one that is in both, that
// with the later revision, or else the one that is over.
ShownList chosen(const ShownList& of_run, const ShownList& of_database, const IncidentQuery& query);

// Returns {"incidents": [...], "next": "..."}; without a further page, `next` is null.
std::string incidents_json(const ShownList& chosen, const IncidentQuery& query);

}  // namespace reveal::fleet_site
