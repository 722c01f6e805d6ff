// A database of a PostgreSQL server. A connection that is lost is opened again when it is next
// needed, after a pause that grows while the server is away; a transaction that it had is over, and
// nothing is written before the next one begins.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/backoff.h"
#include "ledger/database.h"
#include "ledger/pq_connection.h"

namespace reveal::ledger {

class PqDatabase : public Database {
 public:
  // Connects. Fails with kAway if that cannot be done, with kUsage for a wrong URL or a database
  // that is not of UTF-8.
  static base::Result<std::unique_ptr<Database>> open(const std::string& url, Access access);

  Dialect dialect() const override { return Dialect::kPostgres; }
  const std::string& name() const override { return target_.name; }
  void hurry() override;
  base::Result<void> begin() override;
  base::Result<void> commit() override;
  void roll_back() override;
  base::Result<void> run(const std::string& statements) override;
  base::Result<std::vector<Row>> query(const std::string& statement,
                                       const std::vector<Value>& values) override;
  base::Result<std::unique_ptr<Answer>> ask(const std::string& statement) override;

 private:
  using Clock = std::chrono::steady_clock;

  PqDatabase(const PqApi& api, PqTarget target, Access access);

  base::Result<PqConnection*> ready();
  base::Result<void> connect();
  base::Result<PqResult> send(const std::string& statements);

  const PqApi* api_;
  PqTarget target_;
  Access access_;
  std::chrono::milliseconds patience_;
  std::optional<PqConnection> connection_;
  bool is_in_transaction_ = false;
  base::Backoff backoff_;
  Clock::time_point pause_until_{};
  base::Error trouble_;  // the last failure to connect
};

}  // namespace reveal::ledger
