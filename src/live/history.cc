#include "live/history.h"

#include <utility>

namespace reveal::live {

void set_findings(History& history, std::vector<KnownFinding> findings) {
  for (auto& window : history.windows) {
    window.flagged.reset();
    for (const auto& finding : findings) {
      if (window.span.begin_ns < finding.begin_ns || window.span.end_ns > finding.end_ns) continue;
      window.flagged = finding.subsystem;
    }
  }
  history.findings = std::move(findings);
}

}  // namespace reveal::live
