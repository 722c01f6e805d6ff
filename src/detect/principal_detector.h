// Shared by detectors that look at how columns move together: the principal components that hold 95
// % of the variance.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include <Eigen/Core>

#include "detect/detector.h"
#include "detect/incremental_axes.h"

namespace reveal::detect {

class PrincipalDetector : public Detector {
 public:
  base::Result<void> fit(const Windows& x) final;
  bool fit_like(const Detector& other) final;
  void save(StateWriter& out) const final;
  void load(StateReader& in, Eigen::Index columns) final;
  bool update(const Windows& more) final;

 protected:
  const PrincipalAxes& principal() const { return learned_->axes.principal; }
  // Returns the coordinates of windows in the components, a row a window.
  Eigen::MatrixXd coordinates(const Windows& x) const;

 private:
  // What was learned, and the coordinates of one window that were asked for last: live, each
  // detector asks for them for its score, and one for its parts.
  struct Learned {
    explicit Learned(LearnedAxes of) : axes(std::move(of)) {}

    const LearnedAxes axes;
    mutable std::mutex mutex{};  // of the two below
    mutable Eigen::RowVectorXd last{};
    mutable Eigen::MatrixXd coordinates{};
  };

  std::shared_ptr<const Learned> learned_;  // those that were fitted on the same have the same
};

}  // namespace reveal::detect
