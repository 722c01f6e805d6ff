// What a collector writes one tick into: the frame, and the table that it may add channels to when
// a device appears. A channel added mid-run makes the frame longer; no channel ever moves.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/channel_table.h"
#include "model/frame.h"

namespace reveal::collect {

class FrameWriter {
 public:
  FrameWriter(model::ChannelTable& channels, model::Frame& frame)
      : channels_(channels), frame_(frame) {
    frame_.resize(channels_.channel_count());
  }

  // Returns the channel, adding it when it is new. Allocates; for opening and hotplug only.
  model::ChannelId add_channel(const model::MetricDescriptor& metric, std::string_view instance) {
    const auto id = channels_.add_channel(channels_.add_metric(metric), instance);
    frame_.resize(channels_.channel_count());
    return id;
  }

  void set(model::ChannelId id, std::uint64_t value) { frame_.set_u64(id, value); }

  // Lets the value of the tick before stand for this tick too.
  void repeat(model::ChannelId id, model::Validity validity) {
    frame_.validity[id.index()] = validity;
  }

 private:
  model::ChannelTable& channels_;
  model::Frame& frame_;
};

}  // namespace reveal::collect
