#include "peers/lost_segments.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace reveal::peers {
namespace {

constexpr std::array<std::string_view, 4> kOfSender{
    "network_tcp_retransmit_ratio", "network_tcp_retransmits_total",
    "network_tcp_round_trip_median_seconds", "network_tcp_round_trip_p99_seconds"};

}  // namespace

bool is_told_by_sender(const fleet::Quantity& quantity) {
  return std::ranges::find(kOfSender, quantity.metric) != kOfSender.end();
}

bool is_told_by_receiver(const fleet::Quantity& quantity) {
  return quantity.metric == "network_tcp_out_of_order_total";
}

std::optional<std::size_t> receiver_of(std::span<const double> rises) {
  const auto first = std::ranges::max_element(rises);
  if (first == rises.end() || *first < kFewestMissed) return std::nullopt;
  const bool is_clear = std::all_of(rises.begin(), rises.end(), [&](const double& other) {
    return &other == &*first || other * kClearly <= *first;
  });
  if (!is_clear) return std::nullopt;
  return static_cast<std::size_t>(first - rises.begin());
}

}  // namespace reveal::peers
