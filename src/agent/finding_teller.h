// What the agent's log says of findings: that one began, ended or became graver; not every change
// of a figure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agent/finding_log.h"
#include "agent/logged_finding.h"

namespace reveal::agent {

class FindingTeller {
 public:
  // What is known already was said by the judge before this one.
  explicit FindingTeller(const FindingLog& known);

  void tell(const FindingLog& findings, const std::vector<std::string>& changed);

 private:
  void tell(const LoggedFinding& finding);

  std::map<std::string, std::string> said_;  // by the finding's name: its state
};

}  // namespace reveal::agent
