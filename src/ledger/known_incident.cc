#include "ledger/known_incident.h"

#include "ledger/schema.h"
#include "peers/json.h"

namespace reveal::ledger {

base::Result<peers::Incident> known_incident(Database& database, const std::string& id) {
  if (const auto sound = check_version(database); !sound) return base::pass(sound);
  const auto rows = database.query("SELECT detail FROM incidents WHERE id = $1", {id});
  if (!rows) return base::pass(rows);
  if (!rows->empty()) return peers::read_incident(rows->front().front());
  return base::fail(base::ErrorKind::kUsage, "there is no incident " + id, database.name(),
                    "reveal sql --fleet DB \"SELECT id, sentence FROM incidents\" lists them");
}

}  // namespace reveal::ledger
