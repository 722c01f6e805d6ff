#include "ledger/pq_connection.h"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include <poll.h>

#include "text/utf8.h"

namespace reveal::ledger {
namespace {

using std::chrono::milliseconds;

constexpr const char* kNoAnswer = "the server does not answer";

// By the codes of PostgreSQL's manual, appendix A.
base::ErrorKind kind_of(std::string_view state) {
  // The server goes down, comes up, ended a transaction that stood still, has too many users, or
  // is one that only reads, as after a failover.
  for (const char* away : {"08", "57P", "25P03", "53300", "25006"}) {
    if (state.starts_with(away)) return base::ErrorKind::kAway;
  }
  // A lock, a deadlock, a limit of time; short of memory or disk.
  for (const char* busy : {"55P03", "40", "57014", "53"}) {
    if (state.starts_with(busy)) return base::ErrorKind::kBusy;
  }
  for (const char* refused : {"28", "42501"}) {
    if (state.starts_with(refused)) return base::ErrorKind::kPermission;
  }
  return base::ErrorKind::kIo;
}

// libpq's messages have several lines, and one at the end that is empty.
std::string on_one_line(std::string_view text) {
  std::string out(text.substr(0, text.find_last_not_of(" \n\t") + 1));
  std::ranges::replace(out, '\n', ' ');
  return out;
}

// PostgreSQL takes no text that is not UTF-8, and none with a zero.
std::string sendable(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  std::string mended;
  std::string out(text::as_utf8(std::get<std::string_view>(value), mended));
  std::ranges::replace(out, '\0', ' ');
  return out;
}

void ignore_notice(void*, const char*) {}

}  // namespace

base::Result<PqConnection> PqConnection::open(const PqApi& api, const PqTarget& target,
                                              milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  std::string reasons;
  auto left = static_cast<int>(target.servers.size());
  for (const auto& server : target.servers) {
    const auto now = Clock::now();
    auto out = open_one(api, server, now + (deadline - now) / left--);
    if (out || target.servers.size() == 1) return out;
    reasons += (reasons.empty() ? "" : "; ") + out.error().message();
  }
  return base::fail(base::ErrorKind::kAway, reasons, target.name);
}

base::Result<PqConnection> PqConnection::open_one(const PqApi& api, const PqServer& server,
                                                  Clock::time_point deadline) {
  std::vector<const char*> keywords;
  std::vector<const char*> values;
  for (const auto& [keyword, value] : server.parameters) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  PGconn* connection = api.connect_start(keywords.data(), values.data(), 0);
  if (connection == nullptr) {
    return base::fail(base::ErrorKind::kAway, "there is no memory for a connection", server.name);
  }
  PqConnection out(api, connection, server.name);
  if (const auto done = out.finish_connecting(deadline); !done) return base::pass(done);
  api.set_notice_processor(connection, ignore_notice, nullptr);
  api.set_nonblocking(connection, 1);
  return out;
}

base::Result<void> PqConnection::finish_connecting(Clock::time_point deadline) {
  auto* connection = connection_.get();
  auto state = PGRES_POLLING_WRITING;
  while (api_->status(connection) != CONNECTION_BAD && state != PGRES_POLLING_FAILED &&
         state != PGRES_POLLING_OK) {
    if (!wait(state == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadline)) return lost(kNoAnswer);
    state = api_->connect_poll(connection);
  }
  if (api_->status(connection) == CONNECTION_OK) return {};
  return lost(on_one_line(api_->error_message(connection)));
}

// Returns whether the socket is ready before the deadline.
bool PqConnection::wait(short events, Clock::time_point deadline) const {
  for (;;) {
    int patience_ms = -1;
    if (deadline != Clock::time_point::max()) {
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
      patience_ms = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    pollfd one{.fd = api_->socket(connection_.get()), .events = events, .revents = 0};
    const int ready = ::poll(&one, 1, patience_ms);
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

base::Unexpected PqConnection::lost(const std::string& what) {
  is_lost_ = true;
  return base::fail(base::ErrorKind::kAway, what, name_);
}

std::string PqConnection::parameter(const char* name) const {
  const char* value = api_->parameter(connection_.get(), name);
  return value == nullptr ? "" : value;
}

// Sends all of a statement that libpq has taken.
base::Result<void> PqConnection::send(bool is_taken, Clock::time_point deadline) {
  auto* connection = connection_.get();
  if (!is_taken) return lost(on_one_line(api_->error_message(connection)));
  for (;;) {
    const int left = api_->flush(connection);
    if (left == 0) return {};
    if (left < 0) return lost(on_one_line(api_->error_message(connection)));
    if (!wait(POLLIN | POLLOUT, deadline)) return lost(kNoAnswer);
    // A server that does not read because it writes would wait for this.
    if (api_->consume_input(connection) == 0) {
      return lost(on_one_line(api_->error_message(connection)));
    }
  }
}

base::Result<PqResult> PqConnection::next_before(Clock::time_point deadline) {
  auto* connection = connection_.get();
  while (api_->is_busy(connection) != 0) {
    if (!wait(POLLIN, deadline)) return lost(kNoAnswer);
    if (api_->consume_input(connection) == 0) {
      return lost(on_one_line(api_->error_message(connection)));
    }
  }
  return PqResult(api_->get_result(connection), PqClearer{api_});
}

// All results are taken, for only then a further statement can be sent; the first failure counts.
base::Result<PqResult> PqConnection::last_before(Clock::time_point deadline) {
  PqResult out(nullptr, PqClearer{api_});
  base::Result<void> done;
  for (;;) {
    auto result = next_before(deadline);
    if (!result) return result;
    if (!*result) break;
    if (done) done = check(result->get());
    out = std::move(*result);
  }
  if (!done) return base::pass(done);
  if (!out) return lost("the server gave no result");
  return out;
}

base::Result<void> PqConnection::check(const PGresult* result) {
  switch (api_->result_status(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_SINGLE_TUPLE:
    case PGRES_EMPTY_QUERY:
      return {};
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
      is_lost_ = true;  // nothing else can be sent before all of that
      return base::fail(base::ErrorKind::kUsage, "COPY is not supported", name_);
    default:
      break;
  }
  const char* state = api_->error_field(result, PG_DIAG_SQLSTATE);
  const auto message = on_one_line(api_->result_error(result));
  // Without a code it is libpq's own failure: the connection broke.
  if (state == nullptr || is_lost()) return lost(message);
  const auto kind = kind_of(state);
  if (kind == base::ErrorKind::kAway) return lost(message);
  return base::fail(kind, message, name_);
}

base::Result<PqResult> PqConnection::run(const std::string& statements, milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  const bool is_taken = api_->send_query(connection_.get(), statements.c_str()) == 1;
  if (const auto sent = send(is_taken, deadline); !sent) return base::pass(sent);
  return last_before(deadline);
}

base::Result<PqResult> PqConnection::query(const std::string& statement,
                                           const std::vector<Value>& values,
                                           milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const auto& value : values) texts.push_back(sendable(value));
  std::vector<const char*> pointers;
  pointers.reserve(values.size());
  for (const auto& text : texts) pointers.push_back(text.c_str());
  const bool is_taken =
      api_->send_query_params(connection_.get(), statement.c_str(), static_cast<int>(texts.size()),
                              nullptr, pointers.data(), nullptr, nullptr, 0) == 1;
  if (const auto sent = send(is_taken, deadline); !sent) return base::pass(sent);
  return last_before(deadline);
}

base::Result<void> PqConnection::start(const std::string& statement) {
  const bool is_taken = api_->send_query_params(connection_.get(), statement.c_str(), 0, nullptr,
                                                nullptr, nullptr, nullptr, 0) == 1;
  if (const auto sent = send(is_taken, Clock::time_point::max()); !sent) return sent;
  api_->set_single_row_mode(connection_.get());
  return {};
}

base::Result<PqResult> PqConnection::next() {
  auto out = next_before(Clock::time_point::max());
  if (!out || !*out) return out;
  const auto done = check(out->get());
  if (done && api_->result_status(out->get()) == PGRES_SINGLE_TUPLE) return out;
  // The last one: libpq takes no further statement before it has said that there are no more.
  base::Result<PqResult> rest = PqResult(nullptr, PqClearer{api_});
  do {
    if (is_lost()) break;
    rest = next_before(Clock::time_point::max());
  } while (rest && *rest);
  if (!done) return base::pass(done);
  return out;
}

}  // namespace reveal::ledger
