// Watches the cost of one collector's readings against its budget. On a busy machine any reading
// may be interrupted, so one slow reading says nothing: the cheapest of several readings in a row
// must exceed the budget.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace reveal::collect {

class CostWatch {
 public:
  static constexpr int kReadings = 10;

  // Takes the time of one reading. Returns the cheapest of the last readings once all of them were
  // over the budget, and starts to count anew.
  std::optional<std::chrono::nanoseconds> add(std::chrono::nanoseconds cost,
                                              std::chrono::nanoseconds budget) {
    if (cost <= budget) {
      over_ = 0;
      return std::nullopt;
    }
    cheapest_ = over_ == 0 ? cost : std::min(cheapest_, cost);
    if (++over_ < kReadings) return std::nullopt;
    over_ = 0;
    return cheapest_;
  }

 private:
  int over_ = 0;
  std::chrono::nanoseconds cheapest_{0};
};

}  // namespace reveal::collect
