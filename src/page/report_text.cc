#include "page/report_text.h"

#include <algorithm>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

namespace reveal::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kAround_ns = 60'000'000'000;
constexpr std::int64_t kLongest_ns = 600'000'000'000;
constexpr std::size_t kMostEvidence = 12;
constexpr std::size_t kMostFindings = 200;  // there is no room for the details of more
constexpr std::int64_t kFarthest_ns = std::numeric_limits<std::int64_t>::max() / 4;

struct Finding {
  double severity = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::vector<std::string> channels;
};

std::int64_t moment(const Json& time) {
  return std::clamp(time.at("ns").get<std::int64_t>(), -kFarthest_ns, kFarthest_ns);
}

Finding finding_of(const Json& json) {
  Finding out;
  out.severity = json.value("severity", json.at("agreement").get<double>());  // older reports
  out.begin_ns = moment(json.at("begin"));
  out.end_ns = moment(json.at("end"));
  std::set<std::string> seen;
  // The claim's channel need not be among the first pieces of evidence.
  if (auto claimed = json.value("claim_channel", ""); !claimed.empty()) {
    seen.insert(claimed);
    out.channels.push_back(std::move(claimed));
  }
  const Json& evidence = json.at("evidence");
  for (std::size_t i = 0; i < std::min(evidence.size(), kMostEvidence); ++i) {
    auto channel = evidence.at(i).at("channel").get<std::string>();
    if (seen.insert(channel).second) out.channels.push_back(std::move(channel));
  }
  return out;
}

std::vector<DetailSpan> spans_around(std::vector<Finding> findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity > b.severity;
    return a.end_ns - a.begin_ns > b.end_ns - b.begin_ns;
  });
  if (findings.size() > kMostFindings) findings.resize(kMostFindings);
  std::vector<DetailSpan> out;
  for (const Finding& finding : findings) {
    const std::int64_t begin_ns = finding.begin_ns - kAround_ns;
    const std::int64_t end_ns = std::min(finding.end_ns + kAround_ns, begin_ns + kLongest_ns);
    for (const auto& channel : finding.channels) out.push_back({channel, begin_ns, end_ns});
  }
  return joined(out);
}

ReportText read(const Json& json) {
  ReportText out;
  out.host = json.at("host").at("name").get<std::string>();
  out.begin_ns = moment(json.at("run").at("begin"));
  out.interval_ns = json.at("run").at("interval_ns").get<std::int64_t>();
  std::vector<Finding> findings;
  for (const Json& finding : json.at("findings")) findings.push_back(finding_of(finding));
  out.evidence = spans_around(std::move(findings));
  out.compact = script_safe(json.dump());
  return out;
}

}  // namespace

base::Result<ReportText> read_report(std::string_view json, std::string_view where) {
  try {
    const Json parsed = Json::parse(json);
    if (parsed.at("schema") == "reveal.report") return read(parsed);
  } catch (const Json::exception&) {
    // Said below: what the parser says of it helps nobody.
  }
  return base::fail(base::ErrorKind::kCorrupt, "is no report of reveal", std::string(where),
                    "reveal analyze writes it anew from the recording");
}

std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto rest = json.substr(i);
    if (rest.front() == '<') {
      out += "\\u003c";
    } else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out.push_back(rest.front());
    }
  }
  return out;
}

}  // namespace reveal::page
