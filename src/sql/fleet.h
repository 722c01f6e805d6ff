// `reveal sql --fleet`: statements about what an analyser kept, in the dialect of its database,
// which is only read.
#pragma once

#include <string>

#include "base/result.h"
#include "sql/print.h"

namespace reveal::sql {

// Writes what a statement answers. `where` names the database as ledger::open_database() has it.
// Fails with kUsage if no analyser made it, or the statement would write.
base::Result<void> print_fleet_answer(const std::string& where, const std::string& statement,
                                      Format format, const TextSink& sink);

// Returns the tables of that database and their columns as text, for people.
base::Result<std::string> fleet_schema(const std::string& where);

}  // namespace reveal::sql
