#include "cli/report_format.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/output.h"
#include "exchange/text_output.h"
#include "exchange/text_rows.h"
#include "report/json.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

using base::Result;

Result<void> print_findings(const tables::FinishedAnalysis& run, text::Zone) {
  auto rows = exchange::make_csv_rows(exchange::kStandardOutput);
  if (!rows) return base::pass(rows);
  return tables::find_report_table("findings")->write(run, false, **rows);
}

constexpr std::array<ReportFormat, 3> kFormats{{
    {"text", "the report for people",
     [](const tables::FinishedAnalysis& run, text::Zone zone) {
       return print_text(run.report, STDOUT_FILENO, zone);
     }},
    {"json", "report.json",
     [](const tables::FinishedAnalysis& run, text::Zone) {
       return text::print_data(report::to_json(run.report));
     }},
    {"csv", "the findings as a table", print_findings},
}};

}  // namespace

std::span<const ReportFormat> report_formats() {
  return kFormats;
}

Result<const ReportFormat*> report_format(std::string_view name) {
  for (const auto& format : kFormats) {
    if (format.name == name) return &format;
  }
  return base::fail(base::ErrorKind::kUsage, "is not a format of reports",
                    fmt::format("--format {}", name),
                    fmt::format("choose from {}", fmt::join(report_format_names(), ", ")));
}

std::vector<std::string> report_format_names() {
  std::vector<std::string> out;
  out.reserve(std::size(kFormats));
  for (const auto& format : kFormats) out.emplace_back(format.name);
  return out;
}

std::string report_formats_help() {
  std::string out = "output format";
  for (const auto& format : kFormats) {
    out +=
        fmt::format("{} {}: {}", &format == kFormats.begin() ? ";" : ",", format.name, format.help);
  }
  return out;
}

}  // namespace reveal::cli
