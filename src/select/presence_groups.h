// Channels that have their samples at the same ticks, put together.
//
// A host's channels are in a few groups: every 100 ms, every second, whenever a process group
// exists. What is true of the samples that two channels have in common depends on their groups, and
// groups are few if channels are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace reveal::select {

class PresenceGroups {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // What became of the groups after more ticks.
  struct Change {
    std::vector<std::size_t> came_from;  // by group: the group that it was part of, or kNone
    Eigen::MatrixXd present;             // ticks x groups: 1 where the group has a sample, else 0
  };

  // Takes the next ticks: `finite[channel]` has a bit a tick, 64 to a word. Channels beyond those
  // seen before had no sample until now. Groups are split if their channels differ.
  Change add(const std::vector<std::vector<std::uint64_t>>& finite, std::size_t ticks);

  std::size_t count() const { return groups_; }
  std::size_t of(std::size_t channel) const { return group_[channel]; }

 private:
  std::vector<std::size_t> group_;  // by channel
  std::size_t groups_ = 0;
};

}  // namespace reveal::select
