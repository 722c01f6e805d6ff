// The recorder's knowledge of itself, for the collectors that record it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace reveal::collect {

// What has become of the frames that were handed on.
struct StorageVitals {
  std::uint64_t bytes_written = 0;
  std::uint64_t frames_dropped = 0;
};

struct SourceVitals {
  std::string_view name;
  std::chrono::nanoseconds cost{0};  // of all its readings
  std::uint64_t failures = 0;        // readings that found nothing where there had been values
};

struct Vitals {
  std::chrono::nanoseconds lateness{0};   // of this tick
  std::chrono::nanoseconds tick_cost{0};  // CPU time of the tick before
  std::uint64_t missed_ticks = 0;
  std::function<std::vector<SourceVitals>()> sources;  // those that are open
  std::function<StorageVitals()> storage;              // empty where nothing is stored
};

}  // namespace reveal::collect
