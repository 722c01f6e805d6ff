#include "select/lanes.h"

#include <map>
#include <utility>

namespace reveal::select {

Lanes::Change Lanes::add(const std::vector<std::vector<std::uint64_t>>& finite, std::size_t ticks) {
  lane_.resize(finite.size(), kNone);
  std::map<std::pair<std::size_t, const std::vector<std::uint64_t>&>, std::size_t> found;
  Change out;
  std::vector<const std::vector<std::uint64_t>*> bits;  // by new lane
  for (std::size_t channel = 0; channel < finite.size(); ++channel) {
    const auto [it, is_new] =
        found.try_emplace({lane_[channel], finite[channel]}, out.came_from.size());
    if (is_new) {
      out.came_from.push_back(lane_[channel]);
      bits.push_back(&finite[channel]);
    }
    lane_[channel] = it->second;
  }
  lanes_ = out.came_from.size();
  out.present.resize(static_cast<Eigen::Index>(ticks), static_cast<Eigen::Index>(lanes_));
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    for (std::size_t tick = 0; tick < ticks; ++tick) {
      const bool present = ((*bits[lane])[tick / 64] >> (tick % 64) & 1) != 0;
      out.present(static_cast<Eigen::Index>(tick), static_cast<Eigen::Index>(lane)) =
          present ? 1.0 : 0.0;
    }
  }
  return out;
}

}  // namespace reveal::select
