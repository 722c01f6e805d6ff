// What a detector's score says beyond the ordinary: every window's score has contributions from
// every column, quiet ones too. The evidence of an alarm is what exceeds each column's usual part.
#pragma once

#include <cstddef>
#include <span>

#include <Eigen/Core>

#include "detect/scored_run.h"

namespace reveal::attribute {

class ExcessContributions {
 public:
  // Learns each live column's median contribution over `baseline_rows` (evenly thinned to at most
  // kMaxRows of them). Without any, the usual part is 0.
  ExcessContributions(const detect::ScoredRun& run, std::size_t detector,
                      std::span<const std::size_t> baseline_rows);

  // Returns, by live column, the part of the window's score above the column's usual part, negative
  // ones cut to 0, scaled to sum to 1 (all 0 where nothing exceeds).
  Eigen::VectorXd shares(std::size_t row) const;

  static constexpr std::size_t kMaxRows = 200;

 private:
  const detect::ScoredRun& run_;
  std::size_t detector_;
  Eigen::VectorXd usual_;
};

}  // namespace reveal::attribute
