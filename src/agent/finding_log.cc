#include "agent/finding_log.h"

#include <algorithm>
#include <cstdlib>

#include "agent/finding_id.h"
#include "agent/finding_verdict.h"
#include "attribute/severity.h"
#include "live/live_judge.h"
#include "live/live_report.h"
#include "report/harm_sentences.h"
#include "report/json.h"

namespace reveal::agent {
namespace {

// A judge tells what a finding cost for a while after it; then nothing changes any more.
constexpr std::int64_t kToldFor_ns = live::kHarmTold_ns + 5'000'000'000;

bool overlap(const LoggedFinding& saved, const attribute::Finding& finding) {
  return saved.windows_begin_ns < finding.windows_end_ns() &&
         finding.windows_begin_ns() < saved.windows_end_ns;
}

// Returns how far apart they began.
std::int64_t apart_ns(const LoggedFinding& saved, const attribute::Finding& finding) {
  return std::abs(saved.windows_begin_ns - finding.windows_begin_ns());
}

// Fills in what the report says of it.
void describe(const report::Report& report, const attribute::Finding& finding, LoggedFinding& out) {
  out.host = report.facts.host;
  out.begin_ns = finding.begin_ns();
  out.end_ns = std::max(finding.end_ns(), finding.begin_ns());
  out.windows_begin_ns = finding.windows_begin_ns();
  out.windows_end_ns = finding.windows_end_ns();
  out.subsystem = finding.subsystem();
  out.severity = attribute::word_of(attribute::seconds_of(finding.severity));
  out.claim = finding.claim;
  out.sentences = report::harm_sentences(report::names_of(report), finding);
  const auto* advice = finding.advice();
  out.pattern = advice != nullptr ? advice->pattern->name : std::string_view();
  out.remedy = advice != nullptr ? advice->pattern->remedy : std::string_view();
  out.fields = report::finding_json(report, finding);
}

}  // namespace

FindingLog::FindingLog(FindingLogOptions options, std::int64_t now_ns)
    : options_(std::move(options)) {
  auto saved = load_findings(options_.directory, now_ns - kRecent_ns, now_ns);
  recent_ = std::move(saved.findings);
  troubles_ = std::move(saved.unreadable);
  for (const auto& finding : recent_) unclaimed_.insert(finding.id);
}

// While a finding goes on, its file has the end of long ago.
bool FindingLog::is_told(const LoggedFinding& saved) const {
  return !saved.open && saved.windows_end_ns + kToldFor_ns < options_.judged_ns;
}

std::int64_t FindingLog::untold_since_ns(std::int64_t oldest_ns) const {
  std::int64_t out = options_.judged_ns;
  for (const auto& one : recent_) {
    if (!is_told(one) && one.windows_begin_ns >= oldest_ns) {
      out = std::min(out, one.windows_begin_ns);
    }
  }
  return out;
}

std::int64_t FindingLog::uncut_since_ns(std::int64_t since_ns, std::int64_t margin_ns,
                                        std::int64_t oldest_ns) const {
  const auto is_cut = [&](const LoggedFinding& one) {
    return one.windows_begin_ns >= oldest_ns && one.windows_begin_ns < since_ns &&
           since_ns < one.windows_end_ns;
  };
  // What lies before the begin of one may cut through another.
  for (;;) {
    const auto cut = std::find_if(recent_.begin(), recent_.end(), is_cut);
    if (cut == recent_.end()) return since_ns;
    since_ns = cut->windows_begin_ns - margin_ns;
  }
}

std::size_t FindingLog::place_of(const std::string& id) const {
  std::size_t place = 0;
  while (place < recent_.size() && recent_[place].id != id) ++place;
  return place;
}

const LoggedFinding* FindingLog::find(const std::string& id) const {
  const auto place = place_of(id);
  return place == recent_.size() ? nullptr : &recent_[place];
}

// A finding that was over before this judge began is nobody's news, unless it goes on later.
void FindingLog::find_name(const attribute::Finding& finding, Known& known) {
  // A second fault begins while the first goes over, so both may overlap this one. It is named by
  // its first window, when nobody knows its end.
  const LoggedFinding* best = nullptr;
  for (const auto& saved : recent_) {
    if (!unclaimed_.contains(saved.id) || !overlap(saved, finding)) continue;
    if (best == nullptr || apart_ns(saved, finding) < apart_ns(*best, finding)) best = &saved;
  }
  if (best != nullptr) {
    known.id = best->id;
    known.saved_revision = best->revision;
    known.saved_severity = best->severity;
    known.saved_open = best->open;
    known.is_from_file = true;
    known.was_over = !best->open;
    known.was_told = is_told(*best);
    unclaimed_.erase(best->id);
    return;
  }
  if (finding.windows_end_ns() <= options_.judged_ns) return;
  known.id = new_finding_id(finding.windows_begin_ns());
  recent_.emplace_back();
  recent_.back().id = known.id;
  recent_.back().revision = 0;
}

bool FindingLog::take(const live::History& history, const report::Report& report,
                      const attribute::Finding& finding, Known& known) {
  const auto place = place_of(known.id);
  if (place == recent_.size()) return false;  // forgotten: too many came after it
  LoggedFinding& logged = recent_[place];
  LoggedFinding now = logged;
  describe(report, finding, now);
  if (const auto verdict = verdict_of(history, finding)) {
    now.verdict = to_json(*verdict);
  } else if (!finding.telling) {
    now.verdict.clear();  // the one before explains another claim
  }
  // Judged once more, it may begin a little later than it was told to.
  if (logged.revision > 0) {
    now.windows_begin_ns = std::min(now.windows_begin_ns, logged.windows_begin_ns);
  }
  const bool is_no_longer = known.was_over && finding.windows_end_ns() <= options_.judged_ns;
  now.open = !is_no_longer && !is_over(finding.windows_end_ns());
  if (now.fields == logged.fields && now.open == logged.open) return false;
  ++now.revision;
  logged = std::move(now);
  return true;
}

void FindingLog::save_if_due(const LoggedFinding& finding, Known& known) {
  const bool is_news = known.saved_revision == 0 || known.saved_open != finding.open ||
                       known.saved_severity != finding.severity;
  if (!is_news && (!known.is_final || known.saved_revision == finding.revision)) return;
  if (auto saved = save_finding(options_.directory, finding); !saved) {
    troubles_.push_back(saved.error().message());
    return;
  }
  known.saved_revision = finding.revision;
  known.saved_severity = finding.severity;
  known.saved_open = finding.open;
}

std::vector<std::string> FindingLog::update(const live::History& history) {
  std::vector<std::string> out;
  if (history.windows.empty()) return out;
  const auto& latest = history.windows.back();
  // Findings change with windows alone.
  if (std::exchange(latest_, latest.span.id.value()) == latest.span.id.value()) return out;
  if (latest.judged) judged_to_ns_ = latest.span.end_ns;
  unclaim_taken_back(history);
  const auto is_alive = [&](const attribute::Finding& finding) {
    auto& known = known_[finding.windows_begin_ns()];
    if (known.id.empty()) find_name(finding, known);
    return !known.id.empty() && !known.is_final;
  };
  std::vector<bool> alive;
  for (const auto& finding : history.findings) alive.push_back(is_alive(finding));
  if (std::find(alive.begin(), alive.end(), true) != alive.end()) {
    const auto report = live::report_of(history);
    for (std::size_t i = 0; i < alive.size(); ++i) {
      if (!alive[i]) continue;
      const auto& finding = report.findings[i];
      auto& known = known_[finding.windows_begin_ns()];
      if (known.is_from_file && is_in_the_past()) continue;  // the file knows more of it
      if (known.was_told && finding.windows_end_ns() <= options_.judged_ns) continue;
      if (take(history, report, finding, known)) out.push_back(known.id);
      known.is_final = judged_to_ns_ > finding.windows_end_ns() + kToldFor_ns;
      if (known.is_final) final_.push_back(known.id);
      if (const auto* logged = find(known.id)) {
        if (known.is_final) count(*logged);
        save_if_due(*logged, known);
      }
    }
  }
  const auto closed = close_lost();
  out.insert(out.end(), closed.begin(), closed.end());
  forget_old();
  return out;
}

// What the history has no more, and was not over, waits for the finding in its place.
void FindingLog::unclaim_taken_back(const live::History& history) {
  const auto is_taken_back = [&](const auto& known) {
    if (known.second.id.empty() || known.second.is_final) return false;
    return std::ranges::none_of(history.findings, [&](const attribute::Finding& one) {
      return one.windows_begin_ns() == known.first;
    });
  };
  for (auto known = known_.begin(); known != known_.end();) {
    if (!is_taken_back(*known)) {
      ++known;
      continue;
    }
    unclaimed_.insert(known->second.id);
    known = known_.erase(known);
  }
}

// Ends what the files have as going on and this judge, who knows that time, does not find.
std::vector<std::string> FindingLog::close_lost() {
  std::vector<std::string> out;
  for (auto& finding : recent_) {
    if (!finding.open || !unclaimed_.contains(finding.id)) continue;
    if (!is_over(finding.windows_end_ns)) continue;
    finding.open = false;
    ++finding.revision;
    count(finding);
    out.push_back(finding.id);
    if (auto saved = save_finding(options_.directory, finding); !saved) {
      troubles_.push_back(saved.error().message());
    }
  }
  return out;
}

void FindingLog::forget_old() {
  const auto is_old = [&](const LoggedFinding& one) {
    return !one.open && one.windows_end_ns < judged_to_ns_ - kRecent_ns;
  };
  recent_.erase(std::remove_if(recent_.begin(), recent_.end(), is_old), recent_.end());
  if (recent_.size() > kMaxRecent) {
    recent_.erase(recent_.begin(), recent_.end() - static_cast<std::ptrdiff_t>(kMaxRecent));
  }
  const auto goes_on = [&](const auto& known) {
    return std::ranges::any_of(recent_, [&](const LoggedFinding& one) {
      return one.open && one.windows_begin_ns == known.first;
    });
  };
  while (known_.size() > 2 * live::kMaxFindings) {
    const auto oldest = std::find_if_not(known_.begin(), known_.end(), goes_on);
    known_.erase(oldest == known_.end() ? known_.begin() : oldest);
  }
}

}  // namespace reveal::agent
