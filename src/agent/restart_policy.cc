#include "agent/restart_policy.h"

#include <algorithm>

namespace reveal::agent {

void RestartPolicy::ended(std::int64_t now_ns) {
  ++ends_;
  const bool settled = now_ns - started_ns_ >= kSettled_ns;
  if (settled) {
    wait_ns_ = 0;
  } else {
    wait_ns_ = wait_ns_ == 0 ? kFirstWait_ns : std::min(2 * wait_ns_, kLongestWait_ns);
  }
  due_ns_ = now_ns + wait_ns_;
}

}  // namespace reveal::agent
