#include "live/history.h"

#include <algorithm>
#include <utility>

namespace reveal::live {
namespace {

void mark(History& history, std::uint64_t first, std::uint64_t last, model::Subsystem blamed) {
  for (auto& window : history.windows) {
    const auto id = window.span.id.value();
    if (id >= first && id <= last) window.flagged = blamed;
  }
}

void unmark_all(History& history) {
  for (auto& window : history.windows) window.flagged.reset();
}

}  // namespace

void mark(History& history, const attribute::Finding& finding) {
  mark(history, finding.windows.front().span.id.value(), finding.windows.back().span.id.value(),
       finding.subsystem());
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
    mark(history, finding.first_window, finding.last_window, finding.subsystem);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto& a, const auto& b) { return a.first_window < b.first_window; });
  history.reported = std::move(findings);
}

}  // namespace reveal::live
