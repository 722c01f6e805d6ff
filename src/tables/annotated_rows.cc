#include "tables/annotated_rows.h"

#include <string>
#include <utility>
#include <vector>

namespace reveal::tables {
namespace {

using exchange::Cell;
using exchange::RowColumn;
using enum exchange::CellType;

void append_known(const Annotations& known, const window::WindowSpan& window,
                  std::vector<Cell>& out) {
  if (known.truth) {
    auto kinds = kinds_in(*known.truth, window);
    out.push_back(kinds.empty() ? Cell() : Cell(std::move(kinds)));
    out.emplace_back(share_in(*known.truth, window));
  }
  if (known.steps) {
    const auto steps = steps_in(*known.steps, window);
    out.emplace_back(steps.work);
    out.emplace_back(steps.median_seconds);
  }
}

std::vector<RowColumn> known_columns(const Annotations& known) {
  std::vector<RowColumn> out;
  if (known.truth) out.insert(out.end(), {{"truth", kText}, {"truth_share", kReal}});
  if (known.steps) out.insert(out.end(), {{"work", kReal}, {"step_seconds", kReal}});
  return out;
}

}  // namespace

base::Result<void> write_annotated_rows(const FinishedAnalysis& run, const Annotations& known,
                                        const std::vector<bool>& keep, exchange::RowSink& out) {
  const auto places = feature_places(run.pipeline, keep);
  auto columns = window_table_columns(run.report);
  for (auto&& part : {known_columns(known), feature_columns(run.pipeline, places)}) {
    columns.insert(columns.end(), part.begin(), part.end());
  }
  if (auto begun = out.begin(columns); !begun) return begun;
  for (std::size_t row = 0; row < run.report.windows.size(); ++row) {
    auto cells = window_table_row(run.report, row);
    append_known(known, run.report.windows[row], cells);
    append_features(run.pipeline, places, row, cells);
    if (auto done = out.write(cells); !done) return done;
  }
  return out.finish();
}

base::Result<void> write_truth_rows(std::span<const TrueInterval> truth, exchange::RowSink& out) {
  const std::vector<RowColumn> columns{
      {"kind", kText}, {"begin_ns", kInteger}, {"end_ns", kInteger}, {"strength", kReal}};
  if (auto begun = out.begin(columns); !begun) return begun;
  for (const auto& one : truth) {
    const std::vector<Cell> cells{one.kind, one.begin_ns, one.end_ns, one.strength};
    if (auto done = out.write(cells); !done) return done;
  }
  return out.finish();
}

base::Result<void> write_step_rows(std::span<const Step> steps, exchange::RowSink& out) {
  const std::vector<RowColumn> columns{{"end_ns", kInteger}, {"seconds", kReal}, {"work", kReal}};
  if (auto begun = out.begin(columns); !begun) return begun;
  for (const auto& one : steps) {
    const std::vector<Cell> cells{one.end_ns, one.seconds, one.work};
    if (auto done = out.write(cells); !done) return done;
  }
  return out.finish();
}

}  // namespace reveal::tables
