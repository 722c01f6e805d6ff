#include "ledger/sqlite_database.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ledger/sqlite_answer.h"
#include "ledger/sqlite_library.h"

namespace reveal::ledger {
namespace {

// For another program that writes. Who waits reads no messages meanwhile.
constexpr int kPatience_ms = 500;

base::ErrorKind kind_of(int code) {
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return base::ErrorKind::kNoSpace;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return base::ErrorKind::kBusy;
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return base::ErrorKind::kPermission;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return base::ErrorKind::kCorrupt;
    default:
      return base::ErrorKind::kIo;
  }
}

}  // namespace

base::Result<std::unique_ptr<Database>> SqliteDatabase::open(const std::string& file,
                                                             Access access) {
  const auto api = load_sqlite();
  if (!api) return base::pass(api);
  sqlite3* connection = nullptr;
  const int flags =
      access == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = (*api)->open(file.c_str(), &connection, flags, nullptr);
  // There is a connection also after a failure, which has the reason.
  std::unique_ptr<SqliteDatabase> out(new SqliteDatabase(**api, connection, file));
  if (code != SQLITE_OK) return out->failure(code, "cannot be opened");
  (*api)->busy_timeout(connection, kPatience_ms);
  if (access == Access::kRead) return std::unique_ptr<Database>(std::move(out));
  // Readers and the writer do not wait for one another; a loss of power costs the last seconds,
  // which come again from the broker.
  const auto set = out->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (!set) return base::pass(set);
  return std::unique_ptr<Database>(std::move(out));
}

base::Unexpected SqliteDatabase::failure(int code, const std::string& what) const {
  return base::fail(kind_of(code), what + ": " + api_->error_message(connection_.get()), file_);
}

base::Result<void> SqliteDatabase::run(const std::string& statements) {
  const int code = api_->exec(connection_.get(), statements.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(code, "a statement failed");
  return {};
}

base::Result<void> SqliteDatabase::begin() {
  return run("BEGIN IMMEDIATE");
}

base::Result<void> SqliteDatabase::commit() {
  return run("COMMIT");
}

void SqliteDatabase::roll_back() {
  // It fails if the begin did, or SQLite has done it by itself.
  static_cast<void>(run("ROLLBACK"));
}

base::Result<sqlite3_stmt*> SqliteDatabase::prepared(const std::string& text) {
  const auto known = std::ranges::find(prepared_, text, &Prepared::text);
  if (known != prepared_.end()) return known->statement.get();
  sqlite3_stmt* statement = nullptr;
  const int code = api_->prepare(connection_.get(), text.c_str(), static_cast<int>(text.size()),
                                 &statement, nullptr);
  if (code != SQLITE_OK) return failure(code, "a statement cannot be prepared");
  prepared_.push_back({text, SqliteStatement(statement, SqliteFinalizer{api_})});
  return statement;
}

// SQLite numbers $1 and $2 by where they are first, so they are bound by their names.
void SqliteDatabase::bind(sqlite3_stmt* statement, const std::vector<Value>& values) const {
  int number = 0;
  for (const auto& value : values) {
    ++number;
    const int place = api_->parameter_place(statement, fmt::format("${}", number).c_str());
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      api_->bind_int64(statement, place, *integer);
    } else {
      const auto& bytes = std::get<std::string_view>(value);
      // The bytes live until the statement is reset. A null pointer would be NULL.
      const char* data = bytes.empty() ? "" : bytes.data();
      api_->bind_text(statement, place, data, bytes.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
  }
}

Row SqliteDatabase::row_of(sqlite3_stmt* statement, int columns) const {
  Row out;
  for (int i = 0; i < columns; ++i) {
    const auto* text = api_->column_text(statement, i);
    const auto size = static_cast<std::size_t>(api_->column_bytes(statement, i));
    out.emplace_back(text == nullptr ? "" : reinterpret_cast<const char*>(text), size);
  }
  return out;
}

base::Result<std::vector<Row>> SqliteDatabase::query(const std::string& text,
                                                     const std::vector<Value>& values) {
  const auto statement = prepared(text);
  if (!statement) return base::pass(statement);
  bind(*statement, values);
  std::vector<Row> out;
  int code = api_->step(*statement);
  for (; code == SQLITE_ROW; code = api_->step(*statement)) {
    out.push_back(row_of(*statement, api_->column_count(*statement)));
  }
  auto failed = code == SQLITE_DONE ? base::Result<void>() : failure(code, "a statement failed");
  api_->reset(*statement);
  if (!failed) return base::pass(failed);
  return out;
}

base::Result<std::unique_ptr<Answer>> SqliteDatabase::ask(const std::string& text) {
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  const int code =
      api_->prepare(connection_.get(), text.c_str(), static_cast<int>(text.size()), &made, &rest);
  SqliteStatement statement(made, SqliteFinalizer{api_});
  if (code != SQLITE_OK) return failure(code, "the statement is refused");
  if (!statement || (rest != nullptr && std::string_view(rest).find_first_not_of(" \t\r\n;") !=
                                            std::string_view::npos)) {
    return base::fail(base::ErrorKind::kUsage, "one statement is asked for", file_);
  }
  if (api_->is_reading(statement.get()) == 0) {
    return base::fail(base::ErrorKind::kUsage, "the statement would write; here it may only read",
                      file_);
  }
  std::unique_ptr<Answer> out = std::make_unique<SqliteAnswer>(
      *api_, std::move(statement),
      [this](int failed) { return failure(failed, "the statement failed"); });
  return out;
}

}  // namespace reveal::ledger
