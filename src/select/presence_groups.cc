#include "select/presence_groups.h"

#include <map>
#include <utility>

namespace reveal::select {

PresenceGroups::Change PresenceGroups::add(const std::vector<std::vector<std::uint64_t>>& finite,
                                           std::size_t ticks) {
  group_.resize(finite.size(), kNone);
  std::map<std::pair<std::size_t, const std::vector<std::uint64_t>&>, std::size_t> found;
  Change out;
  std::vector<const std::vector<std::uint64_t>*> bits;  // by new group
  for (std::size_t channel = 0; channel < finite.size(); ++channel) {
    const auto [it, is_new] =
        found.try_emplace({group_[channel], finite[channel]}, out.came_from.size());
    if (is_new) {
      out.came_from.push_back(group_[channel]);
      bits.push_back(&finite[channel]);
    }
    group_[channel] = it->second;
  }
  groups_ = out.came_from.size();
  out.present.resize(static_cast<Eigen::Index>(ticks), static_cast<Eigen::Index>(groups_));
  for (std::size_t group = 0; group < groups_; ++group) {
    for (std::size_t tick = 0; tick < ticks; ++tick) {
      const bool present = ((*bits[group])[tick / 64] >> (tick % 64) & 1) != 0;
      out.present(static_cast<Eigen::Index>(tick), static_cast<Eigen::Index>(group)) =
          present ? 1.0 : 0.0;
    }
  }
  return out;
}

}  // namespace reveal::select
