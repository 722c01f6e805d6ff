#include "model/channel_filter.h"

#include <algorithm>

namespace reveal::model {

void ChannelFilter::take_new_channels(const ChannelTable& all) {
  if (seen_ == all.channel_count()) return;
  const std::vector<bool> keep = choice_(all);
  for (; seen_ < all.channel_count(); ++seen_) {
    const ChannelId id(seen_);
    if (!keep[seen_]) continue;
    const ChannelId kept =
        kept_.add_channel(kept_.add_metric(all.metric(id)), all.channel(id).instance);
    channel_of_.push_back(id);
    if (kept_.source(kept).index() == source_of_.size()) source_of_.push_back(all.source(id));
  }
}

const Frame& ChannelFilter::apply(const ChannelTable& all, const Frame& frame) {
  take_new_channels(all);
  frame_.sequence = frame.sequence;
  frame_.wall_ns = frame.wall_ns;
  frame_.mono_ns = frame.mono_ns;
  frame_.cost_ns = frame.cost_ns;
  frame_.gap = frame.gap;
  frame_.notes = frame.notes;
  // A frame of n values uses the first n channels; those kept of them come first as well.
  const auto end =
      std::partition_point(channel_of_.begin(), channel_of_.end(),
                           [&frame](ChannelId id) { return id.index() < frame.bits.size(); });
  const auto count = static_cast<std::size_t>(end - channel_of_.begin());
  frame_.bits.resize(count);
  frame_.validity.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    frame_.bits[i] = frame.bits[channel_of_[i].index()];
    frame_.validity[i] = frame.validity[channel_of_[i].index()];
  }
  frame_.read_ns.clear();
  for (const SourceId source : source_of_) {
    if (source.index() < frame.read_ns.size()) frame_.read_ns.push_back(frame.read_ns_of(source));
  }
  return frame_;
}

}  // namespace reveal::model
