#include "serve/findings_json.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "http/json_text.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::serve {
namespace {

using http::encoded;
using http::Json;
using http::one_line;
using http::Parameter;

base::Unexpected unreadable(const Parameter& parameter, const char* remedy) {
  return base::fail(base::ErrorKind::kUsage, "'" + parameter.value + "' is not what it may be",
                    parameter.name, remedy);
}

base::Result<void> read_open(const Parameter& parameter, FindingQuery& out) {
  if (parameter.value != "true" && parameter.value != "false") {
    return unreadable(parameter, "write true or false");
  }
  out.open = parameter.value == "true";
  return {};
}

base::Result<void> read_since(const Parameter& parameter, FindingQuery& out) {
  out.since_ns = text::parse_date(parameter.value);
  if (!out.since_ns) out.since_ns = text::parse_decimal_time(parameter.value, text::TimeUnit::kS);
  if (!out.since_ns || *out.since_ns < 0) {
    return unreadable(parameter, "write a date such as 2026-11-20T14:03:07Z, or seconds");
  }
  return {};
}

base::Result<void> read_before(const Parameter& parameter, FindingQuery& out) {
  const std::string_view value = parameter.value;
  const auto colon = value.find(':');
  const auto begin = text::parse_i64(value.substr(0, colon));
  if (colon == std::string_view::npos || !begin) {
    return unreadable(parameter, "take the address of `next` as it is");
  }
  out.before = FindingPlace{*begin, std::string(value.substr(colon + 1))};
  return {};
}

FindingPlace place_of(const Finding& finding) {
  return {finding.begin_wall_ns, finding.id};
}

bool is_asked_for(const Finding& finding, const FindingQuery& query) {
  if (query.open && finding.open != *query.open) return false;
  if (query.since_ns && !finding.open && finding.end_wall_ns < *query.since_ns) return false;
  return !query.before || place_of(finding) < *query.before;
}

std::string next_address(const FindingPlace& last, const FindingQuery& query) {
  auto out = fmt::format("/api/v1/findings?before={}",
                         encoded(fmt::format("{}:{}", last.begin_wall_ns, last.id)));
  if (query.open) out += *query.open ? "&open=true" : "&open=false";
  if (query.since_ns) {
    out += fmt::format("&since={}.{:09}", *query.since_ns / 1'000'000'000,
                       *query.since_ns % 1'000'000'000);
  }
  return out;
}

}  // namespace

base::Result<FindingQuery> parse_finding_query(std::span<const Parameter> parameters) {
  FindingQuery out;
  for (const auto& parameter : parameters) {
    base::Result<void> read;
    if (parameter.name == "open") {
      read = read_open(parameter, out);
    } else if (parameter.name == "since") {
      read = read_since(parameter, out);
    } else if (parameter.name == "before") {
      read = read_before(parameter, out);
    } else {
      read = base::fail(base::ErrorKind::kUsage, "there is no such parameter", parameter.name,
                        "known: open, since, before");
    }
    if (!read) return base::pass(read);
  }
  return out;
}

std::string finding_json(const Finding& finding) {
  auto out = one_line({{"id", finding.id}, {"open", finding.open}, {"revision", finding.revision}});
  // The rest is JSON already. Its members follow these.
  const auto json = text::trimmed(finding.json);
  const auto rest = json.size() < 2 ? "}" : text::trimmed(json.substr(1));
  out.back() = rest == "}" ? '}' : ',';
  if (rest != "}") out += rest;
  return out;
}

std::string findings_json(std::span<const Finding> findings, const FindingQuery& query) {
  std::vector<const Finding*> found;
  for (const auto& finding : findings) {
    if (is_asked_for(finding, query)) found.push_back(&finding);
  }
  std::sort(found.begin(), found.end(),
            [](const auto* a, const auto* b) { return place_of(*b) < place_of(*a); });
  std::string out = "{\"findings\":[";
  std::size_t told = 0;
  for (; told < found.size() && told < kMostFindings; ++told) {
    const auto json = finding_json(*found[told]);
    if (told > 0 && out.size() + json.size() > kMostFindingsBytes) break;
    if (told > 0) out += ',';
    out += json;
  }
  const Json next =
      told == found.size() ? Json() : Json(next_address(place_of(*found[told - 1]), query));
  return out + "],\"next\":" + one_line(next) + "}\n";
}

}  // namespace reveal::serve
