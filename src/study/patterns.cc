// Which metrics and subsystems anomalous windows are blamed on (paper, section 5.6): a feature that
// is evidence in a window counts once for each detector that says so; seconds are those that the
// windows cover, so that windows that overlap do not count twice.
#include <algorithm>
#include <utility>

#include "study/blame.h"

namespace reveal::study {
namespace {

struct Total {
  double count = 0;
  double contribution = 0;
  double seconds = 0;
};

Total total(const std::vector<Blame>& all) {
  Total out;
  for (const auto& group : grouped(all, [](const Blame&) { return std::string("all"); })) {
    out = {static_cast<double>(group.count), group.contribution, group.seconds};
  }
  return out;
}

std::vector<Cell> numbers(const BlameGroup& group, const Total& total) {
  const auto count = static_cast<double>(group.count);
  return {count, count / total.count, group.contribution / total.contribution, group.seconds,
          group.seconds / total.seconds};
}

std::vector<Column> columns_of(std::vector<Column> names) {
  for (const Column& column :
       {Column{"evidence", "evidence", ""}, Column{"share_of_evidence", "share", "ratio"},
        Column{"share_of_contribution", "of contribution", "ratio"},
        Column{"seconds", "time", "seconds"},
        Column{"share_of_seconds", "of anomalous time", "ratio"}}) {
    names.push_back(column);
  }
  return names;
}

Table subsystems(const std::vector<Blame>& all, const Total& total) {
  Table out{.name = "subsystems",
            .title = "Subsystems in anomalous windows",
            .columns = columns_of({{"subsystem", "subsystem", ""}}),
            .rows = {}};
  const auto name = [](const Blame& one) { return std::string(model::to_string(one.subsystem)); };
  for (const auto& group : grouped(all, name)) {
    std::vector<Cell> row{group.name};
    for (auto& cell : numbers(group, total)) row.push_back(std::move(cell));
    out.rows.push_back(std::move(row));
  }
  return out;
}

Table metrics(const std::vector<Blame>& all, const Total& total) {
  constexpr std::size_t kShown = 15;
  Table out{.name = "metrics",
            .title = "Metrics in anomalous windows",
            .columns = columns_of({{"metric", "metric", ""}, {"subsystem", "subsystem", ""}}),
            .rows = {},
            .shown = kShown};
  for (const auto& group : grouped(all, [](const Blame& one) { return one.metric; })) {
    std::vector<Cell> row{group.name, std::string(model::to_string(group.subsystem))};
    for (auto& cell : numbers(group, total)) row.push_back(std::move(cell));
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace

base::Result<Result> study_patterns(const Request& request) {
  Result out;
  const auto all = blames_of(request, out);
  if (!all) return base::pass(all);
  const auto of_all = total(*all);
  out.tables = {subsystems(*all, of_all), metrics(*all, of_all)};
  for (const auto& table : out.tables) {
    out.plots.push_back({.kind = Plot::Kind::kBars,
                         .title = table.title,
                         .table = table.name,
                         .labels = {table.columns.front().name},
                         .values = {"share_of_evidence", "share_of_contribution"}});
  }
  return out;
}

}  // namespace reveal::study
