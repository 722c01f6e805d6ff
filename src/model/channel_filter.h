// Frames of some channels out of frames of all: a recording of just those that a plan keeps. The
// kept channels get numbers of their own, without holes.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "model/channel_table.h"
#include "model/frame.h"

namespace reveal::model {

class ChannelFilter {
 public:
  // Returns, for each channel of a table, whether it is kept; asked again when the table has grown.
  // What it has said of a channel holds.
  using Choice = std::function<std::vector<bool>(const ChannelTable&)>;

  explicit ChannelFilter(Choice choice) : choice_(std::move(choice)) {}

  // Returns the frame with the kept channels only, valid until the next call. REQUIRES: `all` only
  // ever grows.
  const Frame& apply(const ChannelTable& all, const Frame& frame);

  // Returns the channels of the frames that apply() returns.
  const ChannelTable& channels() const { return kept_; }

 private:
  void take_new_channels(const ChannelTable& all);

  Choice choice_;
  ChannelTable kept_;
  std::size_t seen_ = 0;               // channels of `all` that were decided
  std::vector<ChannelId> channel_of_;  // of each kept channel, its number in `all`
  std::vector<SourceId> source_of_;    // of each collector that has kept channels, likewise
  Frame frame_;
};

}  // namespace reveal::model
