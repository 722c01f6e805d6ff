// The output of a collector for one tick: the frame, and the table to which it may add channels
// when a device appears, and from which it may release those of one that is gone. A channel added
// mid-run makes the frame longer, or gets the number of one that was released; no channel ever
// moves.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/channel_table.h"
#include "model/frame.h"

namespace reveal::collect {

class FrameWriter {
 public:
  // `source`: the name of the collector that writes; outlives the writer.
  FrameWriter(model::ChannelTable& channels, model::Frame& frame, std::string_view source = {})
      : channels_(channels), frame_(frame), source_(source) {
    frame_.resize(channels_.channel_count());
  }

  // Returns the channel, adding it when it is new. Allocates; for opening and hotplug only.
  model::ChannelId add_channel(const model::MetricDescriptor& metric, std::string_view instance) {
    const auto id = channels_.add_channel(channels_.add_metric(metric), instance);
    frame_.resize(channels_.channel_count());
    return id;
  }

  // Gives back the channel of what is gone, and will not be written to any more. If it comes back
  // it gets another number under the same name.
  void release_channel(model::ChannelId id) {
    channels_.release_channel(id);
    frame_.validity[id.index()] = model::Validity::kMissing;
  }

  void set(model::ChannelId id, std::uint64_t value) { frame_.set_u64(id, value); }
  void set(model::ChannelId id, double value) { frame_.set_f64(id, value); }

  // Says that the value set for the channel in this tick does not go on from the one before: the
  // device was replaced, the driver loaded anew. REQUIRES: set() in this tick.
  void mark_reset(model::ChannelId id) { frame_.validity[id.index()] = model::Validity::kReset; }

  // States what holds from now on ("mtu of eth0", "9000"), until it is stated anew; an empty text
  // ends it. Say it once, when it changes. Allocates.
  void note_fact(std::string_view subject, std::string_view text) {
    note(model::Note::Kind::kFact, subject, text);
  }
  // Tells what happened at this moment. Allocates.
  void note_event(std::string_view subject, std::string_view text) {
    note(model::Note::Kind::kEvent, subject, text);
  }

  // Lets the value of the tick before stand for this tick too.
  void repeat(model::ChannelId id, model::Validity validity) {
    frame_.validity[id.index()] = validity;
  }

 private:
  void note(model::Note::Kind kind, std::string_view subject, std::string_view text) {
    frame_.notes.push_back({kind, std::string(source_), std::string(subject), std::string(text)});
  }

  model::ChannelTable& channels_;
  model::Frame& frame_;
  std::string_view source_;
};

}  // namespace reveal::collect
