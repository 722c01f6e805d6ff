#include "study/result_json.h"

#include <cmath>

#include "report/json_parts.h"

namespace reveal::study {
namespace {

using report::Json;

struct CellJson {
  Json operator()(double value) const { return std::isfinite(value) ? Json(value) : Json(nullptr); }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const Amount& amount) const { return operator()(amount.value); }
};

Json rows(const Table& table) {
  Json out = Json::array();
  for (const auto& cells : table.rows) {
    Json row = Json::object();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      row[std::string(table.columns[i].name)] = std::visit(CellJson{}, cells[i]);
    }
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

std::string to_json(const Result& result) {
  Json runs = Json::array();
  for (const auto& run : result.runs) {
    runs.push_back({{"recording", run.directory},
                    {"host", run.host},
                    {"begin", report::time(run.begin_ns)},
                    {"end", report::time(run.end_ns)}});
  }
  Json tables = Json::object();
  for (const auto& table : result.tables) tables[std::string(table.name)] = rows(table);
  const Json out{{"schema", "reveal.study"},    {"version", kStudyVersion},
                 {"study", result.study},       {"runs", std::move(runs)},
                 {"tables", std::move(tables)}, {"notes", result.notes}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reveal::study
