// What longer or shorter windows would have found (paper, section 5.5, Table 2 and Figure 6).
//
// A window is anomalous if its detectors have enough votes (`flag` of reveal scores). Anomalous
// windows that overlap or touch are one stretch. Two settings agree by:
// - IoU: the time that both call anomalous, of the time that either does;
// - by count: the share of the first one's stretches that share time with one of the second;
// - by length: the share of the first one's anomalous time that is the second's, too.
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "study/analyzed.h"
#include "study/study.h"
#include "text/words.h"

namespace reveal::study {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Setting {
  std::string_view name;
  std::int64_t length_ns;
  std::int64_t stride_ns;
};

// The paper's: its default, the finer and the coarser one.
constexpr std::array<Setting, 3> kSettings{{{"3 s / 1 s", 3'000'000'000, 1'000'000'000},
                                            {"1.5 s / 0.5 s", 1'500'000'000, 500'000'000},
                                            {"5 s / 2 s", 5'000'000'000, 2'000'000'000}}};
constexpr std::array<std::pair<std::size_t, std::size_t>, 3> kPairs{{{0, 1}, {0, 2}, {1, 2}}};

struct Found {
  std::size_t windows = 0;
  std::size_t anomalous = 0;
  std::vector<Stretch> stretches;
};

Found found_in(const report::Report& report) {
  Found out;
  out.windows = report.windows.size();
  for (std::size_t row = 0; row < report.windows.size(); ++row) {
    if (report::agreement(report, row) < report.configuration.min_agreement) continue;
    ++out.anomalous;
    out.stretches.push_back({report.windows[row].begin_ns, report.windows[row].end_ns});
  }
  out.stretches = merged(std::move(out.stretches));
  return out;
}

struct Agreement {
  double iou = kNan;
  double by_count = kNan;
  double by_length = kNan;
};

Agreement agreement(const std::vector<Stretch>& a, const std::vector<Stretch>& b) {
  const double common = common_seconds(a, b);
  const double either = seconds(a) + seconds(b) - common;
  std::size_t hit = 0;
  for (const auto& one : a) hit += common_seconds({one}, b) > 0 ? 1U : 0U;
  // A quotient without a divisor is not a number, which is right here: nothing is known.
  return {common / either, static_cast<double>(hit) / static_cast<double>(a.size()),
          common / seconds(a)};
}

using FoundBySetting = std::array<Found, kSettings.size()>;

base::Result<FoundBySetting> find_all(const std::string& directory,
                                      const pipeline::PipelineConfig& config, Result& out) {
  FoundBySetting found;
  for (std::size_t i = 0; i < kSettings.size(); ++i) {
    auto with = config;
    with.windows = {window::Length{kSettings[i].length_ns}, window::Length{kSettings[i].stride_ns}};
    std::vector<store::Damage> damage;
    const auto report = analyzed(directory, with, damage);
    if (!report && report.error().kind == base::ErrorKind::kUsage) {
      return base::fail(base::ErrorKind::kUsage,
                        fmt::format("its samples do not make windows of {}", kSettings[i].name),
                        directory, "study recordings with a sample every 100 ms");
    }
    if (!report) return base::pass(report);
    found[i] = found_in(*report);
    if (i > 0) continue;
    out.runs.push_back(run_of(directory, *report));
    out.damage.insert(out.damage.end(), damage.begin(), damage.end());
  }
  return found;
}

std::string pair_name(const std::pair<std::size_t, std::size_t>& pair) {
  return fmt::format("{} vs. {}", kSettings[pair.first].name, kSettings[pair.second].name);
}

Table settings_table() {
  return {.name = "settings",
          .title = "Anomalous windows by length and stride",
          .columns = {{"recording", "recording", ""},
                      {"setting", "windows", ""},
                      {"windows", "number", ""},
                      {"anomalous_windows", "anomalous", ""},
                      {"stretches", "stretches", ""},
                      {"anomalous_seconds", "in all", "seconds"},
                      {"median_seconds", "median stretch", "seconds"}},
          .rows = {}};
}

// Figure 6. A setting without a stretch has a row without times.
Table stretches_table() {
  return {.name = "stretches",
          .title = "Anomalous stretches",
          .columns = {{"recording", "recording", ""},
                      {"setting", "windows", ""},
                      {"begin_seconds", "begin", "seconds"},
                      {"end_seconds", "end", "seconds"}},
          .rows = {},
          .shown = 0};
}

void add_stretches(const Run& run, const FoundBySetting& found, Table& out) {
  for (std::size_t i = 0; i < kSettings.size(); ++i) {
    const std::string name(kSettings[i].name);
    for (const auto& one : found[i].stretches) {
      out.rows.push_back({run.directory, name,
                          static_cast<double>(one.begin_ns - run.begin_ns) / 1e9,
                          static_cast<double>(one.end_ns - run.begin_ns) / 1e9});
    }
    if (found[i].stretches.empty()) out.rows.push_back({run.directory, name, kNan, kNan});
  }
}

Table runs_table() {
  return {.name = "runs",
          .title = "Agreement of the first with the second",
          .columns = {{"recording", "recording", ""},
                      {"pair", "pair", ""},
                      {"iou", "IoU", ""},
                      {"by_count", "by count", ""},
                      {"by_length", "by length", ""}},
          .rows = {}};
}

void add_rows(const std::string& directory, const FoundBySetting& found, Table& settings,
              Table& runs) {
  for (std::size_t i = 0; i < kSettings.size(); ++i) {
    const auto& one = found[i];
    std::vector<double> lengths;
    for (const auto& stretch : one.stretches) lengths.push_back(seconds({stretch}));
    settings.rows.push_back({directory, std::string(kSettings[i].name),
                             static_cast<double>(one.windows), static_cast<double>(one.anomalous),
                             static_cast<double>(one.stretches.size()), seconds(one.stretches),
                             summary(std::move(lengths)).median});
  }
  for (const auto& pair : kPairs) {
    const auto of = agreement(found[pair.first].stretches, found[pair.second].stretches);
    runs.rows.push_back({directory, pair_name(pair), of.iou, of.by_count, of.by_length});
  }
}

struct Measure {
  std::string_view name;
  std::size_t column;  // of runs_table()
};

// The paper's Table 2, and IoU beside it.
Table pairs_table(const Table& runs) {
  constexpr std::array<Measure, 3> kMeasures{{{"IoU", 2}, {"by count", 3}, {"by length", 4}}};
  Table out{.name = "pairs",
            .title = "Agreement over the runs",
            .columns = {{"pair", "pair", ""},
                        {"measure", "measure", ""},
                        {"runs", "runs", ""},
                        {"mean", "mean", ""},
                        {"median", "median", ""},
                        {"standard_deviation", "std", ""}},
            .rows = {}};
  for (const auto& pair : kPairs) {
    for (const auto& measure : kMeasures) {
      std::vector<double> values;
      for (const auto& row : runs.rows) {
        if (std::get<std::string>(row[1]) != pair_name(pair)) continue;
        values.push_back(std::get<double>(row[measure.column]));
      }
      const auto of = summary(std::move(values));
      out.rows.push_back({pair_name(pair), std::string(measure.name), static_cast<double>(of.count),
                          of.mean, of.median, of.deviation});
    }
  }
  return out;
}

}  // namespace

base::Result<Result> study_granularity(const Request& request) {
  if (request.config.saved) {
    return base::fail(base::ErrorKind::kUsage, "has windows of its own", "--baseline",
                      "leave it out: this study compares windows");
  }
  Result out;
  auto settings = settings_table();
  auto runs = runs_table();
  auto stretches = stretches_table();
  for (const auto& directory : request.directories) {
    const auto found = find_all(directory, request.config, out);
    if (!found) return base::pass(found);
    add_rows(directory, *found, settings, runs);
    add_stretches(out.runs.back(), *found, stretches);
  }
  auto pairs = pairs_table(runs);
  out.tables = {std::move(settings), std::move(runs), std::move(pairs), std::move(stretches)};
  out.plots.push_back({.kind = Plot::Kind::kSpans,
                       .title = "Anomalous stretches by length and stride of windows",
                       .table = "stretches",
                       .labels = {"setting"},
                       .values = {"begin_seconds", "end_seconds"},
                       .of = "recording"});
  out.notes.emplace_back("\"-\": the first setting, or both, found nothing in the run.");
  return out;
}

}  // namespace reveal::study
