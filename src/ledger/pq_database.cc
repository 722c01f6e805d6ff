#include "ledger/pq_database.h"

#include <random>
#include <utility>

#include "ledger/pq_answer.h"
#include "ledger/pq_library.h"

namespace reveal::ledger {
namespace {

using std::chrono::milliseconds;

// Tables are made, and what is open is read, before there is anything to be late for.
constexpr milliseconds kOpeningPatience{60'000};
// Then who waits reads no messages, and loses its leases after two seconds of that.
constexpr milliseconds kPatience{1'500};
constexpr milliseconds kConnectingPatience{5'000};  // of who opens it first
constexpr milliseconds kFirstPause{200};
constexpr milliseconds kLongestPause{10'000};

// A writer that stands still in a transaction, or is cut off in it, is thrown out by the server.
constexpr const char* kWriting =
    "SET lock_timeout = '500ms'; SET idle_in_transaction_session_timeout = '5s'";
constexpr const char* kReading = "SET default_transaction_read_only = on";

// As SQLite has it: one writes. Leases are compared before a write, and must not change then.
constexpr const char* kBegin =
    "BEGIN; SELECT pg_advisory_xact_lock(hashtext('reveal ledger in ' || current_schema()))";

}  // namespace

PqDatabase::PqDatabase(const PqApi& api, PqTarget target, Access access)
    : api_(&api),
      target_(std::move(target)),
      access_(access),
      patience_(kOpeningPatience),
      backoff_(std::random_device{}(), kFirstPause, kLongestPause) {}

base::Result<std::unique_ptr<Database>> PqDatabase::open(const std::string& url, Access access) {
  const auto api = load_pq();
  if (!api) return base::pass(api);
  auto target = read_pq_url(**api, url, access);
  if (!target) return base::pass(target);
  std::unique_ptr<PqDatabase> out(new PqDatabase(**api, std::move(*target), access));
  if (const auto ready = out->ready(); !ready) return base::pass(ready);
  return std::unique_ptr<Database>(std::move(out));
}

base::Result<PqConnection*> PqDatabase::ready() {
  if (connection_ && !connection_->is_lost()) return &*connection_;
  if (is_in_transaction_) {
    return base::fail(base::ErrorKind::kAway, "the connection was lost", name());
  }
  connection_.reset();
  if (Clock::now() < pause_until_) return base::Unexpected(trouble_);
  if (const auto connected = connect(); !connected) {
    trouble_ = connected.error();
    pause_until_ = Clock::now() + backoff_.failed();
    return base::pass(connected);
  }
  backoff_.succeeded();
  return &*connection_;
}

base::Result<void> PqDatabase::connect() {
  auto made = PqConnection::open(*api_, target_, std::min(patience_, kConnectingPatience));
  if (!made) return base::pass(made);
  if (const auto encoding = made->parameter("server_encoding"); encoding != "UTF8") {
    return base::fail(base::ErrorKind::kUsage, "the database is of " + encoding, name(),
                      "make one with ENCODING 'UTF8'");
  }
  const auto set = made->run(access_ == Access::kRead ? kReading : kWriting, patience_);
  if (!set) return base::pass(set);
  connection_.emplace(std::move(*made));
  return {};
}

base::Result<PqResult> PqDatabase::send(const std::string& statements) {
  const auto connection = ready();
  if (!connection) return base::pass(connection);
  return (*connection)->run(statements, patience_);
}

base::Result<void> PqDatabase::run(const std::string& statements) {
  const auto done = send(statements);
  if (!done) return base::pass(done);
  return {};
}

void PqDatabase::hurry() {
  patience_ = kPatience;
}

base::Result<void> PqDatabase::begin() {
  if (const auto connection = ready(); !connection) return base::pass(connection);
  is_in_transaction_ = true;
  auto done = run(kBegin);
  if (!done) roll_back();
  return done;
}

base::Result<void> PqDatabase::commit() {
  const auto done = send("COMMIT");
  is_in_transaction_ = false;
  if (!done) return base::pass(done);
  if (std::string_view(api_->command_tag(done->get())) == "COMMIT") return {};
  return base::fail(base::ErrorKind::kIo, "the server did not write what was to be written",
                    name());
}

void PqDatabase::roll_back() {
  if (!std::exchange(is_in_transaction_, false)) return;
  if (connection_ && !connection_->is_lost()) {
    static_cast<void>(connection_->run("ROLLBACK", patience_));
  }
}

base::Result<std::vector<Row>> PqDatabase::query(const std::string& statement,
                                                 const std::vector<Value>& values) {
  const auto connection = ready();
  if (!connection) return base::pass(connection);
  const auto result = (*connection)->query(statement, values, patience_);
  if (!result) return base::pass(result);
  std::vector<Row> out;
  const int rows = api_->row_count(result->get());
  const int columns = api_->column_count(result->get());
  for (int i = 0; i < rows; ++i) {
    auto& row = out.emplace_back();
    for (int j = 0; j < columns; ++j) {
      const auto size = static_cast<std::size_t>(api_->length(result->get(), i, j));
      row.emplace_back(api_->value(result->get(), i, j), size);
    }
  }
  return out;
}

base::Result<std::unique_ptr<Answer>> PqDatabase::ask(const std::string& statement) {
  const auto connection = ready();
  if (!connection) return base::pass(connection);
  return PqAnswer::begin(*api_, **connection, statement);
}

}  // namespace reveal::ledger
