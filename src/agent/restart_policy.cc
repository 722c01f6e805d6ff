#include "agent/restart_policy.h"

#include <algorithm>
#include <csignal>

#include <sys/wait.h>

namespace reveal::agent {

Ending ending_of(int wait_status) {
  bool from_outside = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
  if (WIFSIGNALED(wait_status)) {
    from_outside = WTERMSIG(wait_status) == SIGKILL || WTERMSIG(wait_status) == SIGTERM;
  }
  return from_outside ? Ending::kFromOutside : Ending::kByItself;
}

// Its own failures say nothing of how long what kills it will stay.
std::int64_t RestartPolicy::longest_wait_ns(std::int64_t now_ns, Ending how) {
  if (how == Ending::kByItself) return kLongestWait_ns;
  if (!first_kill_ns_) first_kill_ns_ = now_ns;
  return now_ns - *first_kill_ns_ < kPatience_ns ? kLongestWaitIfKilled_ns : kLongestWait_ns;
}

void RestartPolicy::ended(std::int64_t now_ns, Ending how) {
  const bool settled = now_ns - started_ns_ >= kSettled_ns;
  if (settled) {
    early_ends_ = 0;
    wait_ns_ = 0;
    first_kill_ns_.reset();
  } else {
    ++early_ends_;
    wait_ns_ = std::clamp(2 * wait_ns_, kFirstWait_ns, longest_wait_ns(now_ns, how));
  }
  due_ns_ = now_ns + wait_ns_;
}

}  // namespace reveal::agent
