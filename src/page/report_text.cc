#include "page/report_text.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "report/saved_report.h"

namespace reveal::page {
namespace {

using report::SavedFinding;

constexpr std::int64_t kAround_ns = 60'000'000'000;
constexpr std::int64_t kLongest_ns = 600'000'000'000;
constexpr std::size_t kMaxEvidence = 12;
constexpr std::size_t kMaxFindings = 200;  // there is no room for the raw spans of more

// By severity, what is not known last, then by votes, then by length.
auto gravity_of(const SavedFinding& finding) {
  return std::tuple(finding.severity.value_or(-1), finding.agreement,
                    finding.end_ns - finding.begin_ns);
}

// Returns the channels of a finding that are worth showing, each once.
std::vector<std::string> channels_of(const SavedFinding& finding) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  // The claim's channel need not be among the first pieces of evidence.
  if (!finding.claim_channel.empty()) {
    seen.insert(finding.claim_channel);
    out.push_back(finding.claim_channel);
  }
  for (std::size_t i = 0; i < std::min(finding.evidence.size(), kMaxEvidence); ++i) {
    const auto& channel = finding.evidence[i].channel;
    if (seen.insert(channel).second) out.push_back(channel);
  }
  return out;
}

std::vector<ChannelSpan> spans_around(std::vector<SavedFinding> findings) {
  std::stable_sort(
      findings.begin(), findings.end(),
      [](const SavedFinding& a, const SavedFinding& b) { return gravity_of(a) > gravity_of(b); });
  if (findings.size() > kMaxFindings) findings.resize(kMaxFindings);
  std::vector<ChannelSpan> out;
  for (const SavedFinding& finding : findings) {
    const std::int64_t begin_ns = finding.begin_ns - kAround_ns;
    const std::int64_t end_ns = std::min(finding.end_ns + kAround_ns, begin_ns + kLongest_ns);
    for (const auto& channel : channels_of(finding)) out.push_back({channel, begin_ns, end_ns});
  }
  return joined(out);
}

// Returns sound JSON without the spaces between its words.
std::string compact(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char letter = json[i];
    if (!quoted && std::string_view(" \t\r\n").find(letter) != std::string_view::npos) continue;
    out.push_back(letter);
    if (quoted && letter == '\\') out.push_back(json[++i]);
    if (letter == '"') quoted = !quoted;
  }
  return out;
}

// Returns how many bytes of a character that steers a terminal or the direction of writing a text
// begins with: U+0080 to U+009F, U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069; 0:
// none.
std::size_t steering_at(std::string_view text) {
  if (text.starts_with("\xD8\x9C")) return 2;
  if (text.size() >= 2 && text[0] == '\xC2' && static_cast<unsigned char>(text[1]) < 0xA0) return 2;
  if (text.size() < 3 || text[0] != '\xE2') return 0;
  const auto last = static_cast<unsigned char>(text[2]);
  const bool steers = text[1] == '\x80'
                          ? (last >= 0x8E && last <= 0x8F) || (last >= 0xAA && last <= 0xAE)
                          : text[1] == '\x81' && last >= 0xA6 && last <= 0xA9;
  return steers ? 3 : 0;
}

}  // namespace

base::Result<ReportText> read_report(std::string_view json, std::string_view where) {
  auto saved = report::parse_report(json, std::string(where));
  if (!saved) return base::pass(saved);
  return ReportText{saved->host, saved->begin_ns, saved->interval_ns, script_safe(compact(json)),
                    spans_around(std::move(saved->findings))};
}

std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto rest = json.substr(i);
    if (const std::size_t taken = steering_at(rest); taken > 0) {
      out += "\\ufffd";
      i += taken - 1;
    } else if (rest.front() == '<') {
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
