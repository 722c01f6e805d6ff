#include "attribute/shares.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace reveal::attribute {
namespace {

constexpr std::size_t kStrongest = 3;

double mean_of_strongest(std::vector<double>& values) {
  const std::size_t count = std::min(kStrongest, values.size());
  std::partial_sort(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count),
                    values.end(), std::greater<>());
  values.resize(count);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(kStrongest);
}

}  // namespace

SubsystemShares subsystem_shares(const model::ChannelTable& channels,
                                 std::span<const double> contribution_by_channel) {
  std::array<std::vector<double>, model::kSubsystemCount> by_subsystem;
  for (std::size_t i = 0; i < contribution_by_channel.size(); ++i) {
    const auto subsystem = channels.metric(model::ChannelId(i)).subsystem;
    by_subsystem[static_cast<std::size_t>(subsystem)].push_back(contribution_by_channel[i]);
  }
  SubsystemShares shares{};
  std::transform(by_subsystem.begin(), by_subsystem.end(), shares.begin(), mean_of_strongest);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (total > 0) {
    for (auto& share : shares) share /= total;
  }
  return shares;
}

}  // namespace reveal::attribute
