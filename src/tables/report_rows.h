// The results of an analysis as tables for other programs. docs/how_to/exchange.md lists their
// columns.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "exchange/row_sink.h"
#include "pipeline/pipeline.h"
#include "report/report.h"

namespace reveal::tables {

struct FinishedAnalysis {
  const report::Report& report;
  const pipeline::Pipeline& pipeline;
};

struct ReportTable {
  std::string_view name;
  // Writes all rows, from begin() to finish().
  base::Result<void> (*write)(const FinishedAnalysis& run, bool wide, exchange::RowSink& out);
};

// Returns the tables: windows, features, scores, those of findings, evidence.
std::span<const ReportTable> report_tables();

// Returns the table of that name, or nullptr.
const ReportTable* find_report_table(std::string_view name);

}  // namespace reveal::tables
