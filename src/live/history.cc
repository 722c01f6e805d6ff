#include "live/history.h"

#include <utility>

namespace reveal::live {
namespace {

void mark(History& history, std::int64_t begin_ns, std::int64_t end_ns, model::Subsystem blamed) {
  for (auto& window : history.windows) {
    if (window.span.begin_ns >= begin_ns && window.span.end_ns <= end_ns) window.flagged = blamed;
  }
}

void unmark_all(History& history) {
  for (auto& window : history.windows) window.flagged.reset();
}

}  // namespace

void set_findings(History& history, std::vector<attribute::Finding> findings) {
  unmark_all(history);
  for (const auto& finding : findings) {
    mark(history, finding.begin_ns(), finding.end_ns(), finding.subsystem());
  }
  history.findings = std::move(findings);
}

void set_reported(History& history, std::vector<report::SavedFinding> findings) {
  unmark_all(history);
  for (const auto& finding : findings) {
    mark(history, finding.begin_ns, finding.end_ns, finding.subsystem);
  }
  history.reported = std::move(findings);
}

}  // namespace reveal::live
