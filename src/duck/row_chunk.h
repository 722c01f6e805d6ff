// Rows on their way into DuckDB, a vector a column, at most some two thousand at a time.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "duck/api.h"

namespace reveal::duck {

enum class ColumnType : std::uint8_t { kBoolean, kInteger, kUnsigned, kDouble, kTime, kText };

// One column of a table as SQL sees it.
struct Column {
  std::string_view name;
  ColumnType type;
  std::string_view help;  // meaning and unit, no full stop
};

// Returns SQL's name of the type: "BOOLEAN", "BIGINT", "UBIGINT", "DOUBLE", "TIMESTAMP", "VARCHAR".
std::string_view sql_name(ColumnType type);

// Returns the C API's number of the type.
int duckdb_type(ColumnType type);

// Returns the text of one element of a vector, which owns it.
std::string_view text_of(const DuckdbString& value);

// Returns a new logical type, which the caller destroys.
DuckdbType make_logical_type(const Api& api, ColumnType type);

// A time, in ns since the epoch. SQL gets the whole microsecond before it, in UTC.
struct Time {
  std::int64_t wall_ns = 0;
};

class RowChunk {
 public:
  // Fills `chunk`, which must be empty: its i-th vector holds column wanted[i] of a table of
  // `columns` columns. Numbers beyond the table stand for nothing that anyone reads.
  RowChunk(const Api& api, DuckdbChunk chunk, std::span<const std::uint64_t> wanted,
           std::size_t columns);

  std::size_t room() const { return capacity_ - rows_; }
  std::size_t rows() const { return rows_; }

  // Adds a row of one value a column, in their order and of their types; std::nullopt, or an empty
  // optional, is NULL; bytes of a text that are no UTF-8 become U+FFFD. REQUIRES: room() > 0.
  // Columns that nobody reads cost next to nothing.
  template <typename... Values>
  void add(const Values&... values) {
    assert(sizeof...(Values) == targets_.size());
    begin_row();
    std::size_t column = 0;
    (set(column++, values), ...);
  }

  // The same for rows whose columns are known only at run time: begins a row, each column of which
  // must be set then.
  void begin_row() { ++rows_; }
  void set(std::size_t column, bool value) { put(column, value); }
  void set(std::size_t column, std::int64_t value) { put(column, value); }
  void set(std::size_t column, std::uint64_t value) { put(column, value); }
  void set(std::size_t column, double value) { put(column, value); }
  void set(std::size_t column, Time value);
  void set(std::size_t column, std::string_view value);
  void set(std::size_t column, const char* value) { set(column, std::string_view(value)); }
  void set(std::size_t column, std::nullopt_t) { set_null(column); }
  template <typename T>
  void set(std::size_t column, const std::optional<T>& value) {
    if (value) {
      set(column, *value);
    } else {
      set_null(column);
    }
  }
  void set_null(std::size_t column);

  // Hands the rows over.
  void finish();

 private:
  struct Target {
    DuckdbVector vector = nullptr;  // null: not read
    void* values = nullptr;
    std::uint64_t* validity = nullptr;  // made when a null needs it
  };

  template <typename T>
  void put(std::size_t column, T value) {
    if (void* values = targets_[column].values) static_cast<T*>(values)[rows_ - 1] = value;
  }

  const Api& api_;
  DuckdbChunk chunk_;
  std::size_t capacity_;
  std::size_t rows_ = 0;
  std::vector<Target> targets_;  // by column of the table
  std::string mended_;           // the latest text that was not UTF-8
};

}  // namespace reveal::duck
