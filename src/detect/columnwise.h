// What detectors share that look at each column by itself: where the columns lie and how far they
// spread. A design is standardized by what it is fitted on, so this is 0 and 1 until more windows
// are learned.
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
