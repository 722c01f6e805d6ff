#include "collect/poll_class.h"

#include <algorithm>

namespace reveal::collect {
namespace {

using std::chrono::nanoseconds;

constexpr std::string_view kPollClasses[] = {"fast", "medium", "slow", "off"};

}  // namespace

nanoseconds period(PollClass poll_class, const PollPlan& plan, nanoseconds interval) {
  switch (poll_class) {
    case PollClass::kFast:
      return interval;
    case PollClass::kMedium:
      return std::max(plan.medium, interval);
    case PollClass::kSlow:
      return std::max(plan.slow, interval);
  }
  return interval;
}

std::uint64_t ticks_between(PollClass poll_class, const PollPlan& plan, nanoseconds interval) {
  const auto ticks = (period(poll_class, plan, interval) + interval / 2) / interval;
  return static_cast<std::uint64_t>(std::max<nanoseconds::rep>(ticks, 1));
}

std::optional<PollClass> poll_class_of(const CollectorDescriptor& descriptor,
                                       const PollPlan& plan) {
  const auto chosen = plan.choices.find(descriptor.name);
  if (chosen != plan.choices.end()) {
    if (chosen->second == PollChoice::kOff) return std::nullopt;
    return static_cast<PollClass>(chosen->second);
  }
  return descriptor.opt_in ? std::nullopt : std::optional(descriptor.poll_class);
}

std::string_view to_string(PollClass poll_class) {
  return kPollClasses[static_cast<std::size_t>(poll_class)];
}

std::optional<PollChoice> poll_choice(std::string_view word) {
  const auto* const it = std::find(std::begin(kPollClasses), std::end(kPollClasses), word);
  if (it == std::end(kPollClasses)) return std::nullopt;
  return static_cast<PollChoice>(it - std::begin(kPollClasses));
}

}  // namespace reveal::collect
