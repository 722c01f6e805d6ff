#include "detect/fitted_baseline.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/heap.h"
#include "detect/elapsed.h"
#include "detect/evenly_spaced.h"
#include "detect/saturation_signals.h"
#include "detect/standardize.h"
#include "detect/usual_contributions.h"
#include "feature/feature.h"
#include "stats/quantile.h"

namespace reveal::detect {
namespace {

using Eigen::Index;

constexpr std::size_t kMaxNamed = 3;

BaselineColumn describe(const feature::FeatureMatrix& matrix, const model::ChannelTable& channels,
                        const Design& layout, std::size_t live,
                        const std::vector<std::size_t>& rows) {
  const auto key = matrix.column(layout.columns[live]);
  std::vector<double> values;
  for (const auto row : rows) {
    const double value = matrix.at(row, layout.columns[live]);
    if (std::isfinite(value)) values.push_back(value);
  }
  const auto j = static_cast<Index>(live);
  return {channels.name(key.channel),
          std::string(feature::descriptor(key.feature).name),
          layout.mean(j),
          layout.scale(j),
          stats::median(values),
          stats::mad(values),
          0};
}

template <typename Row = std::size_t>
std::vector<Row> all_rows(Index count) {
  std::vector<Row> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), Row{0});
  return out;
}

std::vector<std::size_t> rows_for_medians(Index count, const FitOptions& options) {
  return evenly_spaced<std::size_t>(all_rows(count), options.medians_of);
}

// The windows of a run on which detectors are fitted that shall score windows of other runs: as
// many as ScoredRun's folds are fitted on, so that scores compare. They have all columns of the
// layout: that one moves which stood still is news.
Design as_held_out(const PartOfLayout& run, const Design& layout) {
  const auto& x = run.design.x;
  ColumnMoments whole(x.cols());
  whole.add(x, 0, x.rows());
  const auto rows = fitted_rows(all_rows<Index>(x.rows()));
  Eigen::MatrixXd moving(static_cast<Index>(rows.size()), x.cols());
  restandardize(x, rows, whole.usual(), moving);
  Design out;
  out.saturation.live = layout.saturation.live;
  out.saturation.x = run.design.saturation.x(rows, Eigen::all);
  out.x = Eigen::MatrixXd::Zero(moving.rows(), layout.mean.size());
  out.x(Eigen::all, run.places) = moving;
  return out;
}

// Returns the columns that the run's own windows are scored in.
PartOfLayout part_to_fit(const Design& layout, const DetectorOptions& options) {
  const bool needs_all =
      std::ranges::any_of(chosen(options), [](const auto& row) { return row.needs_still; });
  return needs_all ? PartOfLayout{layout, all_rows<Index>(layout.mean.size())}
                   : moving_part(layout);
}

std::vector<BaselineColumn> describe_columns(const feature::FeatureMatrix& matrix,
                                             const model::ChannelTable& channels,
                                             const Design& layout, const FitOptions& options) {
  constexpr std::size_t kColumnsAtATime = 256;
  const auto rows = rows_for_medians(static_cast<Index>(matrix.row_count()), options);
  std::vector<BaselineColumn> out;
  out.reserve(layout.columns.size());
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    if (i % kColumnsAtATime == 0) rest_if(options.held_out.pace);
    out.push_back(describe(matrix, channels, layout, i, rows));
  }
  const auto& saturation = layout.saturation;
  for (std::size_t i = 0; i < saturation.live.size(); ++i) {
    out[static_cast<std::size_t>(saturation.live[i])].least = saturation.least[i];
  }
  return out;
}

// Scores of the baseline's own windows, and what they are made of, by column of the layout.
base::Result<void> calibrate(PartOfLayout part, const FitOptions& options, FittedBaseline& out) {
  Design run = std::move(part.design);
  const auto scored =
      options.kind == Baseline::kRun
          ? ScoredRun::score(std::move(run), Baseline::kRun, options.detectors)
          : ScoredRun::score_held_out(std::move(run), options.detectors, options.held_out);
  if (!scored) return base::pass(scored);
  const auto rows = rows_for_medians(scored->window_count(), options);
  for (std::size_t i = 0; i < scored->detector_count(); ++i) {
    out.detectors[i].scores = scored->reference(i);
    if (options.held_out.of_runs()) out.detectors[i].by_window = scored->scores(i);
    auto& usual = out.usual.emplace_back(Eigen::VectorXd::Zero(std::ssize(out.columns)));
    usual(part.places) = usual_contributions(*scored, i, rows);
    rest_if(options.held_out.pace);
  }
  if (options.findings)
    out.in_finding_at_end = windows_in_finding_at_end(*scored, *options.findings);
  return {};
}

// The columns of a baseline by the names of channel and feature. A run's columns are looked up here
// and not the other way round: a live host whose control groups come and go has ever more columns,
// of which a baseline knows few.
class ColumnsByName {
 public:
  explicit ColumnsByName(const std::vector<BaselineColumn>& columns)
      : columns_(columns), places_(all_rows(static_cast<Index>(columns.size()))) {
    std::ranges::sort(places_, {}, [this](std::size_t place) { return key(place); });
  }

  using Places = std::span<const std::size_t>;
  Places of_channel(std::string_view name) const {
    const auto channel = [this](std::size_t place) -> std::string_view {
      return columns_[place].channel;
    };
    return within(places_, name, channel);
  }
  // Returns those of a channel that are that feature.
  Places of_feature(Places of_channel, std::string_view name) const {
    const auto feature = [this](std::size_t place) -> std::string_view {
      return columns_[place].feature;
    };
    return within(of_channel, name, feature);
  }

 private:
  using Key = std::pair<std::string_view, std::string_view>;
  Key key(std::size_t place) const { return {columns_[place].channel, columns_[place].feature}; }

  template <typename Projection>
  static Places within(Places places, std::string_view name, Projection projection) {
    const auto begin = std::ranges::lower_bound(places, name, {}, projection);
    return {begin, std::ranges::upper_bound(places, name, {}, projection)};
  }

  const std::vector<BaselineColumn>& columns_;
  std::vector<std::size_t> places_;  // in the order of their keys
};

// Sets the columns of the design that the run has, and returns the channels of the run that the
// baseline lacks.
std::vector<model::ChannelId> find_columns(const ColumnsByName& known,
                                           const feature::FeatureMatrix& matrix,
                                           const model::ChannelTable& channels, Design& design) {
  std::vector<model::ChannelId> unknown;
  std::optional<model::ChannelId> at;
  ColumnsByName::Places of_channel;
  for (std::size_t column = 0; column < matrix.column_count(); ++column) {
    const auto key = matrix.column(column);
    if (at != key.channel) {  // columns of a channel follow one another
      at = key.channel;
      of_channel = known.of_channel(channels.name(key.channel));
      if (of_channel.empty()) unknown.push_back(key.channel);
    }
    for (const auto place : known.of_feature(of_channel, feature::descriptor(key.feature).name)) {
      auto& found = design.columns[place];
      if (found == kAbsentColumn) found = column;
    }
  }
  std::ranges::sort(unknown);
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  return unknown;
}

// Returns "a, b, c and 4 more".
std::string some_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxNamed); ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMaxNamed) out += fmt::format(" and {} more", names.size() - kMaxNamed);
  return out;
}

// Compares the channels that moved in the baseline with those that the run has.
base::Result<void> check_channels(const FittedBaseline& baseline,
                                  const std::set<std::string>& absent) {
  std::set<std::string> moved;
  for (const auto& column : baseline.columns) {
    if (column.scale > 0) moved.insert(column.channel);
  }
  std::vector<std::string> lost;
  std::set_intersection(moved.begin(), moved.end(), absent.begin(), absent.end(),
                        std::back_inserter(lost));
  if (lost.size() * 2 <= moved.size()) return {};
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("only {} of the {} channels that moved in the baseline are in this "
                                "run; it lacks {}",
                                moved.size() - lost.size(), moved.size(), some_of(lost)),
                    {}, "use a baseline of the same kind of host and workload");
}

// Returns at most kMaxFitted windows that are standardized already.
Eigen::MatrixXd fewer(const Eigen::MatrixXd& x) {
  return x(fitted_rows(all_rows<Index>(x.rows())), Eigen::all);
}

void append(const Eigen::VectorXd& more, Eigen::VectorXd& out) {
  const Index known = out.size();
  out.conservativeResize(known + more.size());
  out.tail(more.size()) = more;
}

base::Result<std::shared_ptr<const Detector>> updated(const Detector& detector, const Design& run,
                                                      std::size_t most_known) {
  const auto& descriptor = registry()[find_detector(detector.name()).value()];
  StateWriter state;
  detector.save(state);
  auto copy = descriptor.make({});
  StateReader in(state.bytes());
  copy->load(in, detector.sees_saturation() ? run.saturation.x.cols() : run.x.cols());
  copy->forget_beyond(static_cast<double>(most_known));
  // A forest takes no less than its trees were grown on, which may be more.
  const Eigen::MatrixXd seen = seen_by(*copy, run);
  if (copy->update(descriptor.transductive ? seen : fewer(seen)))
    return std::shared_ptr<const Detector>(std::move(copy));
  return base::fail(base::ErrorKind::kTooLittle,
                    fmt::format("{} windows are too few for the {} to learn from", run.x.rows(),
                                descriptor.label),
                    {}, "give a longer run, or save a new baseline");
}

}  // namespace

double share_in(const model::Fingerprint& run, const BaselineOrigin& baseline) {
  double out = 0;
  for (const auto& known : baseline.made_of) out += run.share_in(known);
  return std::min(out, 1.0);
}

base::Result<FittedBaseline> learn(const FittedBaseline& baseline, const Design& run,
                                   const Eigen::VectorXd& elapsed_s, std::size_t most_known) {
  FittedBaseline out = baseline;
  const bool of_runs = baseline.elapsed_s.size() > 0;
  if (of_runs) append(elapsed_s, out.elapsed_s);
  const auto scored = ScoredRun::against(baseline.detectors, run);
  const auto known_windows = std::min<std::uint64_t>(baseline.origin.windows, most_known);
  const auto known = static_cast<double>(known_windows);
  const auto added = static_cast<double>(run.x.rows());
  const auto rows = all_rows(run.x.rows());
  for (std::size_t i = 0; i < baseline.detectors.size(); ++i) {
    auto detector = updated(*baseline.detectors[i].detector, run, most_known);
    if (!detector) return base::pass(detector);
    out.detectors[i].detector = std::move(*detector);
    auto& scores = out.detectors[i].scores;
    scores = evenly_spaced<double>(scores, most_known);
    scores.insert(scores.end(), scored.scores(i).begin(), scored.scores(i).end());
    std::sort(scores.begin(), scores.end());
    if (of_runs) append(scored.scores(i), out.detectors[i].by_window);
    out.usual[i] = (known * baseline.usual[i] + added * usual_contributions(scored, i, rows)) /
                   (known + added);
  }
  out.origin.windows = known_windows + static_cast<std::uint64_t>(run.x.rows());
  ++out.origin.runs;
  return out;
}

base::Result<FittedBaseline> fit_baseline(feature::FeatureMatrix matrix,
                                          const model::ChannelTable& channels,
                                          const FitOptions& options) {
  const bool rest = options.kind == Baseline::kRest;
  const DesignOptions asked{.channels = options.channels,
                            .subsystems = subsystems_of(channels),
                            .keep_constant = rest,
                            .least_rises = least_rises(matrix, channels)};
  const auto layout = make_layout(matrix, asked);
  if (!layout) return base::pass(layout);
  FittedBaseline out;
  out.kind = options.kind;
  out.columns = describe_columns(matrix, channels, *layout, options);
  if (options.held_out.of_runs()) out.elapsed_s = elapsed_seconds(matrix, options.held_out.runs);
  DetectorOptions detectors = options.detectors;
  detectors.set_columns(*layout);
  auto run = part_to_fit(*layout, detectors);
  add_windows(matrix, asked, run.design);
  // As large as the run, in small pieces: what follows takes memory in large ones.
  matrix = feature::FeatureMatrix();
  base::return_freed_memory();
  auto fitted = rest ? fit_all(as_held_out(run, *layout), detectors)
                     : fit_all(run.design, for_own_windows(detectors));
  if (!fitted) return base::pass(fitted);
  for (auto& detector : *fitted) out.detectors.push_back({std::move(detector), {}});
  if (auto done = calibrate(std::move(run), options, out); !done) return base::pass(done);
  return out;
}

base::Result<MatchedRun> match_columns(const FittedBaseline& baseline,
                                       const feature::FeatureMatrix& matrix,
                                       const model::ChannelTable& channels) {
  MatchedRun out;
  std::set<std::string> absent;
  const auto count = static_cast<Index>(baseline.columns.size());
  out.design.columns.assign(baseline.columns.size(), kAbsentColumn);
  out.design.mean.resize(count);
  out.design.scale.resize(count);
  out.unknown = find_columns(ColumnsByName(baseline.columns), matrix, channels, out.design);
  for (Index j = 0; j < count; ++j) {
    const auto& column = baseline.columns[static_cast<std::size_t>(j)];
    const bool is_there = out.design.columns[static_cast<std::size_t>(j)] != kAbsentColumn;
    if (!is_there) absent.insert(column.channel);
    out.design.mean(j) = column.mean;
    out.design.scale(j) = column.scale;
    if (column.least <= 0) continue;
    out.design.saturation.live.push_back(j);
    out.design.saturation.least.push_back(column.least);
  }
  if (auto alike = check_channels(baseline, absent); !alike) {
    return base::pass(alike);
  }
  out.absent.assign(absent.begin(), absent.end());
  return out;
}

base::Result<MatchedRun> match(const FittedBaseline& baseline, const feature::FeatureMatrix& matrix,
                               const model::ChannelTable& channels) {
  auto out = match_columns(baseline, matrix, channels);
  if (!out) return out;
  out->design.x = project(matrix, out->design, {.limit = baseline.limits()});
  out->design.saturation.x = project_saturation(matrix, out->design);
  return out;
}

}  // namespace reveal::detect
