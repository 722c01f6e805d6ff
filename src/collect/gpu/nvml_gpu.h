// One GPU of the nvml collector: its channels, and the facts stated about it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collect/frame_writer.h"
#include "collect/gpu/gpu_groups.h"
#include "gpu/shared_readings.h"

namespace reveal::collect {

// The channels of one instance for one table of signals.
class SignalChannels {
 public:
  // REQUIRES: `signals` outlives this.
  SignalChannels(std::span<const gpu::Signal> signals, model::Scope scope, std::string instance);

  // Sets what is new as read, what is known but not new as stale, and leaves the rest missing.
  // `fresh_start`: the values do not go on from those before.
  void set(FrameWriter& writer, std::span<const gpu::SharedReading> readings, std::int64_t now_ns,
           bool fresh_start);

 private:
  struct Slot {
    std::optional<model::ChannelId> id;
    std::int64_t read_ns = 0;
    std::uint64_t last = 0;
    std::uint64_t carried = 0;  // counted by readers that are gone
    bool reset_due = false;
  };
  void set_one(FrameWriter& writer, std::size_t row, std::uint64_t bits, std::int64_t read_ns);

  std::span<const gpu::Signal> signals_;
  model::Scope scope_;
  std::string instance_;
  std::vector<Slot> slots_;
};

class NvmlGpu {
 public:
  // REQUIRES: `processes` outlives this.
  NvmlGpu(std::string bus_id, const ProcessGroups& processes);

  const std::string& bus_id() const { return bus_id_; }
  void collect(FrameWriter& writer, const gpu::SharedDevice& device, std::int64_t now_ns);
  // All facts are to be said again.
  void forget_facts() { said_.clear(); }
  // Returns the result of the row's last reading.
  int result(std::size_t row) const { return results_[row]; }

 private:
  struct Said {
    std::string subject;
    std::string text;
  };
  void collect_instances(FrameWriter& writer, const gpu::SharedDevice& device, std::int64_t now_ns);
  void look_at(FrameWriter& writer, const gpu::SharedDevice& device);
  void say(FrameWriter& writer, std::string_view what, std::string_view text);

  std::string bus_id_;
  SignalChannels channels_;
  std::vector<SignalChannels> links_;
  std::map<std::uint64_t, SignalChannels> instances_;  // by the id of SharedInstance
  GpuGroups groups_;
  std::vector<int> results_;
  std::string uuid_;
  bool replaced_ = false;
  std::optional<std::uint32_t> generation_;
  std::vector<Said> said_;
};

}  // namespace reveal::collect
