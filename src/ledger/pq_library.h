// libpq, loaded when an analyser keeps what it saw on a PostgreSQL server: other hosts do not need
// it. Its interface is the same in all versions of its soname.
#pragma once

#include "base/result.h"
#include "ledger/pq_api.h"

namespace reveal::ledger {

// Loads the library once: the one that REVEAL_PQ_LIB names if that is set, else where the system
// looks. Fails with kAbsent if there is none, or one that lacks a function.
base::Result<const PqApi*> load_pq();

}  // namespace reveal::ledger
