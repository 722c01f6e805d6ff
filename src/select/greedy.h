// The step that all pruning has in common: channels are visited by priority, and each is kept
// unless it moves with a kept one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "select/selection_plan.h"

namespace reveal::select {

// Returns the clusters of channels in the order of their priority, with their correlations by
// place.
std::vector<Cluster> clusters(std::span<const std::string> by_priority, const Eigen::MatrixXd& r,
                              double threshold);

}  // namespace reveal::select
