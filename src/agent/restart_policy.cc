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

void RestartPolicy::ended(std::int64_t now_ns, Ending how) {
  const bool settled = now_ns - started_ns_ >= kSettled_ns;
  if (settled) {
    early_ends_ = 0;
    wait_ns_ = 0;
  } else {
    if (early_ends_++ == 0) first_early_ns_ = now_ns;
    const bool is_patient = how == Ending::kFromOutside && now_ns - first_early_ns_ < kPatience_ns;
    const auto longest_ns = is_patient ? kLongestWaitIfKilled_ns : kLongestWait_ns;
    wait_ns_ = std::clamp(2 * wait_ns_, kFirstWait_ns, longest_ns);
  }
  due_ns_ = now_ns + wait_ns_;
}

}  // namespace reveal::agent
