// The tables of an analyser's database, how an older one becomes one of now, and all that SQLite
// and PostgreSQL do not have in common.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "ledger/database.h"

namespace reveal::ledger {

// Returns the version of now; versions count from 1.
std::size_t newest_version();

// Returns the statements that make a database of the version before one of `version`. What was ever
// released stays as it is. REQUIRES: 1 <= version <= newest_version().
std::string migration(std::size_t version, Dialect dialect);

// Returns the version that the database has; 0: no analyser made it.
base::Result<std::size_t> version_of(Database& database);

// Makes the tables of now, whatever version the database has. Fails with kUsage if a newer Reveal
// wrote it.
base::Result<void> migrate(Database& database);

// Returns whether an analyser made the database, and not a newer one. Fails with kUsage if not.
base::Result<void> check_version(Database& database);

}  // namespace reveal::ledger
