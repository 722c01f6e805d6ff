#include "fleet_site/incidents_json.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "http/json_text.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::fleet_site {
namespace {

using http::encoded;
using http::Parameter;

base::Unexpected unreadable(const Parameter& parameter, const char* remedy) {
  return base::fail(base::ErrorKind::kUsage, "'" + parameter.value + "' is not what it may be",
                    parameter.name, remedy);
}

base::Result<void> read_open(const Parameter& parameter, IncidentQuery& out) {
  if (parameter.value != "true" && parameter.value != "false") {
    return unreadable(parameter, "write true or false");
  }
  out.open = parameter.value == "true";
  return {};
}

base::Result<void> read_since(const Parameter& parameter, IncidentQuery& out) {
  out.since_ns = text::parse_date(parameter.value);
  if (!out.since_ns) out.since_ns = text::parse_decimal_time(parameter.value, text::TimeUnit::kS);
  if (!out.since_ns || *out.since_ns < 0) {
    return unreadable(parameter, "write a date such as 2026-11-20T14:03:07Z, or seconds");
  }
  return {};
}

base::Result<void> read_before(const Parameter& parameter, IncidentQuery& out) {
  const std::string_view value = parameter.value;
  const auto colon = value.find(':');
  const auto onset = text::parse_i64(value.substr(0, colon));
  if (colon == std::string_view::npos || !onset) {
    return unreadable(parameter, "take the address of `next` as it is");
  }
  out.before = IncidentPlace{*onset, std::string(value.substr(colon + 1))};
  return {};
}

base::Result<void> read_limit(const Parameter& parameter, IncidentQuery& out) {
  const auto limit = text::parse_u64(parameter.value);
  if (!limit || *limit == 0 || *limit > kMostIncidents) {
    return unreadable(parameter, "write a number from 1 to 1000");
  }
  out.limit = static_cast<std::size_t>(*limit);
  return {};
}

base::Result<void> read_one(const Parameter& parameter, IncidentQuery& out) {
  if (parameter.name == "open") return read_open(parameter, out);
  if (parameter.name == "since") return read_since(parameter, out);
  if (parameter.name == "before") return read_before(parameter, out);
  if (parameter.name == "limit") return read_limit(parameter, out);
  if (parameter.name == "group") {
    out.group = parameter.value;
  } else if (parameter.name == "host") {
    out.host = parameter.value;
  } else {
    return base::fail(base::ErrorKind::kUsage, "there is no such parameter", parameter.name,
                      "known: open, group, host, since, before, limit");
  }
  return {};
}

// The address of what comes after an incident.
std::string next_of(const ShownIncident& last, const IncidentQuery& query) {
  auto out = fmt::format("/api/v1/incidents?before={}&limit={}",
                         encoded(fmt::format("{}:{}", last.onset_ns, last.id)), query.limit);
  if (query.open) out += *query.open ? "&open=true" : "&open=false";
  if (!query.group.empty()) out += "&group=" + encoded(query.group);
  if (!query.host.empty()) out += "&host=" + encoded(query.host);
  if (query.since_ns) {
    // Whole seconds and nine digits: no double is exact enough.
    out += fmt::format("&since={}.{:09}", *query.since_ns / 1'000'000'000,
                       *query.since_ns % 1'000'000'000);
  }
  return out;
}

bool is_better(const ShownIncident& one, const ShownIncident& other) {
  if (one.revision != other.revision) return one.revision > other.revision;
  return !one.is_open && other.is_open;
}

}  // namespace

base::Result<IncidentQuery> parse_incident_query(std::span<const Parameter> parameters) {
  IncidentQuery out;
  for (const auto& parameter : parameters) {
    if (const auto read = read_one(parameter, out); !read) return base::pass(read);
  }
  return out;
}

bool is_asked_for(const ShownIncident& incident, const IncidentQuery& query) {
  if (query.open && incident.is_open != *query.open) return false;
  if (!query.group.empty() && incident.group != query.group) return false;
  if (!query.host.empty() &&
      std::ranges::find(incident.hosts, query.host) == incident.hosts.end()) {
    return false;
  }
  if (query.since_ns && !incident.is_open && incident.end_ns < *query.since_ns) return false;
  return !query.before || place_of(incident) < *query.before;
}

ShownList chosen(const ShownList& of_run, const ShownList& of_database,
                 const IncidentQuery& query) {
  std::map<std::string_view, std::shared_ptr<const ShownIncident>> all;
  for (const auto* list : {&of_database, &of_run}) {
    for (const auto& one : *list) {
      auto& known = all[one->id];
      if (!known || is_better(*one, *known)) known = one;
    }
  }
  ShownList out;
  for (const auto& [id, one] : all) {
    if (is_asked_for(*one, query)) out.push_back(one);
  }
  std::ranges::sort(out, std::greater(), [](const auto& one) { return place_of(*one); });
  return out;
}

std::string incidents_json(const ShownList& chosen, const IncidentQuery& query) {
  std::string out = "{\"incidents\":[";
  const ShownIncident* last = nullptr;
  std::size_t count = 0;
  for (const auto& one : chosen) {
    const bool is_full =
        count == query.limit || (count > 0 && out.size() + one->json.size() > kMostIncidentsBytes);
    if (is_full) break;
    if (count++ > 0) out += ',';
    out += one->json;
    last = one.get();
  }
  const bool has_more = last != nullptr && count < chosen.size();
  out += fmt::format("],\"next\":{}}}\n",
                     has_more ? http::one_line(http::Json(next_of(*last, query))) : "null");
  return out;
}

}  // namespace reveal::fleet_site
