// A counter that starts anew at a known largest value, made to grow for ever.
#pragma once

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
  // reset.
  Step step(std::uint64_t value, std::optional<std::uint64_t> largest) {
    if (!last_) return begin(value, false);
    if (missed_) return begin(value, true);
    if (value < *last_) {
      if (!largest || *last_ > *largest) return begin(value, true);
      total_ += *largest - *last_ + value;
    } else {
      total_ += value - *last_;
    }
    last_ = value;
    return {total_, false};
  }

  // Says that the value could not be read this time, so that wraps may go unseen.
  void miss() { missed_ = true; }

 private:
  Step begin(std::uint64_t value, bool reset) {
    missed_ = false;
    last_ = value;
    total_ = value;
    return {total_, reset};
  }

  std::optional<std::uint64_t> last_;
  std::uint64_t total_ = 0;
  bool missed_ = false;
};

}  // namespace reveal::collect
