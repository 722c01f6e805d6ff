// The share of levels that lie far from their median, in robust units: neither faults nor the rare
// bursts that every host has, as long as they fill less than a tenth of the run, widen what passes
// for usual. Levels are the columns that say where a channel's samples lie (Design::levels): of ten
// features of a channel that moved, eight only follow.
//
//   score = count of |x_j - median_j| > 5 s_j, over the L levels
//   s_j = max(1.4826 MAD_j, (90 % quantile - 10 % quantile) / 2.563): of a normal distribution both
//         are the standard deviation; where a channel has two usual levels, the second is larger
//   parts: 1 / L for each of those, which sum to it
//
// A level whose MAD is 0 stood still in more than half of the windows: what is far cannot be told
// of it, and it is not counted.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "detect/detector.h"
#include "detect/robust_spread.h"
#include "stats/quantile.h"

namespace reveal::detect {
namespace {

using Eigen::Index;

constexpr double kFarOut = 5;

// REQUIRES: ascending.
double spread_of(const std::vector<double>& sorted) {
  return stats::mad(sorted) == 0 ? 0 : robust_spread(sorted, kMiddleFourFifths);
}

class RobustOutlierShare final : public Detector {
 public:
  RobustOutlierShare(std::vector<Index> columns, Index left_out)
      : columns_(std::move(columns)), left_out_(left_out) {}

  std::string_view name() const override { return "robust_outlier_share"; }

  base::Result<void> fit(const Windows& x) override {
    if (auto sound = check_windows(x); !sound) return sound;
    if (columns_.empty()) {
      columns_.resize(static_cast<std::size_t>(x.cols()));
      std::iota(columns_.begin(), columns_.end(), Index{0});
    }
    rows_ = static_cast<double>(x.rows());
    learn(x, center_, spread_);
    return {};
  }

  Eigen::VectorXd score(const Windows& x) const override {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(x.rows());
    for (Index i = 0; i < center_.size(); ++i) {
      if (spread_(i) == 0) continue;
      const auto far = (x.col(column(i)).array() - center_(i)).abs() > kFarOut * spread_(i);
      out.array() += far.cast<double>();
    }
    return out / level_count();
  }

  Eigen::VectorXd contributions(const Windows& x, Index row) const override {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(x.cols());
    for (Index i = 0; i < center_.size(); ++i) {
      const double far = std::abs(x(row, column(i)) - center_(i));
      if (spread_(i) > 0 && far > kFarOut * spread_(i)) out(column(i)) = 1;
    }
    return out / level_count();
  }

  double resolution() const override { return 1 / level_count(); }

  void save(StateWriter& out) const override {
    out.number(rows_);
    std::vector<std::int32_t> columns(columns_.begin(), columns_.end());
    out.integers(columns);
    out.vector(center_);
    out.vector(spread_);
  }

  void load(StateReader& in, Index columns) override {
    rows_ = in.number();
    const auto stored = in.integers();
    columns_.assign(stored.begin(), stored.end());
    center_ = in.vector();
    spread_ = in.vector();
    const auto count = static_cast<Index>(columns_.size());
    bool sound = rows_ > 0 && count > 0 && center_.size() == count && spread_.size() == count &&
                 center_.allFinite() && spread_.allFinite() && (spread_.array() >= 0).all();
    for (const Index column : columns_) sound = sound && column >= 0 && column < columns;
    if (!sound) in.fail();
  }

  // Nearly, and of enough windows: medians and spreads are averaged by windows, which is exact if
  // both are the same.
  bool update(const Windows& more) override {
    if (more.rows() < kMinWindows) return false;
    Eigen::VectorXd center;
    Eigen::VectorXd spread;
    learn(more, center, spread);
    const auto added = static_cast<double>(more.rows());
    average_by_windows(rows_, added, center, center_);
    average_by_windows(rows_, added, spread, spread_);
    rows_ += added;
    return true;
  }

 private:
  // Returns of how many levels a share is: those that were left out count (Design::left_out).
  double level_count() const { return static_cast<double>(std::ssize(columns_) + left_out_); }
  Index column(Index i) const { return columns_[static_cast<std::size_t>(i)]; }

  void learn(const Windows& x, Eigen::VectorXd& center, Eigen::VectorXd& spread) const {
    const auto count = static_cast<Index>(columns_.size());
    center.resize(count);
    spread.resize(count);
    std::vector<double> values(static_cast<std::size_t>(x.rows()));
    for (Index i = 0; i < count; ++i) {
      const auto from = x.col(column(i));
      std::copy(from.begin(), from.end(), values.begin());
      std::sort(values.begin(), values.end());
      center(i) = stats::median_of_sorted(values);
      spread(i) = spread_of(values);
    }
  }

  double rows_ = 0;
  std::vector<Index> columns_;
  Index left_out_;
  Eigen::VectorXd center_;  // by level: median and spread, in the units of the design
  Eigen::VectorXd spread_;
};

}  // namespace

std::unique_ptr<Detector> make_robust_outlier_share(const DetectorOptions& options) {
  return std::make_unique<RobustOutlierShare>(options.levels, options.left_out.levels);
}

}  // namespace reveal::detect
