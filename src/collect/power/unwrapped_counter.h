// A counter that starts anew at a known largest value, made to grow for ever.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace reveal::collect {

class UnwrappedCounter {
 public:
  struct Step {
    std::uint64_t total;
    bool reset;  // how often it wrapped since the value before is not known
  };

  // Returns the value with all wraps since the first one added. `largest` is the value after which
  // the counter starts at 0 again; if it is not known, or the value is above it, a step back is a
  // reset. So it is if the way up through the largest value is much longer than any step before and
  // than a small part of the range: the counter was set back.
  Step step(std::uint64_t value, std::optional<std::uint64_t> largest) {
    if (!last_) return begin(value, false);
    if (missed_) return begin(value, true);
    if (value < *last_) {
      if (!largest || *last_ > *largest) return begin(value, true);
      const std::uint64_t way = *largest - *last_ + value;
      if (way > *largest / kFreeShare && way / kSpeedup > longest_) return begin(value, true);
      total_ += way;
    } else {
      longest_ = std::max(longest_, value - *last_);
      total_ += value - *last_;
    }
    last_ = value;
    return {total_, false};
  }

  // Says that the value could not be read this time, so that wraps may go unseen.
  void miss() { missed_ = true; }

 private:
  // Of the kind of CounterDelta's, in derive: a package of 200 W takes 8 s for this part of its
  // range.
  static constexpr std::uint64_t kFreeShare = 128;
  static constexpr std::uint64_t kSpeedup = 8;

  Step begin(std::uint64_t value, bool reset) {
    missed_ = false;
    last_ = value;
    total_ = value;
    return {total_, reset};
  }

  std::optional<std::uint64_t> last_;
  std::uint64_t total_ = 0;
  std::uint64_t longest_ = 0;  // step up so far
  bool missed_ = false;
};

}  // namespace reveal::collect
