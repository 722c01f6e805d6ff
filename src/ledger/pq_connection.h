// One connection to a PostgreSQL server. A call waits for the server as long as it is told to, and
// then gives the connection up: who waits reads no messages meanwhile. (libpq's own calls wait for
// as long as the network likes; only its look-up of a host's name is left.)
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/database.h"
#include "ledger/pq_api.h"
#include "ledger/pq_target.h"

namespace reveal::ledger {

struct PqFinisher {
  const PqApi* api;
  void operator()(PGconn* connection) const { api->finish(connection); }
};
struct PqClearer {
  const PqApi* api;
  void operator()(PGresult* result) const { api->clear(result); }
};
using PqResult = std::unique_ptr<PGresult, PqClearer>;

class PqConnection {
 public:
  // Tries the target's servers in turn, each with its share of the time that is left. Fails with
  // kAway, with libpq's reason for each.
  static base::Result<PqConnection> open(const PqApi& api, const PqTarget& target,
                                         std::chrono::milliseconds patience);

  // Runs statements, and returns the result of the last one. Fails with kAway if the server does
  // not answer or ends the connection, with kBusy if a lock is not to be had, else as it says.
  base::Result<PqResult> run(const std::string& statements, std::chrono::milliseconds patience);
  base::Result<PqResult> query(const std::string& statement, const std::vector<Value>& values,
                               std::chrono::milliseconds patience);

  // Begins a statement whose rows are then taken one by one, each as a result; the last one has no
  // rows. Only then another statement may be sent. They wait without end.
  base::Result<void> start(const std::string& statement);
  base::Result<PqResult> next();

  // Returns whether it is over, so that another one is to be opened.
  bool is_lost() const { return is_lost_ || api_->status(connection_.get()) != CONNECTION_OK; }
  // Returns a parameter that the server told.
  std::string parameter(const char* name) const;

 private:
  using Clock = std::chrono::steady_clock;

  PqConnection(const PqApi& api, PGconn* connection, std::string name)
      : api_(&api), name_(std::move(name)), connection_(connection, PqFinisher{&api}) {}

  static base::Result<PqConnection> open_one(const PqApi& api, const PqServer& server,
                                             Clock::time_point deadline);
  base::Result<void> finish_connecting(Clock::time_point deadline);
  base::Result<void> send(bool is_sent, Clock::time_point deadline);
  base::Result<PqResult> next_before(Clock::time_point deadline);
  base::Result<PqResult> last_before(Clock::time_point deadline);
  base::Result<void> check(const PGresult* result);
  bool wait(short events, Clock::time_point deadline) const;
  base::Unexpected lost(const std::string& what);

  const PqApi* api_;
  std::string name_;
  std::unique_ptr<PGconn, PqFinisher> connection_;
  bool is_lost_ = false;
};

}  // namespace reveal::ledger
