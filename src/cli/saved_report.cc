#include "cli/saved_report.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace reveal::cli {
namespace {

using base::Result;
using nlohmann::json;

constexpr const char* kRemedy = "analyze the recording again, or give a report.json of Reveal";
constexpr std::int64_t kLatest_ns = std::int64_t{1} << 62;

bool has_moment(const json& finding, const char* key) {
  const auto time = finding.find(key);
  if (time == finding.end() || !time->is_object()) return false;
  const auto ns = time->find("ns");
  if (ns == time->end() || !ns->is_number_integer()) return false;
  const auto value = ns->get<std::int64_t>();
  return value >= -kLatest_ns && value <= kLatest_ns;
}

bool has_times(const json& finding) {
  return finding.is_object() && has_moment(finding, "begin") && has_moment(finding, "end") &&
         begin_of(finding) <= end_of(finding);
}

}  // namespace

base::Unexpected no_report(std::string what, const std::string& where) {
  return base::fail(base::ErrorKind::kCorrupt, std::move(what), where, kRemedy);
}

Result<json> parse_report(std::string_view text, const std::string& where) {
  json report = json::parse(text, nullptr, false);
  if (!report.is_object() || report.value("schema", json()) != "reveal.report") {
    return no_report("is not a report of Reveal", where);
  }
  const auto findings = report.find("findings");
  if (findings == report.end() || !findings->is_array()) {
    return no_report("has no list of findings", where);
  }
  if (!std::all_of(findings->begin(), findings->end(), has_times)) {
    return no_report("has a finding without its times", where);
  }
  return report;
}

std::int64_t begin_of(const json& finding) {
  return finding.at("begin").at("ns").get<std::int64_t>();
}

std::int64_t end_of(const json& finding) {
  return finding.at("end").at("ns").get<std::int64_t>();
}

}  // namespace reveal::cli
