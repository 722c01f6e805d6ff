#include "duck/query_result.h"

#include <utility>

#include <fmt/format.h>

#include "duck/row_chunk.h"

namespace reveal::duck {
namespace {

constexpr const char* kShown = "reveal_shown";

// Owns a result of the C API.
class OwnedResult {
 public:
  OwnedResult(const Api& api, DuckdbResult result) : api_(&api), result_(result) {}
  OwnedResult(OwnedResult&& other) noexcept
      : api_(other.api_), result_(std::exchange(other.result_, {})) {}
  OwnedResult& operator=(OwnedResult&&) = delete;
  OwnedResult(const OwnedResult&) = delete;
  OwnedResult& operator=(const OwnedResult&) = delete;
  ~OwnedResult() {
    if (result_.internal != nullptr) api_->destroy_result(&result_);
  }
  DuckdbResult& get() { return result_; }

 private:
  const Api* api_;
  DuckdbResult result_;
};

ResultKind kind_of(int type) {
  const bool plain_number = type >= kDuckdbTinyint && type <= kDuckdbDouble;
  if (plain_number || type == kDuckdbHugeint || type == kDuckdbUhugeint || type == kDuckdbDecimal) {
    return ResultKind::kNumber;
  }
  return type == kDuckdbBoolean ? ResultKind::kBoolean : ResultKind::kText;
}

std::vector<ResultColumn> columns_of(const Api& api, DuckdbResult& result) {
  std::vector<ResultColumn> out;
  if (api.result_return_type(result) != kDuckdbRows) return out;
  for (std::uint64_t i = 0; i < api.column_count(&result); ++i) {
    out.push_back({api.column_name(&result, i), kind_of(api.column_type(&result, i))});
  }
  return out;
}

base::Unexpected refused(const char* words) {
  return base::fail(base::ErrorKind::kIo, words == nullptr ? "DuckDB gives no reason" : words,
                    "the result as text");
}

// Makes the table that takes the result's values as text.
base::Result<void> make_shown(const Api& api, DuckdbConnection connection, std::size_t columns) {
  std::string sql = fmt::format("CREATE OR REPLACE TEMP TABLE {} (", kShown);
  for (std::size_t i = 0; i < columns; ++i) {
    sql += fmt::format("{}c{} VARCHAR", i == 0 ? "" : ", ", i);
  }
  OwnedResult made(api, {});
  if (api.query(connection, (sql + ")").c_str(), &made.get()) == kDuckdbSuccess) return {};
  return refused(api.result_error(&made.get()));
}

// Moves all chunks of `result` into that table, which casts them.
base::Result<void> fill_shown(const Api& api, DuckdbConnection connection, DuckdbResult& result) {
  DuckdbAppender appender = nullptr;
  int state = api.appender_create(connection, nullptr, kShown, &appender);
  while (state == kDuckdbSuccess) {
    DuckdbChunk chunk = api.fetch_chunk(result);
    if (chunk == nullptr) break;
    state = api.append_data_chunk(appender, chunk);
    api.destroy_data_chunk(&chunk);
  }
  if (state == kDuckdbSuccess) state = api.appender_close(appender);
  std::optional<base::Unexpected> failure;
  if (state != kDuckdbSuccess) failure = refused(api.appender_error(appender));
  api.appender_destroy(&appender);
  if (failure) return *failure;
  return {};
}

}  // namespace

struct QueryResult::State {
  const Api& api;
  std::vector<ResultColumn> columns;
  OwnedResult shown;
  DuckdbChunk chunk = nullptr;
  std::uint64_t row = 0;
  std::uint64_t rows = 0;  // of the chunk
  std::vector<ResultCell> cells;

  State(const Api& the_api, std::vector<ResultColumn> the_columns)
      : api(the_api), columns(std::move(the_columns)), shown(the_api, {}) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { drop_chunk(); }

  void drop_chunk() {
    if (chunk != nullptr) api.destroy_data_chunk(&chunk);
    chunk = nullptr;
  }
  bool next_chunk() {
    drop_chunk();
    if (columns.empty()) return false;
    chunk = api.fetch_chunk(shown.get());
    row = 0;
    rows = chunk == nullptr ? 0 : api.data_chunk_get_size(chunk);
    return rows > 0;
  }
  ResultCell cell(std::uint64_t column) const {
    const auto vector = api.data_chunk_get_vector(chunk, column);
    const std::uint64_t* validity = api.vector_get_validity(vector);
    if (validity != nullptr && (validity[row / 64] >> (row % 64) & 1) == 0) return std::nullopt;
    return text_of(static_cast<const DuckdbString*>(api.vector_get_data(vector))[row]);
  }
};

base::Result<QueryResult> QueryResult::take(const Api& api, DuckdbConnection connection,
                                            DuckdbResult result) {
  OwnedResult owned(api, result);
  auto state = std::make_unique<State>(api, columns_of(api, owned.get()));
  if (state->columns.empty()) return QueryResult(std::move(state));
  if (auto made = make_shown(api, connection, state->columns.size()); !made) {
    return base::pass(made);
  }
  if (auto filled = fill_shown(api, connection, owned.get()); !filled) {
    return base::pass(filled);
  }
  const std::string sql = fmt::format("SELECT * FROM {}", kShown);
  if (api.query(connection, sql.c_str(), &state->shown.get()) != kDuckdbSuccess) {
    return refused(api.result_error(&state->shown.get()));
  }
  return QueryResult(std::move(state));
}

QueryResult::QueryResult(std::unique_ptr<State> state) : state_(std::move(state)) {}
QueryResult::QueryResult(QueryResult&&) noexcept = default;
QueryResult& QueryResult::operator=(QueryResult&&) noexcept = default;
QueryResult::~QueryResult() = default;

const std::vector<ResultColumn>& QueryResult::columns() const {
  return state_->columns;
}

std::span<const ResultCell> QueryResult::next() {
  State& state = *state_;
  if (state.row == state.rows && !state.next_chunk()) return {};
  state.cells.clear();
  for (std::size_t i = 0; i < state.columns.size(); ++i) state.cells.push_back(state.cell(i));
  ++state.row;
  return state.cells;
}

}  // namespace reveal::duck
