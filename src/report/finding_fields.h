// The fields of a finding and of a piece of evidence: the registry from which report.json, the
// tables of `reveal export` and `reveal sql`, and docs/reference/findings.md are made. A new field
// of a finding is a row in finding_fields.cc.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/field.h"
#include "report/report.h"

namespace reveal::report {

// The lists of a report that hold findings, all with the same fields.
struct FindingList {
  std::string_view name;  // JSON's key, and the table's name
  std::string_view help;  // a sentence
  const std::vector<attribute::Finding>& (*get)(const Report& report);
};
std::span<const FindingList> finding_lists();

// A finding, or another entry of such a list, and its place there, from 1.
struct FindingAt {
  const Report& report;
  const attribute::Finding& finding;
  std::size_t place = 1;
};
std::span<const Field<FindingAt>> finding_fields();
std::span<const Column> finding_columns();

// A piece of evidence, and its place in its list, from 1.
struct EvidenceAt {
  const Report& report;
  const attribute::Evidence& evidence;
  std::size_t place = 1;
};
std::span<const Field<EvidenceAt>> evidence_fields();
std::span<const Column> evidence_columns();

// Returns docs/reference/findings.md.
std::string findings_page();

}  // namespace reveal::report
