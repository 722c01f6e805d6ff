// The rows of a user's statement, taken from a PostgreSQL server one by one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ledger/database.h"
#include "ledger/pq_connection.h"

namespace reveal::ledger {

class PqAnswer : public Answer {
 public:
  // Sends the statement. `connection` must outlive the answer.
  static base::Result<std::unique_ptr<Answer>> begin(const PqApi& api, PqConnection& connection,
                                                     const std::string& statement);

  const std::vector<Column>& columns() const override { return columns_; }
  base::Result<std::span<const Cell>> next() override;

 private:
  PqAnswer(const PqApi& api, PqConnection& connection, PqResult first);

  const PqApi& api_;
  PqConnection& connection_;
  PqResult current_;
  bool is_fresh_ = true;  // it was not returned yet
  std::vector<Column> columns_;
  std::vector<Cell> cells_;
};

}  // namespace reveal::ledger
