// Small linear regressions of one channel.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace reveal::feature {

// Returns the coefficients of the columns whose sum is nearest to the target, by modified
// Gram-Schmidt (Bjorck 1967); nothing if a column is a sum of those before it, but for rounding.
// REQUIRES: columns as long as the target, and no more of them than rows. Destroys both.
std::optional<std::vector<double>> least_squares(std::vector<std::vector<double>>& columns,
                                                 std::vector<double>& target);

}  // namespace reveal::feature
