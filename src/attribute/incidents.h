// What belongs together above findings: one fault may show in several subsystems, one after the
// other, and each is a finding. Findings whose windows overlap, or lie at most kJoinWindows
// windows' lengths apart, are one incident; the one that began first is its likely cause.
#pragma once

#include <vector>

#include "attribute/finding.h"

namespace reveal::attribute {

inline constexpr std::int64_t kJoinWindows = 2;

// Numbers the incidents, and each finding's place in its incident by its begin. Numbers go on from
// that of the first finding, or from 1 if it has none. REQUIRES: findings are in order of time.
void number_incidents(std::vector<Finding>& findings);

}  // namespace reveal::attribute
