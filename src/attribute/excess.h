// What a detector's score says beyond the ordinary: every window's score has contributions from
// every column, quiet ones too. The evidence of an alarm is what exceeds each column's usual part.
#pragma once

#include <Eigen/Core>

namespace reveal::attribute {

// Returns what of the contributions exceeds their usual parts, negative ones cut to 0, scaled to
// sum to 1 (all 0 where nothing exceeds). `usual` may be empty: none has any.
Eigen::VectorXd excess_shares(Eigen::VectorXd contributions, const Eigen::VectorXd& usual);

// Adds up what several detectors say of a window. What stalls work counts as much as all that
// only tells what else was different.
class WindowBlame {
 public:
  explicit WindowBlame(Eigen::Index columns)
      : others_(Eigen::VectorXd::Zero(columns)), saturation_(others_) {}

  void add(const Eigen::VectorXd& shares, bool of_saturation) {
    (of_saturation ? saturation_ : others_) += shares;
  }
  // Returns the sum, by live column.
  Eigen::VectorXd total() const;

 private:
  Eigen::VectorXd others_;
  Eigen::VectorXd saturation_;
};

}  // namespace reveal::attribute
