// How `reveal analyze` prints a report.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/report_rows.h"
#include "text/time_text.h"

namespace reveal::cli {

struct ReportFormat {
  std::string_view name;
  std::string_view help;  // a noun phrase
  // Writes the report on stdout; times of text in that zone.
  base::Result<void> (*print)(const tables::FinishedAnalysis& run, text::Zone zone);
};

// Returns all formats, the default first.
std::span<const ReportFormat> report_formats();

// Returns the format of that name. Fails with kUsage, naming them all, if there is none.
base::Result<const ReportFormat*> report_format(std::string_view name);

// Returns their names.
std::vector<std::string> report_format_names();

// Returns what --help says of them.
std::string report_formats_help();

}  // namespace reveal::cli
