#include "ledger/pq_answer.h"

#include <utility>

namespace reveal::ledger {
namespace {

// By the numbers of types in PostgreSQL's pg_type.dat, which never change.
CellKind kind_of(Oid type) {
  switch (type) {
    case 16:  // bool
      return CellKind::kBoolean;
    case 20:    // int8
    case 21:    // int2
    case 23:    // int4
    case 26:    // oid
    case 700:   // float4
    case 701:   // float8
    case 1700:  // numeric
      return CellKind::kNumber;
    default:
      return CellKind::kText;
  }
}

}  // namespace

base::Result<std::unique_ptr<Answer>> PqAnswer::begin(const PqApi& api, PqConnection& connection,
                                                      const std::string& statement) {
  if (const auto sent = connection.start(statement); !sent) return base::pass(sent);
  auto first = connection.next();
  if (!first) return base::pass(first);
  return std::unique_ptr<Answer>(new PqAnswer(api, connection, std::move(*first)));
}

PqAnswer::PqAnswer(const PqApi& api, PqConnection& connection, PqResult first)
    : api_(api), connection_(connection), current_(std::move(first)) {
  if (!current_) return;
  const int count = api_.column_count(current_.get());
  for (int i = 0; i < count; ++i) {
    columns_.push_back(
        {api_.column_name(current_.get(), i), kind_of(api_.column_type(current_.get(), i))});
  }
}

base::Result<std::span<const Cell>> PqAnswer::next() {
  cells_.clear();
  if (current_ && !std::exchange(is_fresh_, false)) {
    auto result = connection_.next();
    if (!result) return base::pass(result);
    current_ = std::move(*result);
  }
  // The last result has no row: it says that there are no more.
  if (!current_ || api_.row_count(current_.get()) == 0) {
    current_.reset();
    return std::span<const Cell>();
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const int column = static_cast<int>(i);
    if (api_.is_null(current_.get(), 0, column) != 0) {
      cells_.emplace_back();
      continue;
    }
    const std::string_view text(api_.value(current_.get(), 0, column),
                                static_cast<std::size_t>(api_.length(current_.get(), 0, column)));
    const bool is_boolean = columns_[i].kind == CellKind::kBoolean;
    cells_.emplace_back(is_boolean ? (text == "t" ? "true" : "false") : text);
  }
  return std::span<const Cell>(cells_);
}

}  // namespace reveal::ledger
