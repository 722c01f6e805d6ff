// A file of SQLite, and statements that are prepared once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ledger/database.h"
#include "ledger/sqlite_api.h"

namespace reveal::ledger {

struct SqliteCloser {
  const SqliteApi* api;
  void operator()(sqlite3* connection) const { api->close(connection); }
};
struct SqliteFinalizer {
  const SqliteApi* api;
  void operator()(sqlite3_stmt* statement) const { api->finalize(statement); }
};
using SqliteStatement = std::unique_ptr<sqlite3_stmt, SqliteFinalizer>;

class SqliteDatabase : public Database {
 public:
  static base::Result<std::unique_ptr<Database>> open(const std::string& file, Access access);

  Dialect dialect() const override { return Dialect::kSqlite; }
  const std::string& name() const override { return file_; }
  void hurry() override {}
  base::Result<void> begin() override;
  base::Result<void> commit() override;
  void roll_back() override;
  base::Result<void> run(const std::string& statements) override;
  base::Result<std::vector<Row>> query(const std::string& statement,
                                       const std::vector<Value>& values) override;
  base::Result<std::unique_ptr<Answer>> ask(const std::string& statement) override;

 private:
  struct Prepared {
    std::string text;
    SqliteStatement statement;
  };

  SqliteDatabase(const SqliteApi& api, sqlite3* connection, std::string file)
      : api_(&api), file_(std::move(file)), connection_(connection, SqliteCloser{&api}) {}

  base::Unexpected failure(int code, const std::string& what) const;
  base::Result<sqlite3_stmt*> prepared(const std::string& text);
  void bind(sqlite3_stmt* statement, const std::vector<Value>& values) const;
  Row row_of(sqlite3_stmt* statement, int columns) const;

  const SqliteApi* api_;
  std::string file_;
  std::unique_ptr<sqlite3, SqliteCloser> connection_;
  std::vector<Prepared> prepared_;  // some tens
};

}  // namespace reveal::ledger
