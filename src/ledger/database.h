// A file of SQLite, and statements that are prepared once. Not thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "ledger/api.h"

namespace reveal::ledger {

using Value = std::variant<std::int64_t, std::string_view>;
using Row = std::vector<std::string>;  // numbers as decimal text; NULL is empty

class Database {
 public:
  // Opens the file, and makes it if it is not there. Fails with kAbsent without the library, with
  // kIo if it cannot be opened.
  static base::Result<Database> open(const std::filesystem::path& file);
  // Opens a file that is there, to read it only.
  static base::Result<Database> open_reading(const std::filesystem::path& file);

  Database(Database&&) noexcept = default;
  Database& operator=(Database&&) noexcept = default;

  // Runs statements that have no parameters and of which no rows are wanted.
  base::Result<void> run(const std::string& statements);

  // Runs one statement with values for its parameters, and returns its rows. A text that occurs
  // again is not prepared again. Fails with kIo, kNoSpace, or kBusy if another program has the
  // file for long.
  base::Result<std::vector<Row>> query(const std::string& statement,
                                       const std::vector<Value>& values = {});

 private:
  struct Closer {
    const Api* api;
    void operator()(sqlite3* connection) const { api->close(connection); }
  };
  struct Finalizer {
    const Api* api;
    void operator()(sqlite3_stmt* statement) const { api->finalize(statement); }
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalizer>;
  struct Prepared {
    std::string text;
    Statement statement;
  };

  Database(const Api& api, sqlite3* connection, std::string file)
      : api_(&api), file_(std::move(file)), connection_(connection, Closer{&api}) {}

  static base::Result<Database> open_with(const std::filesystem::path& file, int flags);
  base::Unexpected failure(int code, const std::string& what) const;
  base::Result<sqlite3_stmt*> prepared(const std::string& text);
  Row row_of(sqlite3_stmt* statement, int columns) const;

  const Api* api_;
  std::string file_;
  std::unique_ptr<sqlite3, Closer> connection_;
  std::vector<Prepared> prepared_;  // a few
};

}  // namespace reveal::ledger
