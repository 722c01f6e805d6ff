// An incident as an alert.
#pragma once

#include <string>

#include "alert/alert.h"
#include "peers/incident.h"

namespace reveal::analyser {

// Of an incident with evidence so many times the larger of limit and least rise somebody should
// know at once, even if it is of one host.
inline constexpr double kGraveStrength = 5;

// Returns how urgent it is: critical if the whole group, kFewestOfFleet hosts or more are slow, or
// if one is by kGraveStrength; info if two hosts differ and nobody can say which of them is slow;
// else warning.
alert::Severity severity_of(const peers::Incident& incident);

// Returns the alert: its labels are what it is known by, and are the same from every analyser; what
// may change is in the annotations. `page_url` is that of the fleet's page; empty: there is none.
// REQUIRES: it is known by something.
alert::Alert alert_of(const peers::Incident& incident, const std::string& page_url);

}  // namespace reveal::analyser
