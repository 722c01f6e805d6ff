#include "ledger/database.h"
#include "ledger/sqlite_database.h"

namespace reveal::ledger {

base::Result<std::unique_ptr<Database>> open_database(const std::string& where, Access access) {
  return SqliteDatabase::open(where, access);
}

}  // namespace reveal::ledger
