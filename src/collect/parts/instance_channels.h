// The channels of one instance (a core, a disk, the host): one for each metric of its collector, by
// the metric's row. A channel comes into being with its first value, so a metric that this kernel
// does not have makes none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collect/frame_writer.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {

class InstanceChannels {
 public:
  // REQUIRES: `metrics` outlives this.
  InstanceChannels(std::span<const model::MetricDescriptor> metrics, std::string instance)
      : metrics_(metrics), instance_(std::move(instance)), slots_(metrics.size()) {}

  // Sets the metric of that row, or leaves it missing if there is no value.
  void set(FrameWriter& writer, std::size_t row, procfs::Value value) {
    if (value) writer.set(channel(writer, row), *value);
  }
  void set(FrameWriter& writer, std::size_t row, std::optional<double> value) {
    if (value) writer.set(channel(writer, row), *value);
  }

  // Says that none of the values set in this tick goes on from the one before.
  void mark_reset(FrameWriter& writer) const {
    for (const Slot& slot : slots_) {
      if (slot.written) writer.mark_reset(*slot.id);
    }
  }

  // Returns whether any metric has a channel yet.
  bool any() const {
    return std::any_of(slots_.begin(), slots_.end(),
                       [](const Slot& slot) { return slot.id.has_value(); });
  }

  // Lets all values set since forget() stand for this tick too.
  void repeat(FrameWriter& writer, model::Validity validity) const {
    for (const Slot& slot : slots_) {
      if (slot.written) writer.repeat(*slot.id, validity);
    }
  }
  void forget() {
    for (Slot& slot : slots_) slot.written = false;
  }
  // The same for the metric of that row alone.
  void repeat(FrameWriter& writer, std::size_t row, model::Validity validity) const {
    if (slots_[row].written) writer.repeat(*slots_[row].id, validity);
  }
  void forget(std::size_t row) { slots_[row].written = false; }

  // Gives all channels back, as the instance is gone.
  void release(FrameWriter& writer) {
    for (Slot& slot : slots_) {
      if (slot.id) writer.release_channel(*slot.id);
      slot = {};
    }
  }

 private:
  struct Slot {
    std::optional<model::ChannelId> id;
    bool written = false;
  };

  model::ChannelId channel(FrameWriter& writer, std::size_t row) {
    Slot& slot = slots_[row];
    if (!slot.id) slot.id = writer.add_channel(metrics_[row], instance_);
    slot.written = true;
    return *slot.id;
  }

  std::span<const model::MetricDescriptor> metrics_;
  std::string instance_;
  std::vector<Slot> slots_;
};

// Returns the channels of a core, growing `cores` when the core is new: "cpu=3".
InstanceChannels& core_channels(std::vector<InstanceChannels>& cores, std::uint32_t cpu,
                                std::span<const model::MetricDescriptor> metrics);

// The largest core number that is believed; a larger one is rubbish, not a reason to allocate.
inline constexpr std::uint32_t kMaxCores = 8192;

}  // namespace reveal::collect
