// From findings to alerts, and from reveal.toml to their receivers.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/logged_finding.h"
#include "agent/paths.h"
#include "alert/alert.h"
#include "alert/options.h"
#include "settings/settings.h"

namespace reveal::agent {

// Returns how receivers are told, from [alerts] and its tables.
alert::AlertOptions alert_options(const settings::Settings& settings, const Paths& paths);

// Returns the alert of a finding. Its identity is where and what (host, subsystem, pattern), so
// that one that comes back at once is the same; who did it and what it cost are annotations.
alert::Alert alert_of(const LoggedFinding& finding);

// Returns those of the findings that are open or ended lately.
std::vector<alert::Alert> alerts_of(const std::vector<LoggedFinding>& findings,
                                    std::int64_t now_ns);

}  // namespace reveal::agent
