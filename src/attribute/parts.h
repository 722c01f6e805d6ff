// Shares of live columns, summed by channel or ordered by size.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "detect/design.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::attribute {

// A live column and its share.
struct Part {
  std::size_t live;
  double share;
};

// Returns the `count` largest shares above 0, largest first.
std::vector<Part> strongest(const Eigen::VectorXd& shares, std::size_t count);

// Returns the columns' shares summed by ChannelId, of which there are `channels`; NaN for channels
// that no detector saw.
std::vector<double> by_channel(const Eigen::VectorXd& shares, const detect::Design& design,
                               const feature::FeatureMatrix& matrix, std::size_t channels);

// Sets the values of columns that the run lacks to 0: there is nothing to show as evidence.
void clear_absent(Eigen::VectorXd& values, const detect::Design& design);

// The claim of a finding without a telling part.
inline constexpr std::string_view kNoClaim = "No single metric stands out";

// Returns the parts that the sentence on that subsystem may be about, largest first: those whose
// feature is legible (a level, not a shape). If the largest part of all is more than three times as
// large as any of them, it returns that one alone. Empty if the subsystem has no part.
std::vector<Part> telling_parts(const Eigen::VectorXd& shares, const model::ChannelTable& channels,
                                const detect::Design& design, const feature::FeatureMatrix& matrix,
                                model::Subsystem subsystem);

}  // namespace reveal::attribute
