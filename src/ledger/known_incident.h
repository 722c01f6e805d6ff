// One incident that an analyser kept.
#pragma once

#include <string>

#include "base/result.h"
#include "ledger/database.h"
#include "peers/incident.h"

namespace reveal::ledger {

// Returns the incident with that id. Fails with kUsage if there is none, or the database is none of
// an analyser, and as Database::query().
base::Result<peers::Incident> known_incident(Database& database, const std::string& id);

}  // namespace reveal::ledger
