// Shared by detectors that look at each column by itself: location and spread of the columns. A
// design is standardized by its own windows, so these are 0 and 1 until more windows are
// learned.
#pragma once

#include <Eigen/Core>

#include "detect/detector.h"

namespace reveal::detect {

class Columnwise : public Detector {
 public:
  explicit Columnwise(Eigen::Index left_out) : left_out_(left_out) {}

  base::Result<void> fit(const Windows& x) final;
  void save(StateWriter& out) const final;
  void load(StateReader& in, Eigen::Index columns) final;
  // Exactly as if fitted on these windows, too.
  bool update(const Windows& more) final;

 protected:
  // In the units of the design; deviations by the population formula.
  const Eigen::VectorXd& center() const { return center_; }
  const Eigen::VectorXd& deviation() const { return deviation_; }
  // Returns of how many columns a share is: those that were left out count (Design::left_out).
  double column_count() const { return static_cast<double>(center_.size() + left_out_); }

 private:
  Eigen::Index left_out_;
  double rows_ = 0;
  Eigen::VectorXd center_;
  Eigen::VectorXd deviation_;
};

}  // namespace reveal::detect
