// Which events are counted at the same time. A core has few counters (four to eight, fixed ones
// beside), some events fit only some of them, and the kernel's NMI watchdog may hold one: only the
// kernel knows what fits, so it is asked, by opening a group. The plan is:
//
//   base      always counting. Shortened from its end, two at a time, until `kRoom` others fit
//             beside it, where there are others.
//   turns     groups that count one after the other, each beside the base
//   left_out  fits beside no base, or the turns are full
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace reveal::perf {

struct GroupPlan {
  std::vector<std::size_t> base;
  std::vector<std::vector<std::size_t>> turns;
  std::vector<std::size_t> left_out;
};

// Returns whether the events, given by number, can all count at the same time.
using Fits = std::function<bool(std::span<const std::size_t>)>;

inline constexpr std::size_t kRoom = 2;
inline constexpr std::size_t kShortestBase = 3;
inline constexpr std::size_t kMaxTurns = 16;

// `others` stand in order of importance. `teams` get a turn of their own each, the first ones.
GroupPlan plan_groups(std::vector<std::size_t> base, std::vector<std::size_t> others,
                      std::vector<std::vector<std::size_t>> teams, const Fits& fits);

}  // namespace reveal::perf
