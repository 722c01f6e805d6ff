#include "live/history.h"

#include <algorithm>
#include <utility>

namespace reveal::live {
namespace {

void mark_between(History& history, std::int64_t begin_ns, std::int64_t end_ns,
                  model::Subsystem blamed) {
  for (auto& window : history.windows) {
    if (window.span.begin_ns >= begin_ns && window.span.end_ns <= end_ns) window.flagged = blamed;
  }
}

void unmark_all(History& history) {
  for (auto& window : history.windows) window.flagged.reset();
}

}  // namespace

void mark(History& history, const attribute::Finding& finding) {
  mark_between(history, finding.begin_ns(), finding.end_ns(), finding.subsystem());
}

void set_findings(History& history, std::vector<attribute::Finding> findings) {
  unmark_all(history);
  for (const auto& finding : findings) mark(history, finding);
  std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
    return a.windows.front().span.id < b.windows.front().span.id;
  });
  history.findings = std::move(findings);
}

void set_reported(History& history, std::vector<report::SavedFinding> findings) {
  unmark_all(history);
  for (const auto& finding : findings) {
    mark_between(history, finding.begin_ns, finding.end_ns, finding.subsystem);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto& a, const auto& b) { return a.first_window < b.first_window; });
  history.reported = std::move(findings);
}

}  // namespace reveal::live
