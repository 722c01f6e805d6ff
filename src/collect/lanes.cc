#include "collect/lanes.h"

#include <algorithm>

namespace reveal::collect {
namespace {

using std::chrono::nanoseconds;

constexpr std::string_view kLanes[] = {"fast", "medium", "slow", "off"};

}  // namespace

nanoseconds period(Lane lane, const LanePlan& plan, nanoseconds interval) {
  switch (lane) {
    case Lane::kFast:
      return interval;
    case Lane::kMedium:
      return std::max(plan.medium, interval);
    case Lane::kSlow:
      return std::max(plan.slow, interval);
  }
  return interval;
}

std::uint64_t ticks_between(Lane lane, const LanePlan& plan, nanoseconds interval) {
  const auto ticks = (period(lane, plan, interval) + interval / 2) / interval;
  return static_cast<std::uint64_t>(std::max<nanoseconds::rep>(ticks, 1));
}

std::optional<Lane> lane_of(const CollectorDescriptor& descriptor, const LanePlan& plan) {
  const auto chosen = plan.choices.find(descriptor.name);
  if (chosen != plan.choices.end()) {
    if (chosen->second == LaneChoice::kOff) return std::nullopt;
    return static_cast<Lane>(chosen->second);
  }
  return descriptor.opt_in ? std::nullopt : std::optional(descriptor.lane);
}

std::string_view to_string(Lane lane) {
  return kLanes[static_cast<std::size_t>(lane)];
}

std::optional<LaneChoice> lane_choice(std::string_view word) {
  const auto* const it = std::find(std::begin(kLanes), std::end(kLanes), word);
  if (it == std::end(kLanes)) return std::nullopt;
  return static_cast<LaneChoice>(it - std::begin(kLanes));
}

}  // namespace reveal::collect
