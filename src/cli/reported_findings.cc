#include "cli/reported_findings.h"

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/whole_file.h"

namespace reveal::cli {
namespace {

using base::Result;
using nlohmann::json;

constexpr const char* kRemedy = "analyze the recording again";

template <typename T>
std::optional<T> member(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if constexpr (std::is_same_v<T, std::string>) {
    if (!found->is_string()) return std::nullopt;
  } else {
    if (!found->is_number_integer()) return std::nullopt;
  }
  return found->get<T>();
}

std::optional<std::int64_t> moment(const json& finding, const char* key) {
  const auto time = finding.find(key);
  if (time == finding.end() || !time->is_object()) return std::nullopt;
  return member<std::int64_t>(*time, "ns");
}

std::optional<live::KnownFinding> finding_of(const json& finding) {
  if (!finding.is_object()) return std::nullopt;
  const auto claim = member<std::string>(finding, "claim");
  const auto word = member<std::string>(finding, "subsystem");
  const auto agreement = member<std::uint64_t>(finding, "agreement");
  const auto begin_ns = moment(finding, "begin");
  const auto end_ns = moment(finding, "end");
  if (!claim || !word || !agreement || !begin_ns || !end_ns) {
    return std::nullopt;
  }
  live::KnownFinding out{*claim, {}, *begin_ns, *end_ns, static_cast<std::size_t>(*agreement)};
  if (!model::from_string(*word, out.subsystem)) return std::nullopt;
  return out;
}

}  // namespace

Result<std::vector<live::KnownFinding>> parse_reported_findings(std::string_view text,
                                                                const std::string& where) {
  const auto bad = [&](const char* what) {
    return base::fail(base::ErrorKind::kCorrupt, what, where, kRemedy);
  };
  const json report = json::parse(text, nullptr, false);
  if (!report.is_object() || report.value("schema", json()) != "reveal.report") {
    return bad("is not a report of Reveal");
  }
  const auto findings = report.find("findings");
  if (findings == report.end() || !findings->is_array()) return bad("has no list of findings");
  std::vector<live::KnownFinding> out;
  for (const json& one : *findings) {
    auto finding = finding_of(one);
    if (!finding) return bad("has a finding that is not as docs/report.md says");
    out.push_back(std::move(*finding));
  }
  return out;
}

Result<std::vector<live::KnownFinding>> load_reported_findings(
    const std::filesystem::path& report) {
  const auto text = base::read_whole_file(report, "report");
  if (!text) return base::pass(text);
  return parse_reported_findings(*text, report.string());
}

}  // namespace reveal::cli
