// The used part of DuckDB's C API, declared here so that building needs no header of DuckDB.
// Layouts, numbers and names are those of duckdb.h 1.4, which 1.5 has kept;
// https://duckdb.org/docs/api/c.
#pragma once

#include <cstdint>

namespace reveal::duck {

// Opaque to us, as they are to every user of the C API.
using DuckdbDatabase = struct DuckdbDatabaseTag*;
using DuckdbConnection = struct DuckdbConnectionTag*;
using DuckdbConfig = struct DuckdbConfigTag*;
using DuckdbChunk = struct DuckdbChunkTag*;
using DuckdbVector = struct DuckdbVectorTag*;
using DuckdbType = struct DuckdbTypeTag*;
using DuckdbPrepared = struct DuckdbPreparedTag*;
using DuckdbAppender = struct DuckdbAppenderTag*;
using DuckdbTableFunction = struct DuckdbTableFunctionTag*;
using DuckdbBindInfo = struct DuckdbBindInfoTag*;
using DuckdbInitInfo = struct DuckdbInitInfoTag*;
using DuckdbFunctionInfo = struct DuckdbFunctionInfoTag*;

// duckdb_result: handed around by value.
struct DuckdbResult {
  std::uint64_t column_count = 0;
  std::uint64_t row_count = 0;
  std::uint64_t rows_changed = 0;
  void* columns = nullptr;
  char* error = nullptr;
  void* internal = nullptr;
};

// duckdb_string_t: a text of at most 12 bytes lies within, a longer one behind a pointer.
struct DuckdbString {
  struct Pointer {
    std::uint32_t length;
    char prefix[4];
    const char* text;
  };
  struct InlineText {
    std::uint32_t length;
    char text[12];
  };
  union {
    Pointer pointer;
    InlineText inlined;
  };
};
static_assert(sizeof(DuckdbString) == 16);

// duckdb_state
inline constexpr int kDuckdbSuccess = 0;

// duckdb_type, as far as this module tells types apart.
enum DuckdbTypeId : int {
  kDuckdbBoolean = 1,
  kDuckdbTinyint = 2,
  kDuckdbBigint = 5,
  kDuckdbUbigint = 9,
  kDuckdbDouble = 11,
  kDuckdbTimestamp = 12,
  kDuckdbHugeint = 16,
  kDuckdbVarchar = 17,
  kDuckdbDecimal = 19,
  kDuckdbUhugeint = 32,
};

// duckdb_result_type
inline constexpr int kDuckdbRows = 3;

// duckdb_error_type: mistakes in a statement, as opposed to what befalls its execution.
enum DuckdbErrorType : int {
  kDuckdbCatalogError = 13,
  kDuckdbParserError = 14,
  kDuckdbSyntaxError = 22,
  kDuckdbSettingsError = 23,
  kDuckdbBinderError = 24,
};

using DuckdbDelete = void (*)(void*);

struct Api {
  const char* (*library_version)();
  void (*free)(void*);

  int (*create_config)(DuckdbConfig*);
  int (*set_config)(DuckdbConfig, const char* name, const char* value);
  void (*destroy_config)(DuckdbConfig*);
  int (*open_ext)(const char* path, DuckdbDatabase*, DuckdbConfig, char** error);
  void (*close)(DuckdbDatabase*);
  int (*connect)(DuckdbDatabase, DuckdbConnection*);
  void (*disconnect)(DuckdbConnection*);

  int (*query)(DuckdbConnection, const char* sql, DuckdbResult*);
  void (*destroy_result)(DuckdbResult*);
  const char* (*result_error)(DuckdbResult*);
  int (*result_error_type)(DuckdbResult*);
  std::uint64_t (*column_count)(DuckdbResult*);
  const char* (*column_name)(DuckdbResult*, std::uint64_t column);
  int (*column_type)(DuckdbResult*, std::uint64_t column);
  int (*result_return_type)(DuckdbResult);
  DuckdbChunk (*fetch_chunk)(DuckdbResult);

  int (*prepare)(DuckdbConnection, const char* sql, DuckdbPrepared*);
  const char* (*prepare_error)(DuckdbPrepared);
  int (*execute_prepared_streaming)(DuckdbPrepared, DuckdbResult*);
  void (*destroy_prepare)(DuckdbPrepared*);

  DuckdbType (*create_logical_type)(int type_id);
  void (*destroy_logical_type)(DuckdbType*);

  DuckdbChunk (*create_data_chunk)(DuckdbType*, std::uint64_t columns);
  void (*destroy_data_chunk)(DuckdbChunk*);
  void (*data_chunk_reset)(DuckdbChunk);
  std::uint64_t (*data_chunk_get_size)(DuckdbChunk);
  void (*data_chunk_set_size)(DuckdbChunk, std::uint64_t);
  DuckdbVector (*data_chunk_get_vector)(DuckdbChunk, std::uint64_t column);
  std::uint64_t (*vector_size)();
  void* (*vector_get_data)(DuckdbVector);
  std::uint64_t* (*vector_get_validity)(DuckdbVector);
  void (*vector_ensure_validity_writable)(DuckdbVector);
  void (*vector_assign_string_element_len)(DuckdbVector, std::uint64_t row, const char*,
                                           std::uint64_t length);

  int (*appender_create)(DuckdbConnection, const char* schema, const char* table, DuckdbAppender*);
  int (*append_data_chunk)(DuckdbAppender, DuckdbChunk);
  const char* (*appender_error)(DuckdbAppender);
  int (*appender_close)(DuckdbAppender);
  int (*appender_destroy)(DuckdbAppender*);

  DuckdbTableFunction (*create_table_function)();
  void (*destroy_table_function)(DuckdbTableFunction*);
  void (*table_function_set_name)(DuckdbTableFunction, const char*);
  void (*table_function_set_extra_info)(DuckdbTableFunction, void*, DuckdbDelete);
  void (*table_function_set_bind)(DuckdbTableFunction, void (*)(DuckdbBindInfo));
  void (*table_function_set_init)(DuckdbTableFunction, void (*)(DuckdbInitInfo));
  void (*table_function_set_function)(DuckdbTableFunction,
                                      void (*)(DuckdbFunctionInfo, DuckdbChunk));
  void (*table_function_supports_projection_pushdown)(DuckdbTableFunction, bool);
  int (*register_table_function)(DuckdbConnection, DuckdbTableFunction);

  void* (*bind_get_extra_info)(DuckdbBindInfo);
  void (*bind_add_result_column)(DuckdbBindInfo, const char* name, DuckdbType);
  void* (*init_get_extra_info)(DuckdbInitInfo);
  std::uint64_t (*init_get_column_count)(DuckdbInitInfo);
  std::uint64_t (*init_get_column_index)(DuckdbInitInfo, std::uint64_t column);
  void (*init_set_init_data)(DuckdbInitInfo, void*, DuckdbDelete);
  void (*init_set_max_threads)(DuckdbInitInfo, std::uint64_t);
  void (*init_set_error)(DuckdbInitInfo, const char*);
  void* (*function_get_init_data)(DuckdbFunctionInfo);
  void (*function_set_error)(DuckdbFunctionInfo, const char*);
};

}  // namespace reveal::duck
