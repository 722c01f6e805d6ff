// SQLite, loaded when an analyser keeps what it saw: other hosts do not need it. Its interface is
// the same in all versions of its soname, so the header that is built with need not be that of the
// library.
#pragma once

#include "base/result.h"
#include "ledger/sqlite_api.h"

namespace reveal::ledger {

// Loads the library once: the one that REVEAL_SQLITE_LIB names if that is set, else where the
// system looks. Fails with kAbsent if there is none, or one that lacks a function.
base::Result<const SqliteApi*> load_sqlite();

}  // namespace reveal::ledger
