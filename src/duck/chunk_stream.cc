#include "duck/chunk_stream.h"

#include <utility>

namespace reveal::duck {
namespace {

struct ColumnView {
  const void* values = nullptr;
  const std::uint64_t* validity = nullptr;  // null: all valid
};

}  // namespace

struct ChunkStream::State {
  const Api& api;
  std::string where;
  DuckdbPrepared prepared = nullptr;
  DuckdbResult result;
  DuckdbChunk chunk = nullptr;
  std::vector<ColumnView> columns;
  std::uint64_t row = 0;
  std::uint64_t rows = 0;

  State(const Api& the_api, std::string the_where) : api(the_api), where(std::move(the_where)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (chunk != nullptr) api.destroy_data_chunk(&chunk);
    if (result.internal != nullptr) api.destroy_result(&result);
    if (prepared != nullptr) api.destroy_prepare(&prepared);
  }

  base::Unexpected broken(const char* words) const {
    return base::fail(base::ErrorKind::kCorrupt, words == nullptr ? "cannot be read" : words,
                      where);
  }
  void look_at_chunk() {
    columns.clear();
    for (std::uint64_t i = 0; i < api.column_count(&result); ++i) {
      const auto vector = api.data_chunk_get_vector(chunk, i);
      columns.push_back({api.vector_get_data(vector), api.vector_get_validity(vector)});
    }
  }
  // Returns whether there is one.
  base::Result<bool> next_chunk() {
    if (chunk != nullptr) api.destroy_data_chunk(&chunk);
    chunk = api.fetch_chunk(result);
    row = 0;
    rows = chunk == nullptr ? 0 : api.data_chunk_get_size(chunk);
    if (rows == 0) {
      const char* words = api.result_error(&result);
      if (words != nullptr && *words != '\0') return broken(words);
      return false;
    }
    look_at_chunk();
    return true;
  }
  template <typename T>
  T at(std::size_t column) const {
    return static_cast<const T*>(columns[column].values)[row];
  }
};

base::Result<ChunkStream> ChunkStream::begin(Session& session, const std::string& statement,
                                             std::string where) {
  const Api& api = session.api();
  auto state = std::make_unique<State>(api, std::move(where));
  if (api.prepare(session.connection(), statement.c_str(), &state->prepared) != kDuckdbSuccess) {
    return state->broken(api.prepare_error(state->prepared));
  }
  if (api.execute_prepared_streaming(state->prepared, &state->result) != kDuckdbSuccess) {
    return state->broken(api.result_error(&state->result));
  }
  return ChunkStream(std::move(state));
}

ChunkStream::ChunkStream(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChunkStream::ChunkStream(ChunkStream&&) noexcept = default;
ChunkStream& ChunkStream::operator=(ChunkStream&&) noexcept = default;
ChunkStream::~ChunkStream() = default;

std::size_t ChunkStream::column_count() const {
  return state_->api.column_count(&state_->result);
}

std::string ChunkStream::column_name(std::size_t column) const {
  return state_->api.column_name(&state_->result, column);
}

bool ChunkStream::has_type(std::size_t column, ColumnType type) const {
  return state_->api.column_type(&state_->result, column) == duckdb_type(type);
}

base::Result<bool> ChunkStream::next() {
  State& state = *state_;
  if (state.row + 1 < state.rows) {
    ++state.row;
    return true;
  }
  return state.next_chunk();
}

bool ChunkStream::is_null(std::size_t column) const {
  const auto* validity = state_->columns[column].validity;
  const std::uint64_t row = state_->row;
  return validity != nullptr && (validity[row / 64] >> (row % 64) & 1) == 0;
}

std::int64_t ChunkStream::integer(std::size_t column) const {
  return state_->at<std::int64_t>(column);
}

std::uint64_t ChunkStream::whole(std::size_t column) const {
  return state_->at<std::uint64_t>(column);
}

std::string_view ChunkStream::text(std::size_t column) const {
  return text_of(static_cast<const DuckdbString*>(state_->columns[column].values)[state_->row]);
}

}  // namespace reveal::duck
