// What of libpq, PostgreSQL's C library, is used, by the types of its header.
#pragma once

#include <libpq-fe.h>

namespace reveal::ledger {

struct PqApi {
  decltype(&::PQconninfoParse) parse_url = nullptr;
  decltype(&::PQconninfoFree) free_options = nullptr;
  decltype(&::PQconnectStartParams) connect_start = nullptr;
  decltype(&::PQconnectPoll) connect_poll = nullptr;
  decltype(&::PQfinish) finish = nullptr;
  decltype(&::PQstatus) status = nullptr;
  decltype(&::PQerrorMessage) error_message = nullptr;
  decltype(&::PQparameterStatus) parameter = nullptr;
  decltype(&::PQsocket) socket = nullptr;
  decltype(&::PQsetnonblocking) set_nonblocking = nullptr;
  decltype(&::PQsetNoticeProcessor) set_notice_processor = nullptr;
  decltype(&::PQsendQuery) send_query = nullptr;
  decltype(&::PQsendQueryParams) send_query_params = nullptr;
  decltype(&::PQsetSingleRowMode) set_single_row_mode = nullptr;
  decltype(&::PQflush) flush = nullptr;
  decltype(&::PQconsumeInput) consume_input = nullptr;
  decltype(&::PQisBusy) is_busy = nullptr;
  decltype(&::PQgetResult) get_result = nullptr;
  decltype(&::PQclear) clear = nullptr;
  decltype(&::PQresultStatus) result_status = nullptr;
  decltype(&::PQresultErrorField) error_field = nullptr;
  decltype(&::PQresultErrorMessage) result_error = nullptr;
  decltype(&::PQcmdStatus) command_tag = nullptr;
  decltype(&::PQntuples) row_count = nullptr;
  decltype(&::PQnfields) column_count = nullptr;
  decltype(&::PQfname) column_name = nullptr;
  decltype(&::PQftype) column_type = nullptr;
  decltype(&::PQgetisnull) is_null = nullptr;
  decltype(&::PQgetvalue) value = nullptr;
  decltype(&::PQgetlength) length = nullptr;
};

}  // namespace reveal::ledger
