// When a process that ended is started again: at once if it had run for a while, else after a wait
// that doubles with each early end.
//
// One that is killed from outside is there again within seconds, however often that happens: what
// kills it may go away at any moment. One that ends by itself will most likely do so again, and so
// will one that was killed for kPatience_ns, as for want of memory: these are started once a minute
// in the end. The patience is counted from the first kill, however long it had failed before, and
// anew once it has run for a while. The caller brings the time, in ns of a monotonic clock.
#pragma once

#include <cstdint>
#include <optional>

namespace reveal::agent {

enum class Ending : std::uint8_t { kByItself, kFromOutside };

// Returns how a process ended that has this wait status (waitpid): SIGKILL, SIGTERM and an end in
// order are from outside.
Ending ending_of(int wait_status);

class RestartPolicy {
 public:
  static constexpr std::int64_t kFirstWait_ns = 500'000'000;
  static constexpr std::int64_t kLongestWaitIfKilled_ns = 1'000'000'000;
  static constexpr std::int64_t kLongestWait_ns = 60'000'000'000;
  static constexpr std::int64_t kSettled_ns = 60'000'000'000;  // it had run for a while
  static constexpr std::int64_t kPatience_ns = std::int64_t{20} * 60 * 1'000'000'000;

  void started(std::int64_t now_ns) { started_ns_ = now_ns; }
  void ended(std::int64_t now_ns, Ending how);
  // Returns whether it is time to start it. REQUIRES: ended() was called after started().
  bool is_due(std::int64_t now_ns) const { return now_ns >= due_ns_; }
  // Returns when that is.
  std::int64_t due_ns() const { return due_ns_; }
  // Returns how long it waits since the latest end.
  std::int64_t wait_ns() const { return wait_ns_; }
  // Returns how many times on end it ended early, up to the latest end; 0: it had run for a while.
  std::uint64_t early_ends() const { return early_ends_; }

 private:
  // Returns the longest wait after such an early end.
  std::int64_t longest_wait_ns(std::int64_t now_ns, Ending how);

  std::int64_t started_ns_ = 0;
  std::int64_t due_ns_ = 0;
  std::int64_t wait_ns_ = 0;
  std::optional<std::int64_t> first_kill_ns_;  // of these early ends
  std::uint64_t early_ends_ = 0;
};

}  // namespace reveal::agent
