// Channels that have their samples at the same ticks, put together.
//
// A host's channels are read in a few lanes: every 100 ms, every second, whenever a process group
// exists. What is true of the samples that two channels have in common depends on their lanes, and
// lanes are few where channels are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace reveal::select {

class Lanes {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // What became of the lanes after more ticks.
  struct Change {
    std::vector<std::size_t> came_from;  // by lane: the lane that it was part of, or kNone
    Eigen::MatrixXd present;             // ticks x lanes: 1 where the lane has a sample, else 0
  };

  // Takes the next ticks: `finite[channel]` has a bit a tick, 64 to a word. Channels beyond those
  // seen before had no sample until now. Lanes are split where their channels differ.
  Change add(const std::vector<std::vector<std::uint64_t>>& finite, std::size_t ticks);

  std::size_t count() const { return lanes_; }
  std::size_t of(std::size_t channel) const { return lane_[channel]; }

 private:
  std::vector<std::size_t> lane_;  // by channel
  std::size_t lanes_ = 0;
};

}  // namespace reveal::select
