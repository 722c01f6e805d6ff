#include "agent/finding_file.h"

#include <algorithm>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agent/checked_json.h"
#include "agent/finding_id.h"
#include "attribute/patterns.h"
#include "base/new_file.h"
#include "base/whole_file.h"
#include "text/time_text.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::Result;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kDay_ns = 86'400'000'000'000;
constexpr std::int64_t kMaxDays = 366;
constexpr int kSchemaVersion = 1;

// Returns "2026/11/26".
fs::path day_of(std::int64_t wall_ns) {
  const auto date = text::iso_time(wall_ns);
  return fs::path(date.substr(0, 4)) / date.substr(5, 2) / date.substr(8, 2);
}

// What the agent adds to the fields of a finding; none of these has such a name.
Json added(const LoggedFinding& finding) {
  return {{"schema", "reveal.finding"},
          {"schema_version", kSchemaVersion},
          {"id", finding.id},
          {"revision", finding.revision},
          {"open", finding.open},
          {"host", finding.host},
          {"begin_ns", finding.begin_ns},
          {"end_ns", finding.end_ns},
          {"windows_begin_ns", finding.windows_begin_ns},
          {"windows_end_ns", finding.windows_end_ns},
          {"sentences", finding.sentences}};
}

bool advises(const Json& pattern) {
  const auto against = pattern.find("against");
  return attribute::gives_advice(pattern.value("beside", false),
                                 against != pattern.end() && !against->empty());
}

// Throws what nlohmann does, if a member is absent or has another type.
LoggedFinding read(const Json& in) {
  LoggedFinding out;
  out.id = in.at("id").get<std::string>();
  out.revision = in.at("revision").get<std::uint64_t>();
  out.open = in.at("open").get<bool>();
  out.host = in.at("host").get<std::string>();
  out.begin_ns = in.at("begin_ns").get<std::int64_t>();
  out.end_ns = in.at("end_ns").get<std::int64_t>();
  out.windows_begin_ns = in.at("windows_begin_ns").get<std::int64_t>();
  out.windows_end_ns = in.at("windows_end_ns").get<std::int64_t>();
  out.severity = in.at("severity_word").get<std::string>();
  out.sentences = in.at("sentences").get<std::vector<std::string>>();
  out.claim = in.at("claim").get<std::string>();
  out.subsystem = model::Subsystem::kUnknown;  // the word of a later version
  model::from_string(in.at("subsystem").get<std::string>(), out.subsystem);
  if (in.at("remedy").is_string()) out.remedy = in.at("remedy").get<std::string>();
  const auto& patterns = in.at("patterns");
  // As it was told before the restart.
  if (!patterns.empty() && advises(patterns.at(0))) {
    out.pattern = patterns.at(0).at("name").get<std::string>();
  }
  const auto own = added(out);
  Json fields = Json::object();
  for (const auto& [key, value] : in.items()) {
    if (!own.contains(key)) fields[key] = value;
  }
  out.fields = fields.dump(-1, ' ', false, Json::error_handler_t::replace);
  return out;
}

bool is_sound(const LoggedFinding& finding) {
  return is_finding_id(finding.id) && finding.windows_begin_ns <= finding.windows_end_ns &&
         finding.begin_ns <= finding.end_ns;
}

}  // namespace

std::string to_json(const LoggedFinding& finding) {
  auto out = added(finding).dump(-1, ' ', false, Json::error_handler_t::replace);
  out.back() = ',';  // in place of the brace
  return out + finding.fields.substr(1);
}

fs::path folder_of(const fs::path& dir, const LoggedFinding& finding) {
  return dir / day_of(finding.windows_begin_ns) / finding.id;
}

// A finding may begin a little earlier than its name says (finding_log.h).
std::optional<fs::path> folder_of(const fs::path& dir, const std::string& id) {
  if (!is_finding_id(id)) return std::nullopt;
  const auto named_ns = begin_of(id);
  for (const auto apart_ns : {std::int64_t{0}, -kDay_ns}) {
    if (named_ns + apart_ns < 0) continue;
    auto out = dir / day_of(named_ns + apart_ns) / id;
    std::error_code ignored;
    if (fs::exists(finding_file(out), ignored)) return out;
  }
  return std::nullopt;
}

fs::path finding_file(const fs::path& folder) {
  return folder / "finding.json";
}

fs::path verdict_file(const fs::path& folder) {
  return folder / "verdict.json";
}

Result<void> save_finding(const fs::path& dir, const LoggedFinding& finding) {
  const auto folder = folder_of(dir, finding);
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return base::fail_errno(failed.value(), "cannot make a folder", folder.string());
  if (!finding.verdict.empty()) {
    auto saved = base::write_new_file(verdict_file(folder), finding.verdict);
    if (!saved) return saved;
  }
  return base::write_new_file(finding_file(folder), with_checksum(to_json(finding)));
}

Result<LoggedFinding> load_finding(const fs::path& file) {
  auto whole = base::read_whole_file(file, "finding");
  if (!whole) return base::pass(whole);
  const auto text = without_checksum(*std::move(whole), file);
  if (!text) return base::pass(text);
  try {
    auto out = read(Json::parse(*text));
    if (is_sound(out)) return out;
  } catch (const Json::exception& error) {
    return base::fail(base::ErrorKind::kCorrupt,
                      fmt::format("is not the file of a finding: {}", error.what()), file.string());
  }
  return base::fail(base::ErrorKind::kCorrupt, "is not the file of a finding", file.string());
}

SavedFindings load_findings(const fs::path& dir, std::int64_t from_ns, std::int64_t to_ns) {
  SavedFindings out;
  const auto first = from_ns / kDay_ns;
  for (auto day = first; day <= to_ns / kDay_ns && day < first + kMaxDays; ++day) {
    std::error_code failed;
    for (fs::directory_iterator folder(dir / day_of(day * kDay_ns), failed), end;
         !failed && folder != end; folder.increment(failed)) {
      if (!is_finding_id(folder->path().filename().string())) continue;
      auto finding = load_finding(finding_file(folder->path()));
      if (finding) {
        out.findings.push_back(std::move(*finding));
      } else if (finding.error().kind != base::ErrorKind::kAbsent) {
        out.unreadable.push_back(finding.error().message());
      }
    }
  }
  std::sort(out.findings.begin(), out.findings.end(), [](const auto& a, const auto& b) {
    return std::tie(a.windows_begin_ns, a.id) < std::tie(b.windows_begin_ns, b.id);
  });
  return out;
}

}  // namespace reveal::agent
