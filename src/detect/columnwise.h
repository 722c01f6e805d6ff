// Shared by detectors that look at each column by itself: location and spread of the columns. A
// design is standardized by its own windows, so these are 0 and 1 until more windows are
// learned.
#pragma once

#include <Eigen/Core>

#include "detect/detector.h"

namespace reveal::detect {

class Columnwise : public Detector {
 public:
  base::Result<void> fit(const Windows& x) final;
  void save(StateWriter& out) const final;
  void load(StateReader& in, Eigen::Index columns) final;
  // Exactly as if fitted on these windows, too.
  bool update(const Windows& more) final;

 protected:
  // In the units of the design; deviations by the population formula.
  const Eigen::VectorXd& center() const { return center_; }
  const Eigen::VectorXd& deviation() const { return deviation_; }

 private:
  double rows_ = 0;
  Eigen::VectorXd center_;
  Eigen::VectorXd deviation_;
};

}  // namespace reveal::detect
