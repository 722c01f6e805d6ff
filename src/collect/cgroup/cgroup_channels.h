// The channels of one control group: one for each metric, and one for each part of those that have
// parts (a huge page size, a disk, a NUMA node). The latest values are kept, so that a group whose
// turn it is not keeps them as stale.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collect/frame_writer.h"

namespace reveal::collect {

class CgroupChannels {
 public:
  static constexpr std::size_t kMaxParts = 64;  // of all metrics together; more are left out

  // REQUIRES: `metrics` outlives this.
  CgroupChannels(std::span<const model::MetricDescriptor> metrics, std::string instance)
      : metrics_(metrics), instance_(std::move(instance)), slots_(metrics.size()) {}

  const std::string& instance() const { return instance_; }

  // Begins a reading: nothing is known but what is set from here on.
  void begin() {
    for (Slot& slot : slots_) slot.known = false;
    for (Part& part : parts_) part.slot.known = false;
  }

  // `reset`: counting began anew since the value before.
  void set(FrameWriter& writer, std::size_t row, std::uint64_t value, bool reset) {
    set(writer, slots_[row], row, instance_, value, reset);
  }

  // `key` and `name` become a part of the instance: "cg=/a,node=0".
  void set_part(FrameWriter& writer, std::size_t row, std::string_view key, std::string_view name,
                std::uint64_t value, bool reset) {
    auto part = std::find_if(parts_.begin(), parts_.end(), [&](const Part& known) {
      return known.row == row && known.name == name;
    });
    if (part == parts_.end()) {
      if (parts_.size() >= kMaxParts) return;
      parts_.push_back({row, std::string(name), part_instance(key, name), {}});
      part = std::prev(parts_.end());
    }
    set(writer, part->slot, row, part->instance, value, reset);
  }

  // Lets what the latest reading found stand for this one too.
  void repeat(FrameWriter& writer) const {
    for (const Slot& slot : slots_) repeat(writer, slot);
    for (const Part& part : parts_) repeat(writer, part.slot);
  }

  // Gives all channels back, as the group is gone.
  void release(FrameWriter& writer) {
    for (Slot& slot : slots_) release(writer, slot);
    for (Part& part : parts_) release(writer, part.slot);
    parts_.clear();
  }

 private:
  struct Slot {
    std::optional<model::ChannelId> id;
    std::uint64_t value = 0;
    bool known = false;
  };
  struct Part {
    std::size_t row;
    std::string name;
    std::string instance;
    Slot slot;
  };

  static void release(FrameWriter& writer, Slot& slot) {
    if (slot.id) writer.release_channel(*slot.id);
    slot = {};
  }

  std::string part_instance(std::string_view key, std::string_view name) const {
    return std::string(instance_).append(",").append(key).append("=").append(name);
  }

  void set(FrameWriter& writer, Slot& slot, std::size_t row, std::string_view instance,
           std::uint64_t value, bool reset) {
    if (!slot.id) slot.id = writer.add_channel(metrics_[row], instance);
    slot.value = value;
    slot.known = true;
    writer.set(*slot.id, value);
    if (reset) writer.mark_reset(*slot.id);
  }

  static void repeat(FrameWriter& writer, const Slot& slot) {
    if (!slot.known) return;
    writer.set(*slot.id, slot.value);
    writer.repeat(*slot.id, model::Validity::kStale);
  }

  std::span<const model::MetricDescriptor> metrics_;
  std::string instance_;
  std::vector<Slot> slots_;
  std::vector<Part> parts_;
};

}  // namespace reveal::collect
