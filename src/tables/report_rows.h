// The results of an analysis as tables for other programs. docs/how_to/exchange.md lists their
// columns.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// Return the columns of the table of windows, and its row of an analyzed window.
std::vector<exchange::RowColumn> window_table_columns(const report::Report& report);
std::vector<exchange::Cell> window_table_row(const report::Report& report, std::size_t row);

// Returns the places of the features of the channels that `keep` has, by ChannelId.
std::vector<std::size_t> feature_places(const pipeline::Pipeline& pipeline,
                                        const std::vector<bool>& keep);
// Returns a column for each of them, CHANNEL__FEATURE.
std::vector<exchange::RowColumn> feature_columns(const pipeline::Pipeline& pipeline,
                                                 std::span<const std::size_t> places);
// Appends their values in an analyzed window.
void append_features(const pipeline::Pipeline& pipeline, std::span<const std::size_t> places,
                     std::size_t row, std::vector<exchange::Cell>& out);

}  // namespace reveal::tables
