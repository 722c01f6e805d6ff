// What a change of a workload or a host did to its anomalies (paper, section 6, "Impact"): shares
// of windows before and after, of all that detectors say and of each subsystem and metric that is
// evidence.
//
// Windows overlap, and what is anomalous lasts for many of them. So the interval of a share counts
// how many independent windows would tell as much (stats/share_interval.h), by blocks of 30 s.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "attribute/severity.h"
#include "stats/share_interval.h"
#include "study/analyzed.h"
#include "study/labels.h"
#include "study/study.h"
#include "text/quantity.h"
#include "text/words.h"

namespace reveal::study {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kBlock_s = 30;  // findings are shorter, mostly

struct Side {
  std::string_view name;
  LabeledWindows windows;
};

struct Sides {
  Side before{.name = "before", .windows = {}};
  Side after{.name = "after", .windows = {}};
  std::optional<window::WindowSpec> spec;  // of all runs
};

Table runs_table() {
  return {.name = "runs",
          .title = "Recordings",
          .columns = {{"recording", "recording", ""},
                      {"side", "side", ""},
                      {"seconds", "length", "seconds"},
                      {"windows", "windows", ""},
                      {"flagged", "flagged", "ratio"},
                      {"findings", "findings", ""},
                      {"finding_seconds", "in findings", "seconds"},
                      {"lost_seconds", "lost", "seconds"}},
          .rows = {}};
}

std::vector<Cell> run_row(const Run& run, const report::Report& report, std::string_view side) {
  LabeledWindows windows;
  windows.add(report);
  const auto flagged = windows.flags({LabelKind::kState, std::string(kFlagged)});
  std::vector<Stretch> stretches;
  double lost = 0;
  for (const auto& finding : report.findings) {
    stretches.push_back({finding.begin_ns(), finding.end_ns()});
    lost += attribute::seconds_of(finding.severity).value_or(0);
  }
  return {run.directory,
          std::string(side),
          static_cast<double>(report.length_ns) / 1e9,
          static_cast<double>(windows.count),
          summary(flagged).mean,
          static_cast<double>(report.findings.size()),
          seconds(merged(std::move(stretches))),
          lost};
}

base::Result<void> add_runs(const std::vector<std::string>& directories,
                            const pipeline::PipelineConfig& config, Side& side, Sides& sides,
                            Table& runs, Result& out) {
  for (const auto& directory : directories) {
    const auto report = analyzed(directory, config, out.damage);
    if (!report) return base::pass(report);
    const auto& spec = report->configuration.window;
    if (sides.spec.value_or(spec) != spec) {
      return base::fail(base::ErrorKind::kUsage, "has other windows than the first run", directory,
                        "study runs of one interval");
    }
    sides.spec = spec;
    side.windows.add(*report);
    out.runs.push_back(run_of(directory, *report));
    runs.rows.push_back(run_row(out.runs.back(), *report, side.name));
  }
  return {};
}

stats::Share share_of(const Side& side, const window::WindowSpec& spec, const Label& label) {
  const auto flags = side.windows.flags(label);
  const auto stride = static_cast<double>(spec.stride_ns);
  const auto batch = static_cast<std::size_t>(std::max(1.0, std::round(kBlock_s * 1e9 / stride)));
  return stats::share_of(flags, batch, static_cast<double>(spec.length_ns) / stride, kConfidence);
}

// Says which way a share moved, if the interval of the change tells.
std::string direction(const stats::Interval& change) {
  if (change.low > 0) return "more";
  return change.high < 0 ? "less" : "not clear";
}

std::vector<Column> columns_of(std::vector<Column> names) {
  for (const Column& column : std::initializer_list<Column>{{"before", "before", "ratio"},
                                                            {"before_low", "from", "ratio"},
                                                            {"before_high", "to", "ratio"},
                                                            {"after", "after", "ratio"},
                                                            {"after_low", "from", "ratio"},
                                                            {"after_high", "to", "ratio"},
                                                            {"change", "change", "ratio"},
                                                            {"change_low", "from", "ratio"},
                                                            {"change_high", "to", "ratio"},
                                                            {"direction", "direction", ""}}) {
    names.push_back(column);
  }
  return names;
}

std::vector<Cell> row_of(const Sides& sides, const Label& label, std::vector<Cell> row) {
  const auto before = share_of(sides.before, *sides.spec, label);
  const auto after = share_of(sides.after, *sides.spec, label);
  const auto change = stats::difference(before, after);
  for (const double number :
       {before.share, before.interval.low, before.interval.high, after.share, after.interval.low,
        after.interval.high, after.share - before.share, change.low, change.high}) {
    row.emplace_back(number);
  }
  row.emplace_back(direction(change));
  return row;
}

// Returns the labels of a kind that either side has.
std::set<std::string> names_of(const Sides& sides, LabelKind kind) {
  std::set<std::string> out;
  for (const auto* side : {&sides.before, &sides.after}) {
    for (const auto& [label, rows] : side->windows.rows) {
      if (label.first == kind) out.insert(label.second);
    }
  }
  return out;
}

Table states(const Sides& sides) {
  constexpr std::array kStates{kFlagged, kInFinding, kSlowJob, kInChange, kLowConfidence};
  Table out{.name = "windows",
            .title = "Share of all windows",
            .columns = columns_of({{"windows", "windows", ""}}),
            .rows = {}};
  for (const auto state : kStates) {
    const Label label{LabelKind::kState, std::string(state)};
    out.rows.push_back(row_of(sides, label, {label.second}));
  }
  return out;
}

Table subsystems(const Sides& sides) {
  Table out{.name = "subsystems",
            .title = "Share of all windows in which a subsystem is evidence",
            .columns = columns_of({{"subsystem", "subsystem", ""}}),
            .rows = {}};
  for (const auto& name : names_of(sides, LabelKind::kSubsystem)) {
    out.rows.push_back(row_of(sides, {LabelKind::kSubsystem, name}, {name}));
  }
  return out;
}

model::Subsystem subsystem_of(const Sides& sides, const std::string& metric) {
  const auto& before = sides.before.windows.subsystem;
  const auto found = before.find(metric);
  return found != before.end() ? found->second : sides.after.windows.subsystem.at(metric);
}

// Those that moved most come first.
Table metrics(const Sides& sides) {
  constexpr std::size_t kShown = 15;
  Table out{.name = "metrics",
            .title = "Share of all windows in which a metric is evidence",
            .columns = columns_of({{"metric", "metric", ""}, {"subsystem", "subsystem", ""}}),
            .rows = {},
            .shown = kShown};
  for (const auto& name : names_of(sides, LabelKind::kMetric)) {
    const auto subsystem = model::to_string(subsystem_of(sides, name));
    out.rows.push_back(row_of(sides, {LabelKind::kMetric, name}, {name, std::string(subsystem)}));
  }
  constexpr std::size_t kChange = 8;
  std::ranges::stable_sort(out.rows, std::ranges::greater(), [](const std::vector<Cell>& row) {
    return std::fabs(std::get<double>(row[kChange]));
  });
  return out;
}

void add_notes(const Sides& sides, std::size_t metrics, Result& out) {
  out.notes.push_back(fmt::format("{} before, {} after; intervals of 95 %, by blocks of 30 s.",
                                  text::plural(sides.before.windows.count, "window"),
                                  text::plural(sides.after.windows.count, "window")));
  out.notes.emplace_back(
      "What differs from run to run as a whole is not in the intervals: look at the recordings of "
      "each side.");
  if (metrics == 0) return;
  out.notes.push_back(
      fmt::format("Of {}, chance alone may move some {} beyond their intervals.",
                  text::plural(metrics, "metric"),
                  text::format_number(static_cast<double>(metrics) * (1 - kConfidence))));
}

}  // namespace

base::Result<Result> study_impact(const Request& request) {
  if (request.after.empty()) {
    return base::fail(base::ErrorKind::kUsage, "compares recordings before and after a change",
                      "impact", "name the later ones by --after DIR");
  }
  Result out;
  Sides sides;
  auto runs = runs_table();
  for (auto [side, directories] :
       {std::pair{&sides.before, &request.directories}, std::pair{&sides.after, &request.after}}) {
    auto done = add_runs(*directories, request.config, *side, sides, runs, out);
    if (!done) return base::pass(done);
  }
  out.tables = {std::move(runs), states(sides), subsystems(sides), metrics(sides)};
  for (const auto& table : out.tables) {
    if (table.name == "runs" || table.rows.empty()) continue;
    out.plots.push_back({.kind = Plot::Kind::kBars,
                         .title = table.title,
                         .table = table.name,
                         .labels = {table.columns.front().name},
                         .values = {"before", "after"}});
  }
  add_notes(sides, out.tables.back().rows.size(), out);
  return out;
}

}  // namespace reveal::study
