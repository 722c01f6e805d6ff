#include "agent/look_back.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "agent/finding_file.h"
#include "agent/watch_log.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::int64_t kDay_ns = 86'400'000'000'000;
constexpr std::int64_t kUnsaved_ns = 60'000'000'000;

// The fields are those that load_finding() has read.
digest::Finding digested(const LoggedFinding& finding) {
  digest::Finding out{.id = finding.id,
                      .open = finding.open,
                      .begin_ns = finding.begin_ns,
                      .end_ns = finding.end_ns,
                      .subsystem = std::string(model::to_string(finding.subsystem)),
                      .severity = finding.severity,
                      .claim = finding.claim,
                      .pattern = finding.pattern};
  const auto fields = Json::parse(finding.fields, nullptr, false);
  if (!fields.is_object()) return out;
  const auto culprit = fields.find("culprit");
  if (culprit != fields.end() && culprit->is_string()) out.culprit = culprit->get<std::string>();
  const auto lost = fields.find("work_lost_seconds");
  if (lost != fields.end() && lost->is_number()) out.lost_s = lost->get<double>();
  return out;
}

base::Result<void> check(const Paths& paths, const LookBack& stretch) {
  if (stretch.from_ns >= stretch.to_ns) {
    return base::fail(base::ErrorKind::kUsage, "the stretch ends before it begins", {},
                      "give a --since that is past and before --until");
  }
  if (stretch.from_ns < stretch.to_ns - kLongestLookBack_ns) {
    return base::fail(base::ErrorKind::kUsage, "more than 31 days are asked for", {},
                      "ask for one month after the other");
  }
  std::error_code failed;
  const fs::directory_iterator files(paths.directory, failed);
  if (failed) {
    return base::fail_errno(failed.value(), "cannot read the agent's folder",
                            paths.directory.string(), "name it with --directory");
  }
  std::error_code ignored;
  if (fs::exists(paths.state(), ignored) || fs::exists(paths.findings(), ignored)) return {};
  return base::fail(base::ErrorKind::kAbsent, "no agent has worked in this folder",
                    paths.directory.string(), "name the agent's folder with --directory");
}

// An agent that runs saves twice a minute when it watched: the rest until now is not missing.
void add_unsaved(const LookBack& stretch, std::vector<digest::Watched>& spans) {
  if (spans.empty() || stretch.now_ns - spans.back().end_ns > kUnsaved_ns) return;
  spans.back().end_ns = std::max(spans.back().end_ns, stretch.to_ns);
}

}  // namespace

base::Result<digest::Digest> look_back(const Paths& paths, LookBack stretch) {
  stretch.to_ns = std::min(stretch.to_ns, stretch.now_ns);
  if (auto sound = check(paths, stretch); !sound) return base::pass(sound);
  digest::Input input;
  input.from_ns = stretch.from_ns;
  input.to_ns = stretch.to_ns;
  // A finding lies in the folder of its first window's day.
  const auto since_ns = digest::findings_since(input.from_ns, input.to_ns);
  const auto saved = load_findings(paths.findings(), since_ns - kDay_ns, input.to_ns);
  input.unreadable = saved.unreadable.size();
  input.findings.reserve(saved.findings.size());
  for (const auto& one : saved.findings) input.findings.push_back(digested(one));
  std::stable_sort(input.findings.begin(), input.findings.end(),
                   [](const auto& a, const auto& b) { return a.begin_ns < b.begin_ns; });
  const auto before_ns = digest::begin_before(input.from_ns, input.to_ns);
  auto watched = load_watched(paths.watched(), before_ns, input.to_ns);
  add_unsaved(stretch, watched.spans);
  input.watched = std::move(watched.spans);
  input.watched_since_ns = watched.since_ns;
  input.missing_sources = std::move(watched.missing_sources);
  input.host = std::move(watched.host);
  if (input.host.empty() && !saved.findings.empty()) input.host = saved.findings.back().host;
  return digest::digest_of(input);
}

}  // namespace reveal::agent
