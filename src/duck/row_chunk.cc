#include "duck/row_chunk.h"

#include <array>

#include "text/utf8.h"

namespace reveal::duck {
namespace {

struct TypeRow {
  std::string_view sql_name;
  int duckdb_type;
};

// By ColumnType.
constexpr std::array<TypeRow, 6> kTypes{{{"BOOLEAN", kDuckdbBoolean},
                                         {"BIGINT", kDuckdbBigint},
                                         {"UBIGINT", kDuckdbUbigint},
                                         {"DOUBLE", kDuckdbDouble},
                                         {"TIMESTAMP", kDuckdbTimestamp},
                                         {"VARCHAR", kDuckdbVarchar}}};

constexpr std::int64_t kMicrosecond_ns = 1000;

const TypeRow& row_of(ColumnType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

}  // namespace

std::string_view sql_name(ColumnType type) {
  return row_of(type).sql_name;
}

int duckdb_type(ColumnType type) {
  return row_of(type).duckdb_type;
}

std::string_view text_of(const DuckdbString& value) {
  const std::uint32_t length = value.inlined.length;
  if (length <= sizeof(value.inlined.text)) return {value.inlined.text, length};
  return {value.pointer.text, length};
}

DuckdbType make_logical_type(const Api& api, ColumnType type) {
  return api.create_logical_type(row_of(type).duckdb_type);
}

RowChunk::RowChunk(const Api& api, DuckdbChunk chunk, std::span<const std::uint64_t> wanted,
                   std::size_t columns)
    : api_(api), chunk_(chunk), capacity_(api.vector_size()), targets_(columns) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] >= columns) continue;
    const auto vector = api.data_chunk_get_vector(chunk, i);
    targets_[wanted[i]] = {vector, api.vector_get_data(vector), nullptr};
  }
}

void RowChunk::set(std::size_t column, std::string_view value) {
  const Target& target = targets_[column];
  if (target.vector == nullptr) return;
  const auto text = text::as_utf8(value, mended_);
  api_.vector_assign_string_element_len(target.vector, rows_ - 1, text.data(), text.size());
}

void RowChunk::set(std::size_t column, Time value) {
  const bool rounds_up = value.wall_ns % kMicrosecond_ns < 0;
  put(column, value.wall_ns / kMicrosecond_ns - (rounds_up ? 1 : 0));
}

void RowChunk::set_null(std::size_t column) {
  Target& target = targets_[column];
  if (target.vector == nullptr) return;
  if (target.validity == nullptr) {
    api_.vector_ensure_validity_writable(target.vector);
    target.validity = api_.vector_get_validity(target.vector);
  }
  const std::size_t row = rows_ - 1;
  target.validity[row / 64] &= ~(std::uint64_t{1} << (row % 64));
}

void RowChunk::finish() {
  api_.data_chunk_set_size(chunk_, rows_);
}

}  // namespace reveal::duck
