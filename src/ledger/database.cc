#include "ledger/database.h"

#include <algorithm>
#include <utility>

#include "ledger/library.h"

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

base::Result<Database> Database::open(const std::filesystem::path& file) {
  return open_with(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

base::Result<Database> Database::open_reading(const std::filesystem::path& file) {
  return open_with(file, SQLITE_OPEN_READONLY);
}

base::Result<Database> Database::open_with(const std::filesystem::path& file, int flags) {
  const auto api = load_sqlite();
  if (!api) return base::pass(api);
  sqlite3* connection = nullptr;
  const int code = (*api)->open(file.c_str(), &connection, flags, nullptr);
  // There is a connection also after a failure, which has the reason.
  Database out(**api, connection, file.string());
  if (code != SQLITE_OK) return out.failure(code, "cannot be opened");
  (*api)->busy_timeout(connection, kPatience_ms);
  return out;
}

base::Unexpected Database::failure(int code, const std::string& what) const {
  return base::fail(kind_of(code), what + ": " + api_->error_message(connection_.get()), file_);
}

base::Result<void> Database::run(const std::string& statements) {
  const int code = api_->exec(connection_.get(), statements.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(code, "a statement failed");
  return {};
}

base::Result<sqlite3_stmt*> Database::prepared(const std::string& text) {
  const auto known = std::ranges::find(prepared_, text, &Prepared::text);
  if (known != prepared_.end()) return known->statement.get();
  sqlite3_stmt* statement = nullptr;
  const int code = api_->prepare(connection_.get(), text.c_str(), static_cast<int>(text.size()),
                                 &statement, nullptr);
  if (code != SQLITE_OK) return failure(code, "a statement cannot be prepared");
  prepared_.push_back({text, Statement(statement, Finalizer{api_})});
  return statement;
}

Row Database::row_of(sqlite3_stmt* statement, int columns) const {
  Row out;
  for (int i = 0; i < columns; ++i) {
    const auto* text = api_->column_text(statement, i);
    const auto size = static_cast<std::size_t>(api_->column_bytes(statement, i));
    out.emplace_back(text == nullptr ? "" : reinterpret_cast<const char*>(text), size);
  }
  return out;
}

base::Result<std::vector<Row>> Database::query(const std::string& text,
                                               const std::vector<Value>& values) {
  const auto statement = prepared(text);
  if (!statement) return base::pass(statement);
  int place = 0;
  for (const auto& value : values) {
    ++place;
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      api_->bind_int64(*statement, place, *number);
    } else {
      const auto& bytes = std::get<std::string_view>(value);
      // The bytes live until the statement is reset. A null pointer would be NULL.
      const char* data = bytes.empty() ? "" : bytes.data();
      api_->bind_text(*statement, place, data, bytes.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
  }
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

}  // namespace reveal::ledger
