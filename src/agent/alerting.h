// From findings to alerts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agent/logged_finding.h"
#include "alert/alert.h"

namespace reveal::agent {

// Returns the alert of a finding, with a link to it on the page at that address, if there is one.
// Its identity is where and what (host, subsystem, pattern), so that one that comes back at once is
// the same; who did it and what it cost are annotations.
alert::Alert alert_of(const LoggedFinding& finding, const std::string& page_url = {});

// The alerts of the findings that are open or ended lately. They are stated each second, and made
// only when a finding has changed: most of an alert is the finding as JSON.
class CurrentAlerts {
 public:
  // `page_url` as for alert_of().
  explicit CurrentAlerts(std::string page_url = {}) : page_url_(std::move(page_url)) {}

  // Returns those of the present; they hold until the next call.
  std::span<const alert::Alert> of(const std::vector<LoggedFinding>& findings, std::int64_t now_ns);

 private:
  std::string page_url_;
  std::vector<alert::Alert> alerts_;
  std::vector<std::uint64_t> revisions_;  // of their findings
};

}  // namespace reveal::agent
