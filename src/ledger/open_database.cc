#include "ledger/database.h"
#include "ledger/pq_database.h"
#include "ledger/pq_target.h"
#include "ledger/sqlite_database.h"

namespace reveal::ledger {

base::Result<std::unique_ptr<Database>> open_database(const std::string& where, Access access) {
  if (is_pq_url(where)) return PqDatabase::open(where, access);
  return SqliteDatabase::open(where, access);
}

}  // namespace reveal::ledger
