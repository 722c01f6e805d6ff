// The rows of a statement of SQLite, read as they are asked for.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ledger/database.h"
#include "ledger/sqlite_database.h"

namespace reveal::ledger {

class SqliteAnswer : public Answer {
 public:
  using Failure = std::function<base::Unexpected(int code)>;

  // `failure` makes the error of a step that failed.
  SqliteAnswer(const SqliteApi& api, SqliteStatement statement, Failure failure);

  const std::vector<Column>& columns() const override { return columns_; }
  base::Result<std::span<const Cell>> next() override;

 private:
  const SqliteApi& api_;
  SqliteStatement statement_;
  Failure failure_;
  std::vector<Column> columns_;
  std::vector<Cell> cells_;
};

}  // namespace reveal::ledger
