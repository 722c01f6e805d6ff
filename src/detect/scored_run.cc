#include "detect/scored_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace reveal::detect {
namespace {

using Eigen::Index;

std::vector<Index> rows_without(Index count, Index from, Index to) {
  std::vector<Index> out;
  for (Index row = 0; row < count; ++row) {
    if (row < from || row >= to) out.push_back(row);
  }
  return out;
}

std::vector<Index> thinned(const std::vector<Index>& rows) {
  if (rows.size() <= static_cast<std::size_t>(kMostFitted)) return rows;
  std::vector<Index> out(static_cast<std::size_t>(kMostFitted));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = rows[i * rows.size() / out.size()];
  return out;
}

// Returns how many windows to leave out on either side of a fold; less than kLeastNeighbourhood
// where the run is too short.
Index neighbourhood(Index windows, Index fold) {
  return std::min(kNeighbourhood, (windows - fold - kMinWindows) / 2);
}

// A standard deviation this small, in those of the whole run, is rounding.
constexpr double kStill = 1e-9;

struct Usual {
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
};

Usual usual(const Eigen::MatrixXd& x) {
  Usual out{x.colwise().mean().transpose(), {}};
  const Eigen::MatrixXd centred = x.rowwise() - out.mean.transpose();
  out.deviation = (centred.colwise().squaredNorm() / static_cast<double>(x.rows())).cwiseSqrt();
  return out;
}

double limited(double z) {
  const double size = std::abs(z);
  if (size <= kLinear) return z;
  return std::copysign(std::min(kLinear * (1 + std::log(size / kLinear)), kFarthest), z);
}

// Returns rows of the run's design in standard deviations of the rest instead of the run.
Design restandardised(const Design& run, const Eigen::MatrixXd& x, const Usual& rest) {
  Design out;
  out.columns = run.columns;
  out.mean = run.mean + run.scale.cwiseProduct(rest.mean);
  out.scale = run.scale.cwiseProduct(rest.deviation);
  out.x.resize(x.rows(), x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    const double deviation = std::max(rest.deviation(j), kStill);
    out.x.col(j) = ((x.col(j).array() - rest.mean(j)) / deviation).unaryExpr(&limited);
  }
  return out;
}

}  // namespace

base::Result<ScoredRun> ScoredRun::score(const Design& run, Baseline baseline,
                                         const DetectorOptions& options) {
  if (auto sound = check_design(run); !sound) return base::Unexpected(sound.error());
  ScoredRun out;
  out.window_count_ = run.x.rows();
  const Index fold = (out.window_count_ + kMostFolds - 1) / kMostFolds;
  const Index margin = neighbourhood(out.window_count_, fold);
  out.baseline_ = margin < kLeastNeighbourhood ? Baseline::kRun : baseline;
  base::Result<void> added;
  if (out.baseline_ == Baseline::kRun) {
    added = out.add_whole(run, options);
  } else {
    for (Index first = 0; added && first < out.window_count_; first += fold) {
      const Index count = std::min(fold, out.window_count_ - first);
      added = out.add_fold(run, first, count, margin, options);
    }
  }
  if (!added) return base::Unexpected(added.error());
  out.collect_scores();
  return out;
}

base::Result<void> ScoredRun::add_whole(const Design& run, const DetectorOptions& options) {
  auto detectors = fit_all(run, options);
  if (!detectors) return base::Unexpected(detectors.error());
  folds_.push_back({0, run, std::move(*detectors)});
  return {};
}

base::Result<void> ScoredRun::add_fold(const Design& run, Index first, Index count, Index margin,
                                       const DetectorOptions& options) {
  const auto rest = rows_without(window_count_, first - margin, first + count + margin);
  const Usual known = usual(run.x(rest, Eigen::all));
  const auto fitted_rows = thinned(rest);
  auto with_fold_rows = fitted_rows;
  for (Index row = first; row < first + count; ++row) with_fold_rows.push_back(row);
  const Design fitted = restandardised(run, run.x(fitted_rows, Eigen::all), known);
  const Design with_fold = restandardised(run, run.x(with_fold_rows, Eigen::all), known);

  Fold fold{first, restandardised(run, run.x.middleRows(first, count), known), {}};
  for (const auto& descriptor : registry()) {
    fold.detectors.push_back(descriptor.make(options));
    const auto& samples = descriptor.knows_only_fitted ? with_fold : fitted;
    if (auto done = fold.detectors.back()->fit(samples); !done) return done;
  }
  folds_.push_back(std::move(fold));
  return {};
}

void ScoredRun::collect_scores() {
  for (std::size_t i = 0; i < folds_.front().detectors.size(); ++i) {
    Eigen::VectorXd scores(window_count_);
    for (const auto& fold : folds_) {
      scores.segment(fold.first, fold.design.x.rows()) = fold.detectors[i]->score(fold.design);
    }
    scores_.push_back(std::move(scores));
  }
}

std::string_view ScoredRun::name(std::size_t detector) const {
  return folds_.front().detectors[detector]->name();
}

Eigen::VectorXd ScoredRun::contributions(std::size_t detector, Index window) const {
  const auto after = std::upper_bound(folds_.begin(), folds_.end(), window,
                                      [](Index row, const Fold& fold) { return row < fold.first; });
  const auto& fold = *std::prev(after);
  return fold.detectors[detector]->contributions(fold.design, window - fold.first);
}

}  // namespace reveal::detect
