// When a process that ended is started again: at once if it had run for a while, else after a wait
// that doubles with each early end. The caller brings the time, in ns of a monotonic clock.
#pragma once

#include <cstdint>

namespace reveal::agent {

class RestartPolicy {
 public:
  static constexpr std::int64_t kFirstWait_ns = 500'000'000;
  static constexpr std::int64_t kLongestWait_ns = 60'000'000'000;
  static constexpr std::int64_t kSettled_ns = 60'000'000'000;  // it had run for a while

  void started(std::int64_t now_ns) { started_ns_ = now_ns; }
  void ended(std::int64_t now_ns);
  // Returns whether it is time to start it. REQUIRES: ended() was called after started().
  bool is_due(std::int64_t now_ns) const { return now_ns >= due_ns_; }
  // Returns how many times it ended.
  std::uint64_t ends() const { return ends_; }

 private:
  std::int64_t started_ns_ = 0;
  std::int64_t due_ns_ = 0;
  std::int64_t wait_ns_ = 0;
  std::uint64_t ends_ = 0;
};

}  // namespace reveal::agent
