// What is said of live columns, told by channel or by rank.
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

// Sets to 0 what is said of columns that the run lacks: there is no value to show as evidence.
void clear_absent(Eigen::VectorXd& values, const detect::Design& design);

// What is said where there is no telling part.
inline constexpr std::string_view kNoClaim = "No single metric stands out";

// Returns the parts that a sentence on that subsystem may be made of, largest first: those whose
// feature is legible (a level, not a shape), unless the largest of all is more than three times as
// large; else that one alone. Empty where there is none of the subsystem.
std::vector<Part> telling_parts(const Eigen::VectorXd& shares, const model::ChannelTable& channels,
                                const detect::Design& design, const feature::FeatureMatrix& matrix,
                                model::Subsystem subsystem);

}  // namespace reveal::attribute
