// What of SQLite is used, by the types of its header.
#pragma once

#include <sqlite3.h>

namespace reveal::ledger {

struct SqliteApi {
  decltype(&::sqlite3_open_v2) open = nullptr;
  decltype(&::sqlite3_close_v2) close = nullptr;
  decltype(&::sqlite3_errmsg) error_message = nullptr;
  decltype(&::sqlite3_busy_timeout) busy_timeout = nullptr;
  decltype(&::sqlite3_exec) exec = nullptr;
  decltype(&::sqlite3_prepare_v2) prepare = nullptr;
  decltype(&::sqlite3_stmt_readonly) is_reading = nullptr;
  decltype(&::sqlite3_bind_parameter_index) parameter_place = nullptr;
  decltype(&::sqlite3_bind_int64) bind_int64 = nullptr;
  decltype(&::sqlite3_bind_text64) bind_text = nullptr;
  decltype(&::sqlite3_step) step = nullptr;
  decltype(&::sqlite3_reset) reset = nullptr;
  decltype(&::sqlite3_column_count) column_count = nullptr;
  decltype(&::sqlite3_column_name) column_name = nullptr;
  decltype(&::sqlite3_column_type) column_type = nullptr;
  decltype(&::sqlite3_column_text) column_text = nullptr;
  decltype(&::sqlite3_column_bytes) column_bytes = nullptr;
  decltype(&::sqlite3_finalize) finalize = nullptr;
};

}  // namespace reveal::ledger
