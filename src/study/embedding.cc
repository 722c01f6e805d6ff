// The windows of runs as points in a plane (paper, appendix G.2: projections by UMAP or t-SNE):
// which are alike, whether runs differ, and where anomalous windows lie.
//
// A window is the row of features that the detectors see, in standard deviations over the windows
// that are drawn (detect/design.h). The plane is that of exact t-SNE (stats/tsne.h) from the first
// two principal components, so nothing depends on chance.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "detect/design.h"
#include "detect/evenly_spaced.h"
#include "feature/joined_runs.h"
#include "replay/replayed.h"
#include "stats/product.h"
#include "stats/symmetric_eigen.h"
#include "stats/tsne.h"
#include "study/analyzed.h"
#include "study/study.h"
#include "text/words.h"

namespace reveal::study {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t kMostWindows = 1000;  // each pair costs time and memory
constexpr double kPerplexity = 30;
constexpr Index kNear = 5;  // neighbors that figures are about, as in scikit-learn

using StateOfWindow = std::map<std::uint64_t, std::string>;

struct Drawn {
  std::vector<std::size_t> run;  // by window that is drawn
  std::vector<std::string> state;
  std::vector<std::size_t> windows;  // by run, of all
  feature::JoinedRuns joined;
};

StateOfWindow states_of(const report::Report& report) {
  StateOfWindow out;
  const auto add = [&out](const std::vector<attribute::Finding>& findings, const char* state) {
    for (const auto& finding : findings) {
      for (const auto& window : finding.windows) out.emplace(window.span.id.value(), state);
    }
  };
  add(report.findings, "in a finding");
  add(report.changes, "in a change");
  add(report.low_confidence, "of low confidence");
  return out;
}

// Returns at most so many rows of a matrix, evenly spaced.
feature::FeatureMatrix some_rows(const feature::FeatureMatrix& matrix, std::size_t most) {
  std::vector<std::size_t> rows(matrix.row_count());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  feature::FeatureMatrix out;
  for (std::size_t i = 0; i < matrix.column_count(); ++i) out.add_column(matrix.column(i));
  for (const std::size_t row : detect::evenly_spaced<std::size_t>(rows, most)) {
    auto& values = out.add_row(matrix.window(row));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = matrix.at(row, i);
  }
  return out;
}

base::Result<void> add_run(const std::string& directory, const pipeline::PipelineConfig& config,
                           std::size_t most, Drawn& drawn, Result& out) {
  const auto replayed = replay::replay(directory, config);
  if (!replayed) return base::pass(replayed);
  const auto& pipeline = *replayed->pipeline;
  const auto report = replayed->pipeline->analyze();
  if (!report) return base::pass(report);
  out.damage.insert(out.damage.end(), replayed->damage.begin(), replayed->damage.end());
  const auto states = states_of(*report);
  const auto matrix = some_rows(pipeline.features(), most);
  for (std::size_t i = 0; i < matrix.row_count(); ++i) {
    const auto state = states.find(matrix.window(i).id.value());
    drawn.state.push_back(state == states.end() ? "" : state->second);
    drawn.run.push_back(out.runs.size());
  }
  drawn.windows.push_back(pipeline.features().row_count());
  drawn.joined.add(matrix, pipeline.channels());
  out.runs.push_back(run_of(directory, *report));
  return {};
}

base::Result<Drawn> draw(const Request& request, Result& out) {
  Drawn drawn;
  const std::size_t most = std::max<std::size_t>(kMostWindows / request.directories.size(), 1);
  for (const auto& directory : request.directories) {
    auto done = add_run(directory, request.config, most, drawn, out);
    if (!done && done.error().where.empty()) done.error().where = directory;
    if (!done) return base::pass(done);
  }
  return drawn;
}

// Returns the first two principal components of rows, scaled by their standard deviations.
MatrixXd principal_plane(const MatrixXd& x) {
  const Eigen::VectorXd center = x.colwise().mean();
  const auto eigen = stats::symmetric_eigen(stats::gram({.matrix = x, .center = center.data()}));
  MatrixXd out = eigen.vectors.leftCols(2);
  for (Index i = 0; i < 2; ++i) out.col(i) *= std::sqrt(std::max(eigen.values(i), 0.0));
  return out;
}

Table quality_table(const detect::Design& design, const MatrixXd& distances, double perplexity,
                    const stats::Embedding& found, const MatrixXd& plane) {
  return {.name = "quality",
          .title = "How true the picture is",
          .columns = {{"windows", "windows", ""},
                      {"features", "features", ""},
                      {"perplexity", "perplexity", ""},
                      {"kl_divergence", "KL divergence", ""},
                      {"trustworthiness", "trustworthiness", ""},
                      {"trustworthiness_of_pca", "that of two components", ""}},
          .rows = {{static_cast<double>(design.x.rows()), static_cast<double>(design.x.cols()),
                    perplexity, found.kl_divergence,
                    stats::trustworthiness(distances, found.points, kNear),
                    stats::trustworthiness(distances, plane, kNear)}}};
}

Table points_table(const Drawn& drawn, const std::vector<Run>& runs, const MatrixXd& points) {
  Table out{.name = "points",
            .title = "Windows in the plane",
            .columns = {{"recording", "recording", ""},
                        {"window", "window", ""},
                        {"begin_seconds", "begin", "seconds"},
                        {"x", "x", ""},
                        {"y", "y", ""},
                        {"state", "state", ""}},
            .rows = {},
            .shown = 0};
  for (std::size_t i = 0; i < drawn.run.size(); ++i) {
    const auto& run = runs[drawn.run[i]];
    const auto& window = drawn.joined.matrix.window(i);
    const auto row = static_cast<Index>(i);
    out.rows.push_back({run.directory, static_cast<double>(window.id.value()),
                        static_cast<double>(window.begin_ns - run.begin_ns) / 1e9, points(row, 0),
                        points(row, 1), drawn.state[i]});
  }
  return out;
}

// Of a window's nearest neighbors in the features, the shares that satisfy a condition, the mean
// over the windows of a run.
template <typename Condition>
double share_of_near(const MatrixXd& distances, const Drawn& drawn, std::size_t run,
                     const Condition& condition) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < drawn.run.size(); ++i) {
    if (drawn.run[i] != run) continue;
    const auto near = stats::neighbors_of(distances, static_cast<Index>(i));
    double count = 0;
    for (Index k = 0; k < kNear; ++k) {
      count += condition(static_cast<std::size_t>(near[static_cast<std::size_t>(k)])) ? 1 : 0;
    }
    shares.push_back(count / static_cast<double>(kNear));
  }
  return summary(std::move(shares)).mean;
}

// How far runs lie apart: by chance a neighbor is of any run.
Table recordings_table(const Drawn& drawn, const std::vector<Run>& runs,
                       const MatrixXd& distances) {
  Table out{.name = "recordings",
            .title = "Recordings, by the five nearest neighbors in the features",
            .columns = {{"recording", "recording", ""},
                        {"windows", "windows", ""},
                        {"drawn", "drawn", ""},
                        {"marked", "in findings or changes", ""},
                        {"neighbors_of_same", "of the same recording", "ratio"},
                        {"by_chance", "by chance", "ratio"}},
            .rows = {}};
  for (std::size_t run = 0; run < runs.size(); ++run) {
    double count = 0;
    double marked = 0;
    for (std::size_t i = 0; i < drawn.run.size(); ++i) {
      if (drawn.run[i] != run) continue;
      ++count;
      marked += drawn.state[i].empty() ? 0 : 1;
    }
    const double same =
        share_of_near(distances, drawn, run, [&](std::size_t i) { return drawn.run[i] == run; });
    out.rows.push_back({runs[run].directory, static_cast<double>(drawn.windows[run]), count, marked,
                        same, (count - 1) / (static_cast<double>(drawn.run.size()) - 1)});
  }
  return out;
}

}  // namespace

base::Result<Result> study_embedding(const Request& request) {
  Result out;
  const auto drawn = draw(request, out);
  if (!drawn) return base::pass(drawn);
  const auto design = detect::make_design(drawn->joined.matrix);
  if (!design) return base::pass(design);
  const auto plane = principal_plane(design->x);
  const auto distances = stats::squared_distances(design->x);
  const double perplexity = std::min(kPerplexity, (static_cast<double>(design->x.rows()) - 1) / 3);
  const auto found = stats::embed(stats::joint_probabilities(distances, perplexity), plane);
  out.tables = {quality_table(*design, distances, perplexity, found, plane),
                recordings_table(*drawn, out.runs, distances),
                points_table(*drawn, out.runs, found.points)};
  out.plots.push_back({.kind = Plot::Kind::kPoints,
                       .title = "Windows, those alike near one another",
                       .table = "points",
                       .labels = {"recording", "state"},
                       .values = {"x", "y", "begin_seconds"}});
  out.notes.emplace_back(
      "Near neighbors are alike. Axes have no unit, and neither sizes of clusters nor far "
      "distances say anything.");
  std::size_t windows = 0;
  for (const std::size_t of_run : drawn->windows) windows += of_run;
  if (windows > drawn->run.size()) {
    out.notes.push_back(fmt::format("{} of {} are drawn, evenly spaced.", drawn->run.size(),
                                    text::plural(windows, "window")));
  }
  return out;
}

}  // namespace reveal::study
