#include "ledger/pq_library.h"

#include <string>
#include <utility>

#include <dlfcn.h>

#include "base/function_binder.h"

namespace reveal::ledger {
namespace {

constexpr const char* kFile = "libpq.so.5";
constexpr const char* kInstall = "apt-get install libpq5";

base::Unexpected absent(std::string what) {
  return base::fail(base::ErrorKind::kAbsent, std::move(what), "PostgreSQL", kInstall);
}

void bind_connection(base::FunctionBinder& bind, PqApi& api) {
  bind(api.parse_url, "PQconninfoParse");
  bind(api.free_options, "PQconninfoFree");
  bind(api.connect_start, "PQconnectStartParams");
  bind(api.connect_poll, "PQconnectPoll");
  bind(api.finish, "PQfinish");
  bind(api.status, "PQstatus");
  bind(api.error_message, "PQerrorMessage");
  bind(api.parameter, "PQparameterStatus");
  bind(api.socket, "PQsocket");
  bind(api.set_nonblocking, "PQsetnonblocking");
  bind(api.set_notice_processor, "PQsetNoticeProcessor");
  bind(api.send_query, "PQsendQuery");
  bind(api.send_query_params, "PQsendQueryParams");
  bind(api.set_single_row_mode, "PQsetSingleRowMode");
  bind(api.flush, "PQflush");
  bind(api.consume_input, "PQconsumeInput");
  bind(api.is_busy, "PQisBusy");
}

void bind_results(base::FunctionBinder& bind, PqApi& api) {
  bind(api.get_result, "PQgetResult");
  bind(api.clear, "PQclear");
  bind(api.result_status, "PQresultStatus");
  bind(api.error_field, "PQresultErrorField");
  bind(api.result_error, "PQresultErrorMessage");
  bind(api.command_tag, "PQcmdStatus");
  bind(api.row_count, "PQntuples");
  bind(api.column_count, "PQnfields");
  bind(api.column_name, "PQfname");
  bind(api.column_type, "PQftype");
  bind(api.is_null, "PQgetisnull");
  bind(api.value, "PQgetvalue");
  bind(api.length, "PQgetlength");
}

base::Result<PqApi> load_anew() {
  void* library = base::open_library("REVEAL_PQ_LIB", kFile);
  if (library == nullptr) {
    return absent(std::string("its library libpq cannot be loaded: ") + ::dlerror());
  }
  PqApi api;
  base::FunctionBinder bind(library);
  bind_connection(bind, api);
  bind_results(bind, api);
  if (bind.missing() == nullptr) return api;
  return absent(std::string("its library is there, but has no ") + bind.missing());
}

}  // namespace

base::Result<const PqApi*> load_pq() {
  static const auto kLoaded = load_anew();
  if (!kLoaded) return base::pass(kLoaded);
  return &*kLoaded;
}

}  // namespace reveal::ledger
