// How often something may happen: so many times at once, and then once in each stretch of time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace reveal::base {

// For one thread.
class Allowance {
 public:
  // REQUIRES: `at_once` is at least 1, and `between_ns` above 0.
  Allowance(double at_once, std::int64_t between_ns)
      : at_once_(at_once), between_ns_(between_ns), left_(at_once) {}

  // Returns whether it may happen at `now_ns`, of a monotonic clock.
  bool has(std::int64_t now_ns) {
    const auto since_ns = static_cast<double>(now_ns - std::exchange(counted_ns_, now_ns));
    left_ = std::min(left_ + since_ns / static_cast<double>(between_ns_), at_once_);
    return left_ >= 1;
  }

  // The same, and it happens if it may.
  bool take(std::int64_t now_ns) {
    if (!has(now_ns)) return false;
    left_ -= 1;
    return true;
  }

  // What was taken did not happen.
  void give_back() { left_ = std::min(left_ + 1, at_once_); }

 private:
  double at_once_;
  std::int64_t between_ns_;
  double left_;
  std::int64_t counted_ns_ = 0;
};

}  // namespace reveal::base
