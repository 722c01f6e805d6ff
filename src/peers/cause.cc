#include "peers/cause.h"

#include <algorithm>

namespace reveal::peers {
namespace {

template <typename Holds>
std::optional<std::size_t> only_one(std::span<const Suspect> hosts, Holds holds) {
  std::optional<std::size_t> out;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (!holds(hosts[i])) continue;
    if (out) return std::nullopt;
    out = i;
  }
  return out;
}

std::optional<std::size_t> first_of(std::span<const Suspect> hosts) {
  const auto first = std::ranges::min_element(hosts, {}, &Suspect::onset_ns);
  const bool is_clear = std::all_of(hosts.begin(), hosts.end(), [&](const Suspect& other) {
    return &other == &*first || other.onset_ns - first->onset_ns > other.error_ns + first->error_ns;
  });
  if (!is_clear) return std::nullopt;
  return static_cast<std::size_t>(first - hosts.begin());
}

}  // namespace

std::optional<std::size_t> cause_of(std::span<const Suspect> hosts) {
  if (hosts.empty()) return std::nullopt;
  if (const auto found = only_one(hosts, [](const auto& one) { return one.has_own_cause; })) {
    return found;
  }
  if (const auto found = first_of(hosts)) return found;
  return only_one(hosts, [](const auto& one) { return one.shows_resource; });
}

}  // namespace reveal::peers
