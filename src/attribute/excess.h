// The part of a detector's score that is out of the ordinary. Every column contributes to every
// window's score, quiet columns too, so the evidence of an alarm is what exceeds each column's
// usual part.
#pragma once

#include <Eigen/Core>

namespace reveal::attribute {

// Returns the contributions less their usual parts: negative values become 0, and the rest is
// scaled to sum to 1 (all 0 if nothing exceeds). An empty `usual` means 0 for all.
Eigen::VectorXd excess_shares(Eigen::VectorXd contributions, const Eigen::VectorXd& usual);

// Adds up the blame of several detectors for a window. The detector of saturation signals weighs as
// much as all the others together: they only tell what else was different.
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
