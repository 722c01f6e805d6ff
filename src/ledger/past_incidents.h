// Incidents of a database, chosen as somebody who looks at them wants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/database.h"

namespace reveal::ledger {

struct IncidentChoice {
  std::optional<bool> open = {};              // only these
  std::string id = {};                        // only this one; empty: any
  std::string group = {};                     // of this one; empty: of any
  std::string host = {};                      // in which a host with this id is; empty: any
  std::optional<std::int64_t> since_ns = {};  // that had not ended before
  // That began before this one, in the order of onset and id.
  struct Place {
    std::int64_t onset_ns = 0;
    std::string id = {};
  };
  std::optional<Place> before = {};
  std::size_t limit = 100;
};

struct PastIncident {
  std::string detail;  // as JSON
  bool is_open = false;
};

// Returns the newest of them, by onset, then id.
base::Result<std::vector<PastIncident>> past_incidents(Database& database,
                                                       const IncidentChoice& choice);

}  // namespace reveal::ledger
