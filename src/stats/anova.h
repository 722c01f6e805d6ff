// One-way analysis of variance (R. A. Fisher, "Statistical Methods for Research Workers", 1925):
// whether groups of samples have one mean, if each is normal with the same variance. F and p are
// those of scipy.stats.f_oneway.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace reveal::stats {

struct Anova {
  std::size_t groups = 0;  // that have samples
  std::size_t count = 0;   // of samples
  // The mean square between groups over that within them: infinite if nothing varies within groups,
  // and NaN if nothing varies at all, there are fewer than two groups, or no group has two samples.
  double f = std::numeric_limits<double>::quiet_NaN();
  double p = std::numeric_limits<double>::quiet_NaN();  // of an F as large; NaN if F is
  // The share of the sum of squares that lies between groups, 0 to 1; NaN if nothing varies.
  double eta2 = std::numeric_limits<double>::quiet_NaN();
};

// Returns the analysis; empty groups count nothing. REQUIRES: all finite.
Anova one_way_anova(std::span<const std::vector<double>> groups);

}  // namespace reveal::stats
