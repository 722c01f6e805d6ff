#include "catalog/catalog_json.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace reveal::catalog {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Json values_of(const MetricValues& metric) {
  auto out = Json::object();
  for (const auto& [instance, value] : metric.channels) {
    out[instance] = std::isfinite(value) ? Json(value) : Json();
  }
  return out;
}

Json object_of(const Row& row, const CurrentValues* values) {
  Json out = {{"name", row.metric.name},
              {"unit", row.metric.unit},
              {"kind", model::to_string(row.metric.kind)},
              {"subsystem", model::to_string(row.metric.subsystem)},
              {"scope", model::to_string(row.metric.scope)},
              {"collector", row.collector},
              {"source", row.metric.source},
              {"alias", row.metric.alias},
              {"help", row.metric.help},
              {"documentation", row.metric.doc_url},
              {"available", row.available()},
              {"instances", row.instances}};
  if (!row.available()) {
    out["reason"] = row.reason;
    out["remedy"] = row.remedy;
  }
  if (values == nullptr) return out;
  if (const auto found = values->find(row.metric.name); found != values->end()) {
    out["value_unit"] = found->second.unit;
    out["values"] = values_of(found->second);
  }
  return out;
}

}  // namespace

std::string metrics_json(const std::vector<Row>& rows, const CurrentValues* values) {
  auto out = Json::array();
  for (const auto& row : rows) out.push_back(object_of(row, values));
  return text_of(out);
}

std::string remedies_json(const std::vector<Row>& rows) {
  auto list = Json::array();
  for (const auto& remedy : remedies(rows)) {
    auto names = Json::array();
    for (const Row* row : remedy.rows) names.push_back(row->metric.name);
    list.push_back({{"change", remedy.change}, {"reasons", remedy.reasons}, {"metrics", names}});
  }
  const auto available = std::ranges::count_if(rows, &Row::available);
  return text_of({{"metrics", rows.size()}, {"available", available}, {"remedies", list}});
}

}  // namespace reveal::catalog
