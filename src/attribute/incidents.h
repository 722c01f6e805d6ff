// What belongs together above findings: one fault may show in several subsystems, one after the
// other, and each is a finding. Findings that overlap, or of which one begins at most a window's
// length after the other's end, are one incident; the one that began first is its likely cause.
// What begins later than that has another cause more often than the same.
#pragma once

#include <vector>

#include "attribute/finding.h"

namespace reveal::attribute {

// Numbers the incidents, and each finding's place in its incident by its begin. Numbers go on from
// that of the first finding, or from 1 if it has none. REQUIRES: findings are in order of time.
void number_incidents(std::vector<Finding>& findings);

}  // namespace reveal::attribute
