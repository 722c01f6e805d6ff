// How far several channels of one subsystem lie from their usual at once: a strong burst in one
// subsystem must not drown among the channels of the others, as it does in a mean, a share or a
// distance over all columns. It sees each channel's median in a window, which a few odd samples do
// not move.
//
//   x_j is taken without the limit of standardize.h, for only ranks and spreads count here:
//   r_j = |x_j - median_j| / (5 s_j), at most 8; s_j the robust spread, of which what fills a fifth
//         of the run moves nothing or, if that is 0, the standard deviation
//   score = the third highest r_j of a subsystem, the largest over the subsystems: 1 if three
//         channels are far out. If a subsystem has more than 150, a fiftieth of them must be
//   parts: the score, shared by r_j squared among the channels of that subsystem
//
// A subsystem with fewer than three channels does not count: it says no more than one of them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "detect/detector.h"
#include "detect/robust_spread.h"
#include "detect/standardize.h"
#include "stats/quantile.h"

namespace reveal::detect {
namespace {

using Eigen::Index;

constexpr double kFarOut = 5;
// Beyond that, farther says no more. A column that never moved before has it, too: 40 standard
// deviations (standardize.h).
constexpr double kFarthestOut = 8;
constexpr std::size_t kLeastChannels = 3;
constexpr std::size_t kChannelsToOne = 50;
// Of a quiet run the scores are some tenths; what differs by less is not a spread.
constexpr double kStep = 0.25;

using Groups = std::vector<std::vector<Index>>;

std::size_t needed(const std::vector<Index>& group) {
  return std::max(kLeastChannels, (group.size() + kChannelsToOne - 1) / kChannelsToOne);
}

class SubsystemBurst final : public Detector {
 public:
  explicit SubsystemBurst(Groups groups) : groups_(std::move(groups)) {}

  std::string_view name() const override { return "subsystem_burst"; }
  double resolution() const override { return kStep; }

  base::Result<void> fit(const Windows& x) override {
    if (auto sound = check_windows(x); !sound) return sound;
    if (groups_.empty()) {
      groups_.emplace_back(static_cast<std::size_t>(x.cols()));
      std::iota(groups_.front().begin(), groups_.front().end(), Index{0});
    }
    rows_ = static_cast<double>(x.rows());
    learn(x, center_, spread_);
    return {};
  }

  Eigen::VectorXd score(const Windows& x) const override {
    return Eigen::VectorXd::NullaryExpr(x.rows(), [&](Index row) { return worst(x, row).score; });
  }

  Eigen::VectorXd contributions(const Windows& x, Index row) const override {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(x.cols());
    const auto found = worst(x, row);
    if (found.score <= 0) return out;
    Index place = found.place;
    for (const Index column : groups_[found.group]) {
      const double far = far_out(x(row, column), place++);
      out(column) = far * far;
    }
    return out * (found.score / out.sum());
  }

  void save(StateWriter& out) const override {
    out.number(rows_);
    std::vector<std::int32_t> sizes;
    std::vector<std::int32_t> columns;
    for (const auto& group : groups_) {
      sizes.push_back(static_cast<std::int32_t>(group.size()));
      columns.insert(columns.end(), group.begin(), group.end());
    }
    out.integers(sizes);
    out.integers(columns);
    out.vector(center_);
    out.vector(spread_);
  }

  void load(StateReader& in, Index columns) override {
    rows_ = in.number();
    const auto sizes = in.integers();
    const auto stored = in.integers();
    center_ = in.vector();
    spread_ = in.vector();
    const auto count = static_cast<Index>(stored.size());
    bool sound = rows_ > 0 && center_.size() == count && spread_.size() == count &&
                 center_.allFinite() && spread_.allFinite() && (spread_.array() > 0).all();
    for (const auto column : stored) sound = sound && column >= 0 && column < columns;
    groups_.clear();
    std::size_t first = 0;
    for (const auto size : sizes) {
      sound = sound && size >= 0 && static_cast<std::size_t>(size) <= stored.size() - first;
      if (!sound) break;
      const auto begin = stored.begin() + static_cast<std::ptrdiff_t>(first);
      groups_.emplace_back(begin, begin + size);
      first += static_cast<std::size_t>(size);
    }
    if (!sound || first != stored.size()) in.fail();
  }

  // Nearly, and of enough windows: medians and spreads are averaged by windows.
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
  struct Worst {
    double score = 0;
    std::size_t group = 0;
    Index place = 0;  // of the group's first column among all
  };

  double far_out(double value, Index place) const {
    const double far = std::abs(without_limit(value) - center_(place)) / (kFarOut * spread_(place));
    return std::min(far, kFarthestOut);
  }

  Worst worst(const Windows& x, Index row) const {
    Worst out;
    Index place = 0;
    std::vector<double> far;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const Index first = place;
      far.clear();
      for (const Index column : groups_[i]) far.push_back(far_out(x(row, column), place++));
      const auto last = static_cast<std::ptrdiff_t>(needed(groups_[i])) - 1;
      if (static_cast<std::ptrdiff_t>(far.size()) <= last) continue;
      std::nth_element(far.begin(), far.begin() + last, far.end(), std::greater<>());
      const double score = far[static_cast<std::size_t>(last)];
      if (score > out.score) out = {score, i, first};
    }
    return out;
  }

  void learn(const Windows& x, Eigen::VectorXd& center, Eigen::VectorXd& spread) const {
    std::size_t count = 0;
    for (const auto& group : groups_) count += group.size();
    center.resize(static_cast<Index>(count));
    spread.resize(static_cast<Index>(count));
    std::vector<double> values(static_cast<std::size_t>(x.rows()));
    Index place = 0;
    for (const auto& group : groups_) {
      for (const Index column : group) {
        const auto from = x.col(column);
        std::ranges::transform(from, values.begin(), without_limit);
        std::sort(values.begin(), values.end());
        center(place) = stats::median_of_sorted(values);
        spread(place) = spread_of(values);
        ++place;
      }
    }
  }

  // Values are in standard deviations.
  static double spread_of(const std::vector<double>& sorted) {
    const double spread = robust_spread(sorted, kMiddleThreeFifths);
    return spread > 0 ? spread : 1.0;
  }

  double rows_ = 0;
  Groups groups_;           // columns, by subsystem
  Eigen::VectorXd center_;  // of each of these columns, one group after the other
  Eigen::VectorXd spread_;
};

}  // namespace

std::unique_ptr<Detector> make_subsystem_burst(const DetectorOptions& options) {
  return std::make_unique<SubsystemBurst>(options.by_subsystem);
}

}  // namespace reveal::detect
