#include "duck/library.h"

#include <cstdlib>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/function_binder.h"

namespace reveal::duck {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libduckdb.so";
// Empty: the registry has none for this processor.
#if defined(__aarch64__)
constexpr const char* kPackage = "@duckdb/node-bindings-linux-arm64";
constexpr const char* kPackageVersion = "1.5.5-r.5";
#elif defined(__x86_64__)
constexpr const char* kPackage = "@duckdb/node-bindings-linux-x64";
constexpr const char* kPackageVersion = "1.5.6-r.1";
#else
constexpr const char* kPackage = "";
constexpr const char* kPackageVersion = "";
#endif

void bind_databases(base::FunctionBinder& bind, Api& api) {
  bind(api.library_version, "duckdb_library_version");
  bind(api.free, "duckdb_free");
  bind(api.create_config, "duckdb_create_config");
  bind(api.set_config, "duckdb_set_config");
  bind(api.destroy_config, "duckdb_destroy_config");
  bind(api.open_ext, "duckdb_open_ext");
  bind(api.close, "duckdb_close");
  bind(api.connect, "duckdb_connect");
  bind(api.disconnect, "duckdb_disconnect");
}

void bind_queries(base::FunctionBinder& bind, Api& api) {
  bind(api.query, "duckdb_query");
  bind(api.destroy_result, "duckdb_destroy_result");
  bind(api.result_error, "duckdb_result_error");
  bind(api.result_error_type, "duckdb_result_error_type");
  bind(api.column_count, "duckdb_column_count");
  bind(api.column_name, "duckdb_column_name");
  bind(api.column_type, "duckdb_column_type");
  bind(api.result_return_type, "duckdb_result_return_type");
  bind(api.fetch_chunk, "duckdb_fetch_chunk");
  bind(api.prepare, "duckdb_prepare");
  bind(api.prepare_error, "duckdb_prepare_error");
  bind(api.execute_prepared_streaming, "duckdb_execute_prepared_streaming");
  bind(api.destroy_prepare, "duckdb_destroy_prepare");
}

void bind_chunks(base::FunctionBinder& bind, Api& api) {
  bind(api.create_logical_type, "duckdb_create_logical_type");
  bind(api.destroy_logical_type, "duckdb_destroy_logical_type");
  bind(api.create_data_chunk, "duckdb_create_data_chunk");
  bind(api.destroy_data_chunk, "duckdb_destroy_data_chunk");
  bind(api.data_chunk_reset, "duckdb_data_chunk_reset");
  bind(api.data_chunk_get_size, "duckdb_data_chunk_get_size");
  bind(api.data_chunk_set_size, "duckdb_data_chunk_set_size");
  bind(api.data_chunk_get_vector, "duckdb_data_chunk_get_vector");
  bind(api.vector_size, "duckdb_vector_size");
  bind(api.vector_get_data, "duckdb_vector_get_data");
  bind(api.vector_get_validity, "duckdb_vector_get_validity");
  bind(api.vector_ensure_validity_writable, "duckdb_vector_ensure_validity_writable");
  bind(api.vector_assign_string_element_len, "duckdb_vector_assign_string_element_len");
}

void bind_appenders(base::FunctionBinder& bind, Api& api) {
  bind(api.appender_create, "duckdb_appender_create");
  bind(api.append_data_chunk, "duckdb_append_data_chunk");
  bind(api.appender_error, "duckdb_appender_error");
  bind(api.appender_close, "duckdb_appender_close");
  bind(api.appender_destroy, "duckdb_appender_destroy");
}

void bind_table_functions(base::FunctionBinder& bind, Api& api) {
  bind(api.create_table_function, "duckdb_create_table_function");
  bind(api.destroy_table_function, "duckdb_destroy_table_function");
  bind(api.table_function_set_name, "duckdb_table_function_set_name");
  bind(api.table_function_set_extra_info, "duckdb_table_function_set_extra_info");
  bind(api.table_function_set_bind, "duckdb_table_function_set_bind");
  bind(api.table_function_set_init, "duckdb_table_function_set_init");
  bind(api.table_function_set_function, "duckdb_table_function_set_function");
  bind(api.table_function_supports_projection_pushdown,
       "duckdb_table_function_supports_projection_pushdown");
  bind(api.register_table_function, "duckdb_register_table_function");
}

void bind_callbacks(base::FunctionBinder& bind, Api& api) {
  bind(api.bind_get_extra_info, "duckdb_bind_get_extra_info");
  bind(api.bind_add_result_column, "duckdb_bind_add_result_column");
  bind(api.init_get_extra_info, "duckdb_init_get_extra_info");
  bind(api.init_get_column_count, "duckdb_init_get_column_count");
  bind(api.init_get_column_index, "duckdb_init_get_column_index");
  bind(api.init_set_init_data, "duckdb_init_set_init_data");
  bind(api.init_set_max_threads, "duckdb_init_set_max_threads");
  bind(api.init_set_error, "duckdb_init_set_error");
  bind(api.function_get_init_data, "duckdb_function_get_init_data");
  bind(api.function_set_error, "duckdb_function_set_error");
}

base::Unexpected absent(std::string what) {
  return base::fail(base::ErrorKind::kAbsent, std::move(what), "DuckDB", install_duckdb_command());
}

// Returns the folder of the running program; empty if the kernel does not tell.
fs::path program_folder() {
  std::error_code failed;
  const auto program = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : program.parent_path();
}

base::Result<void*> open_library() {
  if (const char* named = std::getenv("REVEAL_DUCKDB_LIB"); named != nullptr && *named != '\0') {
    if (void* handle = ::dlopen(named, RTLD_NOW | RTLD_LOCAL)) return handle;
    return absent(fmt::format("cannot be loaded, and REVEAL_DUCKDB_LIB names it: {}", ::dlerror()));
  }
  std::string damaged;
  for (const auto& place : Library::places()) {
    if (void* handle = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    std::error_code ignored;
    if (damaged.empty() && fs::exists(place, ignored)) damaged = ::dlerror();
  }
  if (!damaged.empty()) return absent("cannot be loaded: " + damaged);
  return absent("is not installed, and SQL and Parquet need it; to install it for this user");
}

}  // namespace

std::string install_duckdb_command() {
  if (*kPackage == '\0') return "build libduckdb.so from DuckDB's source into ~/.local/lib/reveal";
  return fmt::format("npm install --prefix ~/.local/lib/reveal {}@{}", kPackage, kPackageVersion);
}

std::vector<fs::path> Library::places() {
  std::vector<fs::path> out;
  if (const auto folder = program_folder(); !folder.empty()) {
    out.push_back(folder / kFile);
    out.push_back(folder / "../lib/reveal" / kFile);
    out.push_back(folder / "../deps/duckdb" / kFile);  // where `make test` puts it
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    const fs::path own = fs::path(home) / ".local/lib/reveal";
    out.push_back(own / kFile);
    out.push_back(own / "node_modules" / kPackage / kFile);
  }
  for (const char* folder : {"/usr/local/lib/reveal", "/usr/local/lib", "/usr/lib/reveal"}) {
    out.push_back(fs::path(folder) / kFile);
  }
  out.emplace_back(kFile);  // the dynamic linker's own path
  return out;
}

base::Result<Library> Library::load() {
  const auto library = open_library();
  if (!library) return base::pass(library);
  auto api = std::make_shared<Api>();
  base::FunctionBinder bind(*library);
  bind_databases(bind, *api);
  bind_queries(bind, *api);
  bind_chunks(bind, *api);
  bind_appenders(bind, *api);
  bind_table_functions(bind, *api);
  bind_callbacks(bind, *api);
  if (bind.missing() == nullptr) return Library(std::move(api));
  return absent(fmt::format("is there, but too old or too new: it has no {}", bind.missing()));
}

}  // namespace reveal::duck
