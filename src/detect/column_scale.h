// Where the columns of a design lie and how far they spread, for detectors that look at each by
// itself. A design is standardised by what it is fitted on, so this is 0 and 1 until more windows
// are learnt.
#pragma once

#include <Eigen/Core>

#include "detect/design.h"
#include "detect/state.h"

namespace reveal::detect {

class ColumnScale {
 public:
  ColumnScale() = default;
  // As fitted on so many rows of a design.
  ColumnScale(Eigen::Index rows, Eigen::Index columns)
      : rows_(static_cast<double>(rows)),
        centre_(Eigen::VectorXd::Zero(columns)),
        deviation_(Eigen::VectorXd::Ones(columns)) {}

  const Eigen::VectorXd& centre() const { return centre_; }        // in the units of the design
  const Eigen::VectorXd& deviation() const { return deviation_; }  // likewise, population formula

  // Returns, by column, how many deviations the window lies from the centre.
  Eigen::VectorXd distances(const Windows& x, Eigen::Index row) const;

  // Learns more windows, as if they had been there from the beginning.
  void update(const Windows& more);

  void save(StateWriter& out) const;
  void load(StateReader& in, Eigen::Index columns);

 private:
  double rows_ = 0;
  Eigen::VectorXd centre_;
  Eigen::VectorXd deviation_;
};

}  // namespace reveal::detect
