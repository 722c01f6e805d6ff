// What pruning keeps and what it loses, by threshold (paper, section 4.1 and Figure 4).
//
// A threshold's plan is made on the mean correlation matrix of the runs (select/workload.h). How
// well the channels that it leaves out can still be told is their squared multiple correlation: the
// share of a channel's variance that a linear regression on all kept channels explains. A
// regression needs all samples at once, so here, and here alone, a sample holds until the next one
// of its channel.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <Eigen/Core>
#include <fmt/format.h>

#include "select/workload.h"
#include "stats/symmetric_eigen.h"
#include "study/series.h"
#include "study/study.h"
#include "text/words.h"

namespace reveal::study {
namespace {

using Eigen::Index;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Of the largest eigenvalue: what is less is rounding.
constexpr double kLeastEigenvalue = 1e-10;

// One run: how its channels move together, sample by sample and with samples held.
struct RunMatrix {
  select::Correlations sampled;
  std::map<std::string, Index> places;  // in `held`
  Eigen::MatrixXd held;                 // correlations, of channels that vary
  std::size_t ticks = 0;
};

RunMatrix matrix_of(const Series& series) {
  select::CoMoments moments;
  for (const auto& frame : series.frames) moments.add(frame);
  moments.settle();
  RunMatrix out;
  out.sampled = select::correlations_of(moments, series.channels);
  std::vector<std::vector<double>> columns;
  for (const auto& name : out.sampled.names) {
    out.places.emplace(name, static_cast<Index>(columns.size()));
    columns.push_back(held_samples(series, *series.channels.find_channel(name)));
  }
  if (columns.empty()) return out;
  out.ticks = columns.front().size();
  Eigen::MatrixXd samples(static_cast<Index>(out.ticks), static_cast<Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto column = samples.col(static_cast<Index>(i));
    column = Eigen::Map<const Eigen::VectorXd>(columns[i].data(), column.size());
    column.array() -= column.mean();
    column.normalize();
  }
  out.held = samples.transpose() * samples;
  return out;
}

// Returns the squared multiple correlations of the channels that are not among the kept ones.
std::vector<double> multiple_r2(const RunMatrix& run, const std::set<std::string>& kept_names) {
  std::vector<Index> kept;
  std::vector<Index> removed;
  for (const auto& [name, place] : run.places) {
    (kept_names.contains(name) ? kept : removed).push_back(place);
  }
  std::vector<double> out;
  if (removed.empty()) return out;
  const auto eigen = stats::symmetric_eigen(run.held(kept, kept));
  const Eigen::MatrixXd parts = eigen.vectors.transpose() * run.held(kept, removed);
  for (Index channel = 0; channel < parts.cols(); ++channel) {
    double explained = 0;
    for (Index i = 0; i < parts.rows(); ++i) {
      if (eigen.values(i) <= kLeastEigenvalue * eigen.values(0)) break;
      explained += parts(i, channel) * parts(i, channel) / eigen.values(i);
    }
    out.push_back(std::min(explained, 1.0));
  }
  return out;
}

// Returns the mean of the channels' largest |r| with one of `others` that is not itself.
double mean_largest(const Eigen::MatrixXd& r, const std::vector<Index>& of,
                    const std::vector<Index>& others) {
  std::vector<double> out;
  for (const auto i : of) {
    double largest = kNan;
    for (const auto j : others) {
      if (i != j) largest = std::fmax(largest, std::abs(r(i, j)));
    }
    out.push_back(largest);
  }
  return summary(std::move(out)).mean;
}

std::vector<Cell> row(double threshold, const select::Correlations& mean,
                      const std::vector<RunMatrix>& runs) {
  std::set<std::string> kept_names;
  for (const auto& cluster : select::plan(mean, threshold).clusters) {
    kept_names.insert(cluster.representative);
  }
  std::vector<Index> all;
  std::vector<Index> kept;
  for (std::size_t i = 0; i < mean.names.size(); ++i) {
    all.push_back(static_cast<Index>(i));
    if (kept_names.contains(mean.names[i])) kept.push_back(static_cast<Index>(i));
  }
  std::vector<double> explained;
  for (const auto& run : runs) {
    const auto more = multiple_r2(run, kept_names);
    explained.insert(explained.end(), more.begin(), more.end());
  }
  const auto n = static_cast<double>(kept.size());
  return {threshold,
          n,
          n / static_cast<double>(all.size()),
          mean_largest(mean.r, kept, kept),
          mean_largest(mean.r, all, kept),
          summary(std::move(explained)).mean};
}

Table thresholds(const select::Correlations& mean, const std::vector<RunMatrix>& runs) {
  constexpr int kTenths = 9;
  Table out{.name = "thresholds",
            .title = "By threshold on |r|",
            .columns = {{"threshold", "threshold", ""},
                        {"kept", "kept", ""},
                        {"share_kept", "share kept", "ratio"},
                        {"mean_max_r_of_kept", "mean max |r| of kept", ""},
                        {"mean_max_r_to_kept", "of all to kept", ""},
                        {"multiple_r2_of_removed", "multi-R2 of removed", ""}},
            .rows = {}};
  for (int tenth = 1; tenth <= kTenths; ++tenth) {
    out.rows.push_back(row(tenth / 10.0, mean, runs));
  }
  return out;
}

std::string short_run_note(const std::vector<RunMatrix>& runs) {
  for (const auto& run : runs) {
    if (run.ticks > run.places.size()) continue;
    return fmt::format(
        "A run has {} ticks and {} channels that vary: with as many kept channels as ticks a "
        "regression explains everything, and multi-R2 says nothing.",
        run.ticks, run.places.size());
  }
  return {};
}

}  // namespace

base::Result<Result> study_pruning(const Request& request) {
  Result out;
  std::vector<RunMatrix> runs;
  std::vector<select::Correlations> correlations;
  for (const auto& directory : request.directories) {
    const auto series = read_series(directory, out.damage);
    if (!series) return base::pass(series);
    out.runs.push_back(series->run);
    runs.push_back(matrix_of(*series));
    correlations.push_back(runs.back().sampled);
  }
  const auto mean = select::mean_correlations(correlations);
  if (mean.names.empty()) {
    return base::fail(base::ErrorKind::kTooLittle, "no channel varies", request.directories.front(),
                      "record longer");
  }
  out.notes.push_back(fmt::format("{} vary, in {}.", text::plural(mean.names.size(), "channel"),
                                  text::plural(runs.size(), "run")));
  if (auto note = short_run_note(runs); !note.empty()) out.notes.push_back(std::move(note));
  out.tables.push_back(thresholds(mean, runs));
  out.plots.push_back({.kind = Plot::Kind::kLines,
                       .title = "What is kept, by threshold on |r|",
                       .table = "thresholds",
                       .labels = {"threshold"},
                       .values = {"share_kept", "mean_max_r_of_kept", "mean_max_r_to_kept",
                                  "multiple_r2_of_removed"}});
  return out;
}

}  // namespace reveal::study
