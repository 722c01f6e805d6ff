// Who uses a GPU: the share of its SMs' time and the memory of each control group, and how much of
// that time the groups take together beside the main one, which is 0 where nobody shares.
//
// The main group is the one that has worked there longest, not the one that takes most: a job that
// starts small kernels takes a fifth of a GPU, and whoever comes takes the rest. A group that has
// taken less than a twentieth for 30 s, or has no context anymore, is main no longer.
//
// A group has values while one of its processes has a compute context on the GPU or has just worked
// there. Processes whose group is not known are in no group; together they count as one more user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collect/frame_writer.h"
#include "collect/gpu/process_groups.h"
#include "gpu/shared_readings.h"

namespace reveal::collect {

// Returns the metrics: of a group its share and its memory, of a GPU what others take.
std::vector<model::MetricDescriptor> gpu_group_metrics();

class GpuGroups {
 public:
  static constexpr std::size_t kMost = 16;       // at a time, those that use most
  static constexpr std::size_t kMostKept = 128;  // with those that left; then these are forgotten

  // REQUIRES: `groups` outlives this.
  GpuGroups(std::string bus_id, const ProcessGroups& groups);

  // Sets what is new as read, what is known but not new as stale, and leaves the rest missing.
  void collect(FrameWriter& writer, const gpu::SharedUse& use, std::int64_t now_ns);

 private:
  struct Sum {
    std::string group;  // empty: of processes whose group is not known
    std::uint64_t percent = 0;
    std::optional<std::uint64_t> bytes = 0;
  };
  // When a group's work was first and last read, without a pause since.
  struct Worked {
    std::int64_t since_ns = 0;
    std::int64_t last_ns = 0;
  };
  struct Channels {
    std::optional<model::ChannelId> share;
    std::optional<model::ChannelId> memory;
  };

  bool take(const gpu::SharedUse& use);
  void add_up(const std::vector<gpu::SharedProcessUse>& processes);
  void note_who_works();
  std::uint64_t percent_of_main() const;
  std::optional<std::uint64_t> percent_of_others() const;
  Channels& channels_of(const std::string& group, FrameWriter& writer);
  void release_idle(FrameWriter& writer);
  std::string instance_of(std::string_view group) const;

  std::string bus_id_;
  const ProcessGroups& processes_;
  std::vector<model::MetricDescriptor> metrics_;
  // By pid, of the latest reading: who has just ended still has work that is told afterwards.
  std::map<std::uint32_t, std::string> known_;
  std::vector<Sum> sums_;  // of the latest reading, those that use most first
  std::map<std::string, Worked, std::less<>> worked_;
  std::map<std::string, Channels, std::less<>> channels_;
  std::optional<model::ChannelId> others_;
  std::int64_t read_ns_ = 0;
  std::int64_t shares_ns_ = 0;
};

}  // namespace reveal::collect
