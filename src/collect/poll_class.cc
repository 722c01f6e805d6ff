#include "collect/poll_class.h"

#include <algorithm>

namespace reveal::collect {
namespace {

using std::chrono::nanoseconds;

constexpr std::string_view kPollClasses[] = {"fast", "quick", "medium", "slow", "off"};
constexpr double kQuickShare = 0.2;  // of the budget of other poll classes

}  // namespace

nanoseconds period(PollClass poll_class, const PollPlan& plan, nanoseconds interval) {
  switch (poll_class) {
    case PollClass::kFast:
      return interval;
    case PollClass::kQuick:
      return std::max(plan.quick, interval);
    case PollClass::kMedium:
      return std::max(plan.medium, interval);
    case PollClass::kSlow:
      return std::max(plan.slow, interval);
  }
  return interval;
}

std::uint64_t ticks_between(PollClass poll_class, const PollPlan& plan, nanoseconds interval) {
  const auto rounding = poll_class == PollClass::kQuick ? nanoseconds::zero() : interval / 2;
  const auto ticks = (period(poll_class, plan, interval) + rounding) / interval;
  return static_cast<std::uint64_t>(std::max<nanoseconds::rep>(ticks, 1));
}

double budget_ratio(PollClass poll_class, const PollPlan& plan) {
  return poll_class == PollClass::kQuick ? kQuickShare * plan.budget_ratio : plan.budget_ratio;
}

nanoseconds reading_budget(PollClass poll_class, const PollPlan& plan, nanoseconds interval) {
  const auto time = static_cast<double>(period(poll_class, plan, interval).count());
  return nanoseconds(static_cast<nanoseconds::rep>(time * budget_ratio(poll_class, plan)));
}

// What is too costly on every tick is far beyond what quick readings may take.
PollClass slower(PollClass poll_class) {
  const bool often = poll_class == PollClass::kFast || poll_class == PollClass::kQuick;
  return often ? PollClass::kMedium : PollClass::kSlow;
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
