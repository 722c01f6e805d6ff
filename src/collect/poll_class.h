// How often each collector is read. Four poll classes: fast on every tick; quick, medium and slow
// at periods of their own. A collector's poll class is its registry row's, unless the configuration
// chooses another or its readings outrun their budget during the run.
//
// A window of 3 s has ten samples of a quick collector, enough for its moments to mean something,
// and three of a medium one. Quick readings are a gain for windows alone, so they have a fifth of
// the budget: on a host where they cost more (many cores, many interrupts) the collector is read in
// the medium poll class. So what quick collectors take is bounded on any host.
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

enum class PollChoice : std::uint8_t { kFast, kQuick, kMedium, kSlow, kOff };

struct PollPlan {
  std::chrono::nanoseconds quick = std::chrono::milliseconds(300);
  std::chrono::nanoseconds medium = std::chrono::seconds(1);
  std::chrono::nanoseconds slow = std::chrono::seconds(10);
  // What a collector may take of one core, as a ratio; one that takes more is read less often.
  double budget_ratio = 0.01;
  std::map<std::string, PollChoice, std::less<>> choices{};  // by collector; others as registered
};

// Returns how many ticks lie between two readings in that poll class, at least 1. A period that is
// not a whole number of ticks is rounded; that of quick collectors down, so that windows have no
// fewer samples than it promises.
std::uint64_t ticks_between(PollClass poll_class, const PollPlan& plan,
                            std::chrono::nanoseconds interval);

// Returns the time between two readings, which is no shorter than the interval.
std::chrono::nanoseconds period(PollClass poll_class, const PollPlan& plan,
                                std::chrono::nanoseconds interval);

// Returns what a collector of that poll class may take of one core, as a ratio.
double budget_ratio(PollClass poll_class, const PollPlan& plan);

// Returns what one reading may take in that poll class.
std::chrono::nanoseconds reading_budget(PollClass poll_class, const PollPlan& plan,
                                        std::chrono::nanoseconds interval);

// Returns the poll class for a collector that took more than its budget in this one.
PollClass slower(PollClass poll_class);

// Returns what is to be done with a collector: its poll class, or nothing if it is not read.
std::optional<PollClass> poll_class_of(const CollectorDescriptor& descriptor, const PollPlan& plan);

// Return the words of the configuration and of notes: "fast", "quick", "medium", "slow"; also
// "off".
std::string_view to_string(PollClass poll_class);
std::optional<PollChoice> poll_choice(std::string_view word);

}  // namespace reveal::collect
