// The result of a statement as text. DuckDB itself formats every value, so all types look as in its
// documentation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "duck/api.h"

namespace reveal::duck {

// How a value can be shown besides as text.
enum class ResultKind : std::uint8_t { kText, kNumber, kBoolean };

struct ResultColumn {
  std::string name;
  ResultKind kind = ResultKind::kText;
};

using ResultCell = std::optional<std::string_view>;  // nothing: NULL

class QueryResult {
 public:
  // Takes `result` over and has its values written out. `api` and `connection` must outlive this.
  static base::Result<QueryResult> take(const Api& api, DuckdbConnection connection,
                                        DuckdbResult result);
  QueryResult(QueryResult&&) noexcept;
  QueryResult& operator=(QueryResult&&) noexcept;
  ~QueryResult();

  // Empty if the statement gives no rows by its nature, such as CREATE VIEW.
  const std::vector<ResultColumn>& columns() const;
  // Returns the next row, a cell a column, valid until the next call; empty at the end.
  std::span<const ResultCell> next();

 private:
  struct State;
  explicit QueryResult(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace reveal::duck
