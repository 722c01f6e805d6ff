#include "duck/table.h"

#include <string>
#include <utility>
#include <vector>

namespace reveal::duck {
namespace {

// What the callbacks find as the function's extra info.
struct Registered {
  Table table;
  std::shared_ptr<ErrorKeeper> errors;
};

// One reading of the table by one statement.
struct Scan {
  const Registered& registered;
  std::unique_ptr<RowSource> rows;
  std::vector<std::uint64_t> wanted;  // columns, in the order of the output's vectors
};

template <typename T>
void destroy(void* object) {
  delete static_cast<T*>(object);
}

// The callbacks get nothing but handles, and need the functions to ask those for what they are
// about. A process has one DuckDB, the one of the first table.
const Api& callback_api(const std::optional<Api>& first = std::nullopt) {
  static const std::optional<Api> api = first;
  return api.value();
}

void bind_columns(DuckdbBindInfo info) {
  const Api& api = callback_api();
  const auto& registered = *static_cast<const Registered*>(api.bind_get_extra_info(info));
  for (const Column& column : registered.table.columns) {
    DuckdbType type = make_logical_type(api, column.type);
    api.bind_add_result_column(info, std::string(column.name).c_str(), type);
    api.destroy_logical_type(&type);
  }
}

void begin_scan(DuckdbInitInfo info) {
  const Api& api = callback_api();
  const auto& registered = *static_cast<const Registered*>(api.init_get_extra_info(info));
  auto rows = registered.table.open();
  if (!rows) {
    registered.errors->keep(rows.error());
    api.init_set_error(info, rows.error().message().c_str());
    return;
  }
  auto scan = std::make_unique<Scan>(Scan{registered, std::move(*rows), {}});
  const std::uint64_t wanted = api.init_get_column_count(info);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    scan->wanted.push_back(api.init_get_column_index(info, i));
  }
  api.init_set_max_threads(info, 1);
  api.init_set_init_data(info, scan.release(), destroy<Scan>);
}

void fill_chunk(DuckdbFunctionInfo info, DuckdbChunk output) {
  const Api& api = callback_api();
  auto& scan = *static_cast<Scan*>(api.function_get_init_data(info));
  RowChunk chunk(api, output, scan.wanted, scan.registered.table.columns.size());
  if (const auto filled = scan.rows->fill(chunk); !filled) {
    scan.registered.errors->keep(filled.error());
    api.function_set_error(info, filled.error().message().c_str());
    return;
  }
  chunk.finish();
}

}  // namespace

void ErrorKeeper::keep(const base::Error& error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = error;
}

std::optional<base::Error> ErrorKeeper::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(error_, std::nullopt);
}

base::Result<void> register_table(const Api& api, DuckdbConnection connection, const Table& table,
                                  std::shared_ptr<ErrorKeeper> errors) {
  callback_api(api);
  auto function = api.create_table_function();
  api.table_function_set_name(function, ("reveal_" + std::string(table.name)).c_str());
  auto registered = std::make_unique<Registered>(Registered{table, std::move(errors)});
  api.table_function_set_extra_info(function, registered.release(), destroy<Registered>);
  api.table_function_set_bind(function, bind_columns);
  api.table_function_set_init(function, begin_scan);
  api.table_function_set_function(function, fill_chunk);
  api.table_function_supports_projection_pushdown(function, true);
  const int state = api.register_table_function(connection, function);
  api.destroy_table_function(&function);
  if (state == kDuckdbSuccess) return {};
  return base::fail(base::ErrorKind::kIo, "DuckDB refuses the table", std::string(table.name));
}

}  // namespace reveal::duck
