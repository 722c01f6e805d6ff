// How often each collector is read. Three poll classes: fast on every tick, medium and slow at
// periods of their own. A collector's poll class is its registry row's, unless the configuration
// chooses another or its readings outrun their budget during the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "collect/collector.h"

namespace reveal::collect {

enum class PollChoice : std::uint8_t { kFast, kMedium, kSlow, kOff };

struct PollPlan {
  std::chrono::nanoseconds medium = std::chrono::seconds(1);
  std::chrono::nanoseconds slow = std::chrono::seconds(10);
  // What a collector may take of one core, as a ratio; one that takes more is read less often.
  double budget_ratio = 0.01;
  std::map<std::string, PollChoice, std::less<>> choices{};  // by collector; others as registered
};

// Returns how many ticks lie between two readings in that poll class, at least 1.
std::uint64_t ticks_between(PollClass poll_class, const PollPlan& plan,
                            std::chrono::nanoseconds interval);

// Returns the time between two readings, which is no shorter than the interval.
std::chrono::nanoseconds period(PollClass poll_class, const PollPlan& plan,
                                std::chrono::nanoseconds interval);

// Returns what is to be done with a collector: its poll class, or nothing if it is not read.
std::optional<PollClass> poll_class_of(const CollectorDescriptor& descriptor, const PollPlan& plan);

// Return the words of the configuration and of notes: "fast", "medium", "slow"; also "off".
std::string_view to_string(PollClass poll_class);
std::optional<PollChoice> poll_choice(std::string_view word);

}  // namespace reveal::collect
