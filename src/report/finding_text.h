// What the report for a terminal says of one finding.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"
#include "text/palette.h"
#include "text/time_text.h"

namespace reveal::report {

// Returns the text of the finding with that index: when, the claim, who did it and who suffered,
// the votes, the pattern with its advice, the subsystems' shares and the evidence.
// REQUIRES: index < report.findings.size().
std::string finding_text(const Report& report, std::size_t index, const text::Clock& clock,
                         const text::Palette& palette);

// Returns a number of findings that are expected by chance, as text: "0.077".
std::string expected_findings(double findings);

}  // namespace reveal::report
