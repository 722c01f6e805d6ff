#include "ledger/sqlite_answer.h"

namespace reveal::ledger {
namespace {

CellKind kind_of(int type) {
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT ? CellKind::kNumber : CellKind::kText;
}

}  // namespace

SqliteAnswer::SqliteAnswer(const SqliteApi& api, SqliteStatement statement, Failure failure)
    : api_(api), statement_(std::move(statement)), failure_(std::move(failure)) {
  const int count = api_.column_count(statement_.get());
  for (int i = 0; i < count; ++i) {
    const char* name = api_.column_name(statement_.get(), i);
    columns_.push_back({.name = name == nullptr ? "" : name});
  }
}

base::Result<std::span<const Cell>> SqliteAnswer::next() {
  cells_.clear();
  if (!statement_) return std::span<const Cell>();
  const int code = api_.step(statement_.get());
  if (code != SQLITE_ROW) {
    if (code != SQLITE_DONE) return failure_(code);
    statement_.reset();  // a further step would begin anew
    return std::span<const Cell>();
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const int column = static_cast<int>(i);
    const int type = api_.column_type(statement_.get(), column);
    if (type == SQLITE_NULL) {
      cells_.emplace_back();
      continue;
    }
    columns_[i].kind = kind_of(type);
    const auto* text = reinterpret_cast<const char*>(api_.column_text(statement_.get(), column));
    const auto size = static_cast<std::size_t>(api_.column_bytes(statement_.get(), column));
    cells_.emplace_back(text == nullptr ? std::string_view() : std::string_view(text, size));
  }
  return std::span<const Cell>(cells_);
}

}  // namespace reveal::ledger
