// Turns windows into rows of the feature matrix.
//
// A channel that was there for less than half of a window says little about it, so all its features
// are undefined there; the rest compute from the valid samples only. Infinite samples count as
// missing: no statistic of them is finite. Static channels get no columns. Columns are ordered by
// channel, then by the registry, and channels that appear later are appended, so the same frames
// give the same matrix live and in replay.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "feature/feature.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "window/window_view.h"

namespace reveal::feature {

class FeatureExtractor {
 public:
  // `channels` are those of the windows (derived, not raw); it may grow and must outlive this.
  explicit FeatureExtractor(const model::ChannelTable& channels) : channels_(channels) {}

  // Appends one row, after columns for the channels that it has not seen before. REQUIRES: `matrix`
  // is empty at the first call and the same one at every call; the window's channels are in the
  // table.
  void append(const window::WindowView& window, FeatureMatrix& matrix);

 private:
  void add_columns(std::size_t channel_count, FeatureMatrix& matrix);
  // Gathers the channel's valid samples. Returns false where they are too few to judge it.
  bool load(std::span<const double> samples);

  const model::ChannelTable& channels_;
  std::size_t known_channels_ = 0;
  std::vector<double> values_;  // of the channel at hand, in time order
  std::vector<double> sorted_;
};

// Returns "metric{instance}__maximum", the name of a column.
std::string feature_name(const model::ChannelTable& channels, FeatureKey key);

}  // namespace reveal::feature
