// The tables of a data set that join windows with what is known of them.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "exchange/row_sink.h"
#include "tables/annotations.h"
#include "tables/report_rows.h"

namespace reveal::tables {

// Writes a row for each window: the table `windows`, what is known of it, and its features of the
// channels that `keep` has, by ChannelId. A column of what nobody said is left out.
base::Result<void> write_annotated_rows(const FinishedAnalysis& run, const Annotations& known,
                                        const std::vector<bool>& keep, exchange::RowSink& out);

// Write a row for each interval, and for each step.
base::Result<void> write_truth_rows(std::span<const TrueInterval> truth, exchange::RowSink& out);
base::Result<void> write_step_rows(std::span<const Step> steps, exchange::RowSink& out);

}  // namespace reveal::tables
