#include "agent/finding_teller.h"

#include <utility>

#include <fmt/format.h>

#include "agent/log.h"

namespace reveal::agent {
namespace {

// One line for the journal.
std::string line_of(const LoggedFinding& finding) {
  const auto* what = finding.revision == 1 ? "finding"
                     : finding.open        ? "finding goes on"
                                           : "finding ended";
  auto out = fmt::format("{} {}: {}, {}: {}.", what, finding.id,
                         model::to_string(finding.subsystem), finding.severity, finding.claim);
  for (const auto& sentence : finding.sentences) out += " " + sentence;
  return out;
}

// Returns what is news once it is another.
std::string state_of(const LoggedFinding& finding) {
  return finding.open ? finding.severity : std::string();
}

}  // namespace

FindingTeller::FindingTeller(const FindingLog& known) {
  for (const auto& finding : known.recent()) said_[finding.id] = state_of(finding);
}

void FindingTeller::tell(const FindingLog& findings, const std::vector<std::string>& changed) {
  for (const auto& id : changed) {
    if (const auto* finding = findings.find(id)) tell(*finding);
  }
}

void FindingTeller::tell(const LoggedFinding& finding) {
  const auto state = state_of(finding);
  auto& said = said_[finding.id];
  if (std::exchange(said, state) == state) return;
  log(Priority::kWarning, line_of(finding));
}

}  // namespace reveal::agent
