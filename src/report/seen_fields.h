// Where evidence of a finding was seen, as fields (field.h): what the table `evidence` has beside
// the fields of the evidence itself (finding_fields.h). With them a row says what a row of the
// paper's Table 4 says. report.json has a finding's windows instead, each with its own evidence.
#pragma once

#include <span>

#include "report/field.h"
#include "report/report.h"

namespace reveal::report {

// A piece of the evidence of a finding.
struct SeenEvidence {
  const Report& report;
  const attribute::Finding& finding;
  const attribute::Evidence& evidence;
};
std::span<const Field<SeenEvidence>> seen_fields();
std::span<const Column> seen_columns();

}  // namespace reveal::report
