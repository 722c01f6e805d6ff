// A report.json, read back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace reveal::cli {

// Returns the failure of a text that is no such report, kCorrupt: `what` is wrong at `where`.
base::Unexpected no_report(std::string what, const std::string& where);

// Reads the text of a report.json. `where` names it in errors. Fails with kCorrupt where it is no
// report, or where it has no list of findings, or a finding that does not say when it began and
// ended: a broken report must not be taken for one without findings.
base::Result<nlohmann::json> parse_report(std::string_view text, const std::string& where);

// Return when a finding of a report that parse_report() returned began and ended: wall time, ns
// since the epoch, far enough from the ends of 64 bits for margins.
std::int64_t begin_of(const nlohmann::json& finding);
std::int64_t end_of(const nlohmann::json& finding);

}  // namespace reveal::cli
