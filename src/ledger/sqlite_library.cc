#include "ledger/sqlite_library.h"

#include <string>
#include <utility>

#include <dlfcn.h>

#include "base/function_binder.h"

namespace reveal::ledger {
namespace {

constexpr const char* kFile = "libsqlite3.so.0";
constexpr const char* kInstall = "apt-get install libsqlite3-0";

base::Unexpected absent(std::string what) {
  return base::fail(base::ErrorKind::kAbsent, std::move(what), "SQLite", kInstall);
}

void bind_all(base::FunctionBinder& bind, SqliteApi& api) {
  bind(api.open, "sqlite3_open_v2");
  bind(api.close, "sqlite3_close_v2");
  bind(api.error_message, "sqlite3_errmsg");
  bind(api.busy_timeout, "sqlite3_busy_timeout");
  bind(api.exec, "sqlite3_exec");
  bind(api.prepare, "sqlite3_prepare_v2");
  bind(api.is_reading, "sqlite3_stmt_readonly");
  bind(api.parameter_place, "sqlite3_bind_parameter_index");
  bind(api.bind_int64, "sqlite3_bind_int64");
  bind(api.bind_text, "sqlite3_bind_text64");
  bind(api.step, "sqlite3_step");
  bind(api.reset, "sqlite3_reset");
  bind(api.column_count, "sqlite3_column_count");
  bind(api.column_name, "sqlite3_column_name");
  bind(api.column_type, "sqlite3_column_type");
  bind(api.column_text, "sqlite3_column_text");
  bind(api.column_bytes, "sqlite3_column_bytes");
  bind(api.finalize, "sqlite3_finalize");
}

base::Result<SqliteApi> load_anew() {
  void* library = base::open_library("REVEAL_SQLITE_LIB", kFile);
  if (library == nullptr) {
    return absent(std::string("an analyser needs its library, which cannot be loaded: ") +
                  ::dlerror());
  }
  SqliteApi api;
  base::FunctionBinder bind(library);
  bind_all(bind, api);
  if (bind.missing() == nullptr) return api;
  return absent(std::string("its library is there, but has no ") + bind.missing());
}

}  // namespace

base::Result<const SqliteApi*> load_sqlite() {
  static const auto kLoaded = load_anew();
  if (!kLoaded) return base::pass(kLoaded);
  return &*kLoaded;
}

}  // namespace reveal::ledger
