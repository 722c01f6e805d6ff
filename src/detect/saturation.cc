// How far what stalls work lies above the usual: one metric that says so is enough, where others
// need many columns. It sees levels of saturation_signals.h alone, each in units of the least rise
// that counts.
//
//   z_j = (x_j - median_j) / max(5 s_j, 1), 0 where below; s_j the robust spread, of which a fault
//         that fills a fifth of the run moves nothing
//   score = the largest z_j: 1 is a rise that an operator would call something, and that is far
//           from what the run has by itself
//   parts: the score, shared by z_j squared, none counting more than 20
//
// What is undefined has no z.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "detect/detector.h"
#include "detect/robust_spread.h"
#include "detect/saturation_parts.h"
#include "stats/quantile.h"

namespace reveal::detect {
namespace {

using Eigen::Index;

constexpr double kFarOut = 5;
constexpr double kMaxOfOne = 20;
// Of a quiet run the scores are 0 to some tenths; what differs by less is not a spread.
constexpr double kStep = 0.2;

class SaturationDetector final : public Detector {
 public:
  std::string_view name() const override { return "saturation"; }
  bool sees_saturation() const override { return true; }
  double resolution() const override { return kStep; }

  base::Result<void> fit(const Windows& x) override {
    if (auto sound = check_windows(x); !sound) return sound;
    rows_ = static_cast<double>(x.rows());
    center_ = Eigen::VectorXd::Zero(x.cols());
    unit_ = Eigen::VectorXd::Ones(x.cols());
    learn(x, center_, unit_);
    return {};
  }

  Eigen::VectorXd score(const Windows& x) const override {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(x.rows());
    for (Index row = 0; row < x.rows(); ++row) {
      for (Index j = 0; j < x.cols(); ++j) out(row) = std::max(out(row), far(x(row, j), j));
    }
    return out;
  }

  Eigen::VectorXd contributions(const Windows& x, Index row) const override {
    Eigen::VectorXd out(x.cols());
    double score = 0;
    for (Index j = 0; j < x.cols(); ++j) {
      const double z = far(x(row, j), j);
      score = std::max(score, z);
      out(j) = std::min(z, kMaxOfOne) * std::min(z, kMaxOfOne);
    }
    const double sum = out.sum();
    return sum > 0 ? Eigen::VectorXd(out * (score / sum)) : out;
  }

  void save(StateWriter& out) const override {
    out.number(rows_);
    out.vector(center_);
    out.vector(unit_);
  }

  void load(StateReader& in, Index columns) override {
    rows_ = in.number();
    center_ = in.vector();
    unit_ = in.vector();
    const bool sound = rows_ > 0 && center_.size() == columns && unit_.size() == columns &&
                       center_.allFinite() && (unit_.array() >= 1).all();
    if (!sound) in.fail();
  }

  // Nearly, and of enough windows: medians and units are averaged by windows. Of a column that is
  // not defined in any of them nothing is learned.
  bool update(const Windows& more) override {
    if (more.rows() < kMinWindows) return false;
    Eigen::VectorXd center = center_;
    Eigen::VectorXd unit = unit_;
    learn(more, center, unit);
    const auto added = static_cast<double>(more.rows());
    const double share = added / (rows_ + added);
    center_ += share * (center - center_);
    unit_ += share * (unit - unit_);
    rows_ += added;
    return true;
  }

  void forget_beyond(double windows) override { rows_ = std::min(rows_, windows); }

 private:
  // Returns how far a value lies above the usual; 0 if it does not, or is undefined.
  double far(double value, Index j) const {
    const double z = (value - center_(j)) / unit_(j);
    return z > 0 ? std::min(z, kFarthest) : 0.0;
  }

  // Sets what the windows say of their columns.
  static void learn(const Windows& x, Eigen::VectorXd& center, Eigen::VectorXd& unit) {
    std::vector<double> values;
    for (Index j = 0; j < x.cols(); ++j) {
      values.clear();
      for (const double value : x.col(j)) {
        if (std::isfinite(value)) values.push_back(value);
      }
      if (values.empty()) continue;
      std::sort(values.begin(), values.end());
      center(j) = stats::median_of_sorted(values);
      unit(j) = std::max(kFarOut * robust_spread(values, kMiddleThreeFifths), 1.0);
    }
  }

  // A score beyond this says no more, and stays a number that others can add.
  static constexpr double kFarthest = 1e9;

  double rows_ = 0;
  Eigen::VectorXd center_;  // by column: median, and what one of the score is
  Eigen::VectorXd unit_;
};

}  // namespace

// The largest part is the score's, and parts are squares. A column that counts as much as any has
// the score itself, which may be higher than what parts tell.
Eigen::VectorXd own_scores(const Eigen::VectorXd& parts, double score) {
  const double largest = parts.size() > 0 ? parts.maxCoeff() : 0;
  if (largest <= 0) return Eigen::VectorXd::Zero(parts.size());
  Eigen::VectorXd out = (parts / largest).cwiseMax(0.0).cwiseSqrt() * std::min(score, kMaxOfOne);
  for (Index j = 0; j < parts.size(); ++j) {
    if (parts(j) >= largest) out(j) = score;
  }
  return out;
}

std::unique_ptr<Detector> make_saturation(const DetectorOptions&) {
  return std::make_unique<SaturationDetector>();
}

}  // namespace reveal::detect
