#include "attribute/shares.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace reveal::attribute {
namespace {

constexpr std::size_t kStrongest = 3;

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double part(std::vector<double>& values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end(), std::greater<>());
  const auto strongest = std::span(values).first(std::min(kStrongest, values.size()));
  const double strength = sum(strongest) / static_cast<double>(kStrongest);
  const double breadth = sum(values) / static_cast<double>(values.size());
  return std::sqrt(strength * breadth);
}

}  // namespace

SubsystemShares subsystem_shares(const model::ChannelTable& channels,
                                 std::span<const double> contribution_by_channel) {
  std::array<std::vector<double>, model::kSubsystemCount> by_subsystem;
  for (std::size_t i = 0; i < contribution_by_channel.size(); ++i) {
    if (std::isnan(contribution_by_channel[i])) continue;
    const auto subsystem = channels.metric(model::ChannelId(i)).subsystem;
    by_subsystem[static_cast<std::size_t>(subsystem)].push_back(contribution_by_channel[i]);
  }
  SubsystemShares shares{};
  std::transform(by_subsystem.begin(), by_subsystem.end(), shares.begin(), part);
  const double total = sum(shares);
  if (total > 0) {
    for (auto& share : shares) share /= total;
  }
  return shares;
}

}  // namespace reveal::attribute
