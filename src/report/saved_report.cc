#include "report/saved_report.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/whole_file.h"
#include "report/report.h"
#include "report/saved_json.h"

namespace reveal::report {
namespace {

using base::Result;

constexpr const char* kRemedy = "analyze the recording again, or give a report.json of Reveal";

base::Unexpected not_a_report(std::string what, const std::string& where) {
  return base::fail(base::ErrorKind::kCorrupt, std::move(what), where, kRemedy);
}

SavedEvidence evidence_of(const SavedObject& json) {
  return {json.text("channel"), json.text("feature"), json.text("unit"), json.number("observed"),
          json.number("baseline_median")};
}

attribute::SubsystemShares shares_of(const SavedObject& json) {
  attribute::SubsystemShares out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string word(model::to_string(static_cast<model::Subsystem>(i)));
    // Of the same schema version there are reports without a share of what is not known.
    const bool may_lack = i == static_cast<std::size_t>(model::Subsystem::kUnknown);
    if (!may_lack || json.has(word.c_str())) out[i] = json.number(word.c_str()).value_or(0);
  }
  return out;
}

SavedFinding finding_of(const SavedObject& json, Problem& problem) {
  SavedFinding out;
  out.claim = json.text("claim");
  out.claim_channel = json.text("claim_channel");
  if (!model::from_string(json.text("subsystem"), out.subsystem)) {
    problem.set(json.path_of("subsystem"), "is not a subsystem");
  }
  out.subsystem_shares = shares_of(json.object("subsystem_shares"));
  out.begin_ns = json.time_ns("begin");
  out.end_ns = json.time_ns("end");
  if (out.end_ns < out.begin_ns) problem.set(json.path_of("end"), "is before the begin");
  out.first_window = json.count("first_window");
  out.last_window = json.count("last_window");
  out.detectors = json.texts("detectors");
  out.agreement = json.count("agreement");
  out.severity = json.number("severity");
  // Of the same schema version there are reports without them.
  for (const char* name : {"who", "who_process", "suffered", "work", "stalled"}) {
    if (!json.has(name)) continue;
    if (auto sentence = json.text(name); !sentence.empty()) out.harm.push_back(std::move(sentence));
  }
  const auto patterns = json.objects("patterns");
  if (!patterns.empty()) out.remedy = patterns.front().text("remedy");
  for (const auto& item : json.objects("evidence")) out.evidence.push_back(evidence_of(item));
  return out;
}

std::vector<SavedWindow> windows_of(const SavedObject& json, Problem& problem) {
  const auto ids = json.counts("id");
  const auto begins = json.integers("begin_ns");
  std::vector<SavedWindow> out;
  for (std::size_t i = 0; i < std::min(ids.size(), begins.size()); ++i) {
    out.push_back({ids[i], begins[i]});
  }
  if (ids.size() != begins.size()) problem.set("windows.id", "is not as long as windows.begin_ns");
  const auto fall = std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>());
  if (fall != ids.end()) problem.set("windows.id", "does not rise");
  return out;
}

SavedDetector detector_of(const SavedObject& json, const std::vector<SavedWindow>& windows,
                          Problem& problem) {
  SavedDetector out{json.text("name"),
                    json.text("label"),
                    json.number("contamination_limit"),
                    json.numbers("scores"),
                    {}};
  if (out.scores.size() != windows.size()) {
    problem.set(json.path_of("scores"), "has not one score for each window");
  }
  for (const auto id : json.counts("windows_flagged")) {
    const auto place =
        std::lower_bound(windows.begin(), windows.end(), id,
                         [](const SavedWindow& window, auto wanted) { return window.id < wanted; });
    if (place == windows.end() || place->id != id) {
      problem.set(json.path_of("windows_flagged"), "names a window that the report does not list");
      break;
    }
    out.flagged.push_back(static_cast<std::size_t>(place - windows.begin()));
  }
  return out;
}

SavedReport report_of(const SavedObject& json, Problem& problem) {
  SavedReport out;
  out.host = json.object("host").text("name");
  const auto run = json.object("run");
  out.begin_ns = run.time_ns("begin");
  out.interval_ns = run.integer("interval_ns");
  out.window_ns = json.object("configuration").integer("window_ns");
  for (const auto& one : json.objects("findings")) {
    out.findings.push_back(finding_of(one, problem));
  }
  out.windows = windows_of(json.object("windows"), problem);
  for (const auto& one : json.objects("detectors")) {
    out.detectors.push_back(detector_of(one, out.windows, problem));
  }
  return out;
}

// Returns what is wrong with the version; nothing if it is this program's.
std::optional<std::string> wrong_version(const Json& document) {
  const auto found = document.find("schema_version");
  if (found == document.end() || !found->is_number_integer()) return "has no schema version";
  if (*found == kSchemaVersion) return std::nullopt;
  return fmt::format("has schema version {}; this reveal reads version {}", found->dump(),
                     kSchemaVersion);
}

}  // namespace

Result<SavedReport> parse_report(std::string_view text, const std::string& where) {
  const Json document = saved_document(text);
  if (!document.is_object() || document.value("schema", Json()) != "reveal.report") {
    return not_a_report("is not a report of Reveal", where);
  }
  if (auto wrong = wrong_version(document)) return not_a_report(std::move(*wrong), where);
  Problem problem;
  SavedReport out = report_of(SavedObject(document, "", problem), problem);
  if (!problem.text.empty()) {
    return not_a_report("is not laid out as a report of Reveal: " + problem.text, where);
  }
  return out;
}

Result<SavedReport> load_report(const std::filesystem::path& path) {
  const auto text = base::read_whole_file(path, "report");
  if (!text) return base::pass(text);
  return parse_report(*text, path.string());
}

}  // namespace reveal::report
